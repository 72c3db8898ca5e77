import { asBuffer, OpenPiece, type Piece } from './open-piece.js';

const NEWLINE = 10;
const RETURN = 13;
const NOTHING = Buffer.alloc(0);

/**
 * Splits bytes into lines: LF and CRLF, without the byte-order mark, including a last line without a line break. Holds
 * one line at a time, at most `maxLineBytes`. Lines stay bytes, because most importers drop lines by their bytes.
 */
export class LineSplitter {
  readonly #open: OpenPiece;
  #number = 0;

  constructor(maxLineBytes?: number) {
    this.#open = new OpenPiece(maxLineBytes);
  }

  /** Length of the unfinished line so far. */
  get openBytes(): number {
    return this.#open.length;
  }

  /** Returns the lines that end in this chunk. */
  push(chunk: Uint8Array): Piece[] {
    const buffer = asBuffer(chunk);
    const lines: Piece[] = [];
    let start = 0;
    for (let end = buffer.indexOf(NEWLINE); end >= 0; end = buffer.indexOf(NEWLINE, start)) {
      lines.push(this.#close(buffer.subarray(start, end)));
      start = end + 1;
    }
    this.#open.keep(buffer.subarray(start));
    return lines;
  }

  /** Returns the last line, if the stream does not end with a line break. */
  end(): Piece[] {
    return this.#open.length > 0 ? [this.#close(NOTHING)] : [];
  }

  #close(last: Buffer): Piece {
    const piece = this.#open.close(++this.#number, last);
    const { bytes, number } = piece;
    const isMarked = number === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    const isReturned = bytes[bytes.length - 1] === RETURN;
    if (!isMarked && !isReturned) return piece;
    return { ...piece, bytes: bytes.subarray(isMarked ? 3 : 0, isReturned ? -1 : undefined) };
  }
}

export type ParsedLine =
  | { readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'blank' }
  | { readonly kind: 'bad'; readonly reason: string };

/** Reads a line as one JSON object, or returns the reason why it is not one. */
export function parseLine({ bytes, cutFrom }: Piece, parse: (text: string) => unknown = JSON.parse): ParsedLine {
  if (cutFrom !== undefined) return { kind: 'bad', reason: `the line has ${cutFrom} bytes, more than can be read` };
  const text = bytes.toString('utf8');
  if (text.trim() === '') return { kind: 'blank' };
  try {
    const value = parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { kind: 'object', value: value as Record<string, unknown> }; // just checked
    }
    return { kind: 'bad', reason: `the line holds ${describe(value)}, not an object` };
  } catch {
    const torn = /^\s*\{/.test(text) && !/\}\s*$/.test(text);
    return { kind: 'bad', reason: torn ? 'the line is cut off: its JSON has no end' : 'the line is not JSON' };
  }
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return `a ${typeof value}`;
}
