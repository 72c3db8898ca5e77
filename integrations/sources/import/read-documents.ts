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
  const pieces = new PieceReader(gathering, reader);
  let splitter: LineSplitter | JsonSplitter | undefined;
  for await (const { chunk, form } of withForm(chunks)) {
    splitter ??= form === 'lines' || !reader.member ? new LineSplitter() : new JsonSplitter();
    yield gathering.batch(pieces.take(splitter.push(chunk)), chunk.byteLength);
  }
  if (splitter === undefined) return;
  const count = pieces.take(splitter.end());
  if (splitter instanceof LineSplitter) pieces.end();
  yield gathering.batch(count, 0);
}

/** Passes pieces on to a reader: lines that are whole objects, or parts of larger documents. */
class PieceReader {
  readonly #gathering: OutcomeCollector;
  readonly #reader: DocumentReader;

  constructor(gathering: OutcomeCollector, reader: DocumentReader) {
    this.#gathering = gathering;
    this.#reader = reader;
  }

  /** Returns the number of lines or parts among the pieces. */
  take(pieces: readonly (Piece | JsonPiece | DocumentEnd)[]): number {
    let count = 0;
    for (const piece of pieces) {
      if (!('kind' in piece)) this.#line(piece);
      else if (piece.kind === 'value') this.#part(piece);
      else {
        if (piece.torn) this.#gathering.reject('the document is cut off: its JSON has no end');
        this.end();
        continue;
      }
      count++;
    }
    return count;
  }

  end(): void {
    this.#attempt(undefined, () => this.#reader.end());
  }

  #line(piece: Piece): void {
    const parsed = parseLine(piece, parseExact);
    if (parsed.kind === 'object') this.#document(parsed.value, piece.number);
    else if (parsed.kind === 'bad') this.#gathering.reject(parsed.reason, piece.number);
  }

  #part(piece: JsonPiece): void {
    const { key, number } = piece;
    const value = parseMember(piece, this.#gathering);
    if (value !== undefined) this.#attempt(number, () => this.#reader.member?.(key, value, placeOf(number, value)));
  }

  #document(row: Row, line: number): void {
    let taken = false;
    this.#attempt(line, () => {
      taken = this.#reader.row?.(row, placeOf(line, row)) ?? false;
    });
    if (taken) return;
    for (const [key, value] of Object.entries(row)) {
      const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
      for (const entry of entries) this.#attempt(line, () => this.#reader.member?.(key, entry, placeOf(line, entry)));
    }
    this.#attempt(line, () => this.#reader.end());
  }

  /** Runs the reader on one piece. An error caused by unexpected content affects only this piece. */
  #attempt(line: number | undefined, read: () => void): void {
    try {
      read();
    } catch (error) {
      this.#gathering.reject(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, line);
    }
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
