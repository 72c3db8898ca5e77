import { createHash } from 'node:crypto';
import { parseExact } from './exact-json.js';
import type { Row } from './fields.js';
import { withForm } from './form.js';
import type { Batch, Input } from './importer.js';
import type { OutcomeCollector } from './outcome-collector.js';
import { LineSplitter, parseLine } from './read-lines.js';
import { type Member, MemberSplitter } from './read-members.js';

/** Where a piece of a document stands. */
export interface Place {
  /** 1-based. */
  readonly line: number;
  /** A short hash of what the piece says: an id for what has none, the same wherever and however it is written. */
  digest(): string;
}

/** Follows the documents of one input, piece by piece. */
export interface DocumentReader {
  /**
   * A member of the document, or an entry of the list that the member `key` is; a document that is a list has no keys. A
   * reader without it reads lines only.
   */
  member?(key: string | undefined, value: unknown, place: Place): void;
  /** A line that is a whole object; true when it was taken as a whole and its members are not wanted. */
  row?(row: Row, place: Place): boolean;
  /** The document has ended; another may follow. Also told at the end of an input of lines. */
  end(): void;
}

/**
 * Reads JSON documents of any size, one after the other or one per line, piece by piece: no more than one entry of a
 * list is in memory, at most 64 MB. What cannot be read is named and the rest is read.
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

/** Both give the number of lines or pieces they saw. */
interface Pieces {
  push(chunk: Uint8Array): number;
  end(): number;
}

/** Each line is a document: one that is torn costs no other. */
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

  #take(lines: ReturnType<LineSplitter['push']>): number {
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

/** What stands in a file may surprise a reader: it costs the piece, never the rest. */
function attempt(gathering: OutcomeCollector, line: number | undefined, read: () => void): void {
  try {
    read();
  } catch (error) {
    gathering.reject(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, line);
  }
}

class ByMember implements Pieces {
  readonly #splitter: MemberSplitter;
  #count = 0;

  constructor(gathering: OutcomeCollector, reader: DocumentReader) {
    this.#splitter = new MemberSplitter({
      member: (member) => {
        this.#count++;
        const value = parseMember(member, gathering);
        if (value !== undefined)
          attempt(gathering, member.number, () => reader.member?.(member.key, value, placeOf(member.number, value)));
      },
      end: (torn) => {
        if (torn) gathering.reject('the document is cut off: its JSON has no end');
        attempt(gathering, undefined, () => reader.end());
      },
    });
  }

  push(chunk: Uint8Array): number {
    this.#splitter.push(chunk);
    return this.#taken();
  }

  end(): number {
    this.#splitter.end();
    return this.#taken();
  }

  #taken(): number {
    const count = this.#count;
    this.#count = 0;
    return count;
  }
}

function parseMember({ bytes, cutFrom, number }: Member, gathering: OutcomeCollector): unknown {
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
