import { createHash } from 'node:crypto';
import { parseExact } from './exact-json.js';
import type { Row } from './fields.js';
import { withForm } from './form.js';
import type { Batch, Input } from './importer.js';
import type { Piece } from './open-piece.js';
import type { OutcomeCollector } from './outcome-collector.js';
import { type DocumentEnd, type JsonPiece, JsonSplitter } from './split-json.js';
import { LineSplitter, parseLine } from './split-lines.js';

/** Position of a piece in a document. */
export interface Place {
  /** Line number, counted from 1. */
  readonly line: number;
  /** Returns a short hash of the content: an id for a piece without one, independent of place and formatting. */
  digest(): string;
}

/** Reader of the documents of one input, piece by piece. */
export interface DocumentReader {
  /**
   * Called per member of the document, or per entry of the list in member `key`. A document that is a list has no keys.
   * A reader without this method reads only lines.
   */
  member?(key: string | undefined, value: unknown, place: Place): void;
  /**
   * Called per line that is a whole object. Returns true if it was used as a whole, so that its members are skipped.
   */
  row?(row: Row, place: Place): boolean;
  /** Called when the document has ended; another may follow. Also called at the end of an input of lines. */
  end(): void;
}

/**
 * Reads JSON documents of any size, consecutive or one per line, piece by piece. At most one list entry is in memory,
 * up to 64 MB. Unreadable pieces are reported, and the rest is read.
 */
export async function* readDocuments(
  { chunks }: Input,
  gathering: OutcomeCollector,
  reader: DocumentReader,
): AsyncGenerator<Batch> {
  let pieces: Pieces | undefined;
  for await (const { chunk, form } of withForm(chunks)) {
    const byLine = form === 'lines' || !reader.member;
    pieces ??= byLine ? new ByLine(gathering, reader) : new ByMember(gathering, reader);
    yield gathering.batch(pieces.push(chunk), chunk.byteLength);
  }
  if (pieces) yield gathering.batch(pieces.end(), 0);
}

/** Splitter; both methods return the number of lines or pieces they saw. */
interface Pieces {
  push(chunk: Uint8Array): number;
  end(): number;
}

/** Splitter for one document per line; a torn line does not affect others. */
class ByLine implements Pieces {
  readonly #splitter = new LineSplitter();

  constructor(
    private readonly gathering: OutcomeCollector,
    private readonly reader: DocumentReader,
  ) {}

  push(chunk: Uint8Array): number {
    return this.#take(this.#splitter.push(chunk));
  }

  end(): number {
    const count = this.#take(this.#splitter.end());
    attempt(this.gathering, undefined, () => this.reader.end());
    return count;
  }

  #take(lines: readonly Piece[]): number {
    for (const line of lines) {
      const parsed = parseLine(line, parseExact);
      if (parsed.kind === 'blank') continue;
      if (parsed.kind === 'bad') {
        this.gathering.reject(parsed.reason, line.number);
        continue;
      }
      this.#document(parsed.value, line.number);
    }
    return lines.length;
  }

  #document(row: Row, line: number): void {
    const { gathering, reader } = this;
    let taken = false;
    attempt(gathering, line, () => {
      taken = reader.row?.(row, placeOf(line, row)) ?? false;
    });
    if (taken) return;
    for (const [key, value] of Object.entries(row)) {
      const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
      for (const entry of entries) attempt(gathering, line, () => reader.member?.(key, entry, placeOf(line, entry)));
    }
    attempt(gathering, line, () => reader.end());
  }
}

/** Runs the reader on one piece. An error caused by unexpected content affects only this piece. */
function attempt(gathering: OutcomeCollector, line: number | undefined, read: () => void): void {
  try {
    read();
  } catch (error) {
    gathering.reject(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, line);
  }
}

class ByMember implements Pieces {
  readonly #splitter = new JsonSplitter();

  constructor(
    private readonly gathering: OutcomeCollector,
    private readonly reader: DocumentReader,
  ) {}

  push(chunk: Uint8Array): number {
    return this.#take(this.#splitter.push(chunk));
  }

  end(): number {
    return this.#take(this.#splitter.end());
  }

  #take(pieces: readonly (JsonPiece | DocumentEnd)[]): number {
    const { gathering, reader } = this;
    let count = 0;
    for (const piece of pieces) {
      if (piece.kind === 'end') {
        if (piece.torn) gathering.reject('the document is cut off: its JSON has no end');
        attempt(gathering, undefined, () => reader.end());
        continue;
      }
      count++;
      const value = parseMember(piece, gathering);
      if (value === undefined) continue;
      attempt(gathering, piece.number, () => reader.member?.(piece.key, value, placeOf(piece.number, value)));
    }
    return count;
  }
}

function parseMember({ bytes, cutFrom, number }: Piece, gathering: OutcomeCollector): unknown {
  if (cutFrom !== undefined) {
    gathering.reject(`a part of the document has ${cutFrom} bytes, more than can be read`, number);
    return undefined;
  }
  try {
    return parseExact(bytes.toString('utf8'));
  } catch {
    gathering.reject('a part of the document is not JSON', number);
    return undefined;
  }
}

function placeOf(line: number, value: unknown): Place {
  return { line, digest: () => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16) };
}
