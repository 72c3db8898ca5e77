import { OpenPiece, type PieceBytes } from './open-piece.js';
import { MAX_LINE_BYTES } from './read-lines.js';

/** JSON value of a document, as its bytes. */
export interface RawValue extends PieceBytes {
  /** Line it begins in, counted from 1. */
  readonly number: number;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN: ReadonlySet<number> = new Set([0x5b, 0x7b]); // [ {
const CLOSE: ReadonlySet<number> = new Set([0x5d, 0x7d]); // ] }
const LIST = 0x5b;
const BREAK = 10;

/**
 * Splits a JSON document into values without holding the whole document. A list yields its entries; otherwise it yields
 * consecutive values, pretty-printed or not. Reads only strings and brackets; `JSON.parse` decides whether a piece is
 * valid.
 */
export class ValueSplitter {
  private readonly open: OpenPiece;
  private depth = 0;
  /** Depth at which values begin: 1 inside a list. */
  private base = 0;
  private started = false;
  private inString = false;
  private escaped = false;
  private line = 1;
  private startLine = 1;

  constructor(maxValueBytes = MAX_LINE_BYTES) {
    this.open = new OpenPiece(maxValueBytes);
  }

  push(chunk: Uint8Array): RawValue[] {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const values: RawValue[] = [];
    let start = this.depth > this.base ? 0 : -1;
    for (let index = 0; index < buffer.length; index++) {
      const byte = buffer[index] ?? 0;
      if (byte === BREAK) this.line++;
      if (this.inString) {
        if (this.escaped) this.escaped = false;
        else if (byte === BACKSLASH) this.escaped = true;
        else if (byte === QUOTE) this.inString = false;
      } else if (byte === QUOTE) this.inString = this.depth > this.base;
      else if (OPEN.has(byte)) {
        if (!this.started && byte === LIST) this.base = 1;
        else if (this.depth === this.base) {
          start = index;
          this.startLine = this.line;
        }
        this.started = true;
        this.depth++;
      } else if (CLOSE.has(byte) && this.depth > 0) {
        this.depth--;
        if (this.depth === this.base && start >= 0) {
          values.push(this.close(buffer.subarray(start, index + 1)));
          start = -1;
        } else if (this.depth < this.base) this.base = 0;
      }
    }
    if (start >= 0) this.open.keep(buffer.subarray(start));
    return values;
  }

  /** Returns a value that was cut off at the end. */
  end(): RawValue[] {
    return this.open.length > 0 ? [this.close(Buffer.alloc(0))] : [];
  }

  private close(last: Buffer): RawValue {
    return { number: this.startLine, ...this.open.close(last) };
  }
}
