/** Line of a stream. Decoding waits until the text is needed, because most importers drop lines by their bytes. */
export interface Line {
  /** Line number, counted from 1. */
  readonly number: number;
  readonly bytes: Buffer;
  /** Original length if it exceeded the cap; `bytes` then holds only the beginning. */
  readonly cutFrom?: number;
}

const NEWLINE = 10;
const RETURN = 13;
/** Maximum length of a line, longer than any record an agent writes. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** Number of bytes kept of a line beyond the cap. */
const KEPT_OF_CUT = 256;

/**
 * Splits bytes into lines: LF and CRLF, without the byte-order mark, including a last line without a line break. Holds
 * one line at a time, at most `maxLineBytes`; of a longer one only the beginning.
 */
export class LineSplitter {
  private readonly maxLineBytes: number;
  /** Pieces of the unfinished line. */
  private open: Buffer[] = [];
  private openBytes = 0;
  private number = 0;

  constructor(maxLineBytes = MAX_LINE_BYTES) {
    this.maxLineBytes = maxLineBytes;
  }

  /** Returns the lines that end in this chunk. They may share its memory: use them before the next chunk arrives. */
  push(chunk: Uint8Array): Line[] {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Line[] = [];
    let start = 0;
    for (let end = buffer.indexOf(NEWLINE); end >= 0; end = buffer.indexOf(NEWLINE, start)) {
      lines.push(this.close(buffer.subarray(start, end)));
      start = end + 1;
    }
    if (start < buffer.length) this.keep(buffer.subarray(start));
    return lines;
  }

  /** Returns the last line, if the stream does not end with a line break. */
  end(): Line[] {
    return this.openBytes > 0 ? [this.close(Buffer.alloc(0))] : [];
  }

  private keep(piece: Buffer): void {
    // Some streams reuse the chunk's memory for the next one, so the piece is copied.
    const room = this.openBytes > this.maxLineBytes ? 0 : piece.length;
    if (room > 0) this.open.push(Buffer.from(piece));
    this.openBytes += piece.length;
    if (this.openBytes > this.maxLineBytes && this.open.length > 0) {
      this.open = [Buffer.from(Buffer.concat(this.open).subarray(0, KEPT_OF_CUT))];
    }
  }

  private close(last: Buffer): Line {
    const total = this.openBytes + last.length;
    this.number++;
    const number = this.number;
    const head = this.open;
    this.open = [];
    this.openBytes = 0;
    if (total > this.maxLineBytes) {
      return { number, bytes: (head[0] ?? last).subarray(0, KEPT_OF_CUT), cutFrom: total };
    }
    const bytes = head.length === 0 ? last : Buffer.concat([...head, last]);
    return { number, bytes: trim(bytes, number === 1) };
  }
}

function trim(bytes: Buffer, isFirst: boolean): Buffer {
  const marked = isFirst && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const end = bytes[bytes.length - 1] === RETURN ? bytes.length - 1 : bytes.length;
  return marked || end < bytes.length ? bytes.subarray(marked ? 3 : 0, end) : bytes;
}

export type ParsedLine =
  | { readonly kind: 'object'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'blank' }
  | { readonly kind: 'bad'; readonly reason: string };

/** Reads a line as one JSON object, or returns the reason why it is not one. */
export function parseLine({ bytes, cutFrom }: Line, parse: (text: string) => unknown = JSON.parse): ParsedLine {
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
