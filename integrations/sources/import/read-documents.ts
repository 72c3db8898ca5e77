import { createHash } from 'node:crypto';
import type { ErrorRule } from 'rsi-loop';
import { parseExact } from './exact-json.js';
import { withForm } from './form.js';
import type { Row } from './import-fields.js';
import type { Batch, Importer, Input } from './importer.js';
import type { Piece } from './open-piece.js';
import { OutcomeCollector } from './outcome-collector.js';
import { type DocumentEnd, type JsonPiece, JsonSplitter } from './split-json.js';
import { LineSplitter, parseLine } from './split-lines.js';

/** Position of a piece in a document. */
export interface Place {
  /** Line number, counted from 1. */
  readonly line: number;
  /** Returns a short hash of the content: an id for a piece without one, independent of place and formatting. */
  digest(): string;
}

/** Reader of one document, or of all lines of an input. */
export interface DocumentReader {
  /**
   * Called per member of the document, or per entry of the list in member `key`. A document that is a list has no keys.
   * A reader without this method reads only lines.
   */
  member?(key: string | undefined, value: unknown, place: Place): void;
  /**
   * Called per line that is a whole object. Returns true if it was used as a whole. Another line is a document of its
   * own, with a reader of its own.
   */
  row?(row: Row, place: Place): boolean;
  /** Returns true for a line without outcomes, judged by its bytes, so that it is never decoded. */
  skips?(line: Piece): boolean;
  /** Called when the document, or the input of lines, has ended. */
  end?(): void;
}

type OpenReader = (found: OutcomeCollector) => DocumentReader;

/** Creates the importer of a format whose inputs are JSON documents or lines. `open` creates the reader of each. */
export function documentImporter({
  open,
  rules,
  ...about
}: Pick<Importer, 'name' | 'title' | 'detect'> & {
  readonly open: OpenReader;
  readonly rules?: readonly ErrorRule[];
}): Importer {
  return { ...about, read: (input) => readDocuments(input, new OutcomeCollector(input, about.name, rules), open) };
}

/**
 * Reads JSON documents of any size, consecutive or one per line, piece by piece. At most one list entry is in memory,
 * up to 64 MB. Unreadable pieces are reported, and the rest is read.
 */
export async function* readDocuments(
  { chunks }: Input,
  found: OutcomeCollector,
  open: OpenReader,
): AsyncGenerator<Batch> {
  const pieces = new PieceReader(found, open);
  let splitter: LineSplitter | JsonSplitter | undefined;
  for await (const { chunk, form } of withForm(chunks)) {
    splitter ??= form === 'lines' || pieces.areLines ? new LineSplitter() : new JsonSplitter();
    yield found.batch(pieces.take(splitter.push(chunk)), chunk.byteLength);
  }
  if (splitter === undefined) return;
  const count = pieces.take(splitter.end());
  if (splitter instanceof LineSplitter) pieces.end();
  yield found.batch(count, 0);
}

/** Passes pieces on to a reader: lines that are whole objects, or parts of larger documents. */
class PieceReader {
  #reader: DocumentReader;

  constructor(
    private readonly found: OutcomeCollector,
    private readonly open: OpenReader,
  ) {
    this.#reader = open(found);
  }

  /** True if the format has no documents larger than a line. */
  get areLines(): boolean {
    return this.#reader.member === undefined;
  }

  /** Returns the number of lines or parts among the pieces. */
  take(pieces: readonly (Piece | JsonPiece | DocumentEnd)[]): number {
    let count = 0;
    for (const piece of pieces) {
      if (!('kind' in piece)) this.#line(piece);
      else if (piece.kind === 'value') this.#part(piece);
      else {
        if (piece.torn) this.found.reject('the document is cut off: its JSON has no end');
        this.end();
        continue;
      }
      count++;
    }
    return count;
  }

  end(): void {
    this.#attempt(undefined, () => this.#reader.end?.());
    this.#reader = this.open(this.found);
  }

  #line(piece: Piece): void {
    if (this.#reader.skips?.(piece)) return;
    const parsed = parseLine(piece, parseExact);
    if (parsed.kind === 'object') this.#row(parsed.value, piece.number);
    else if (parsed.kind === 'bad') this.found.reject(parsed.reason, piece.number);
  }

  #part(piece: JsonPiece): void {
    const { key, number } = piece;
    const value = parseMember(piece, this.found);
    if (value !== undefined) this.#attempt(number, () => this.#reader.member?.(key, value, placeOf(number, value)));
  }

  #row(row: Row, line: number): void {
    const place = placeOf(line, row);
    if (this.#attempt(line, () => this.#reader.row?.(row, place))) return;
    const own = this.open(this.found);
    for (const [key, value] of Object.entries(row)) {
      const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
      for (const entry of entries) this.#attempt(line, () => own.member?.(key, entry, placeOf(line, entry)));
    }
    this.#attempt(line, () => own.end?.());
  }

  /** Runs a reader on one piece. An error caused by unexpected content affects only this piece. */
  #attempt<Result>(line: number | undefined, read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      this.found.reject(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, line);
      return undefined;
    }
  }
}

function parseMember({ bytes, cutFrom, number }: Piece, found: OutcomeCollector): unknown {
  if (cutFrom !== undefined) {
    found.reject(`a part of the document has ${cutFrom} bytes, more than can be read`, number);
    return undefined;
  }
  try {
    return parseExact(bytes.toString('utf8'));
  } catch {
    found.reject('a part of the document is not JSON', number);
    return undefined;
  }
}

function placeOf(line: number, value: unknown): Place {
  return { line, digest: () => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16) };
}
