import { crc32 } from './crc32.js';
import { FRAME_BYTES, MARK, putChecksum } from './line.js';

/** Bytes that are written repeatedly, stored as words of four bytes so that they are copied four at a time. */
export interface Piece {
  readonly words: Int32Array;
  readonly byteLength: number;
}

const WORD = 4;
/** Initial size in bytes; grows for longer lines. */
const FIRST_BYTES = 16_384;
/** A buffer with at least this many bytes is returned as it is; a smaller one is copied. */
const HANDED_OVER = 65_536;
/** Maximum number of returned buffers kept for reuse. */
const MAX_SPARE = 8;
const ZERO = 48;
const QUOTE = 34;
const NEWLINE = 10;
/** Characters that JSON has to escape, or that are not a single byte in UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what JSON escapes
const SPECIAL = /["\\\u0000-\u001f\u007f-\uffff]/;
/** Numbers are split here, so that each half fits into 32 bits. */
const MILLION = 1_000_000;
const MAX_INTEGER = MILLION * 2 ** 31;

/**
 * Buffer of sealed lines on their way to a file. Repeated pieces are copied as bytes, numbers are formatted in place,
 * and the checksum is filled in at the end. Building each line as a string first takes twice the time, and leaves
 * garbage to collect while the host waits.
 */
export class LineBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(this.#bytes.buffer);
  #at = 0;
  #lineStart = 0;
  readonly #spare: Buffer[] = [];
  #count = 0;

  /** Number of whole lines. */
  get count(): number {
    return this.#count;
  }

  get byteLength(): number {
    return this.#at;
  }

  /** Begins a line with `frame`: room for the checksum, then the first key. */
  open(frame: Piece): void {
    this.#lineStart = this.#at;
    this.piece(frame);
  }

  seal(): void {
    const end = this.#at;
    this.#reserve(1);
    this.#bytes[this.#at++] = NEWLINE;
    putChecksum(this.#bytes, this.#lineStart + MARK.length, crc32(this.#view, this.#lineStart + FRAME_BYTES, end));
    this.#count++;
  }

  /** Drops the open line. */
  cancel(): void {
    this.#at = this.#lineStart;
  }

  piece({ words, byteLength }: Piece): void {
    this.#reserve(byteLength + WORD);
    const view = this.#view;
    let at = this.#at;
    this.#at = at + byteLength;
    // The last word may reach beyond the piece: the next write overwrites it.
    for (let index = 0; index < words.length; index++, at += WORD) view.setInt32(at, words[index] ?? 0, true);
  }

  /** Adds a string as JSON. */
  text(text: string): void {
    if (typeof text !== 'string' || SPECIAL.test(text)) {
      this.json(text);
      return;
    }
    this.#reserve(text.length + 2);
    this.#bytes[this.#at++] = QUOTE;
    this.#at += this.#bytes.write(text, this.#at, text.length, 'latin1');
    this.#bytes[this.#at++] = QUOTE;
  }

  /**
   * Adds any value as JSON.
   * @throws what `JSON.stringify` throws.
   */
  json(value: unknown): void {
    const text = JSON.stringify(value) ?? 'null';
    this.#reserve(3 * text.length);
    this.#at += this.#bytes.write(text, this.#at);
  }

  number(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value >= MAX_INTEGER) {
      this.json(value);
      return;
    }
    this.#reserve(20);
    const high = Math.floor(value / MILLION);
    const low = value - high * MILLION;
    if (high > 0) this.#digits(high, digitsOf(high));
    this.#digits(low, high > 0 ? 6 : digitsOf(low));
  }

  /** Returns the bytes added since a `byteLength`, to add them again later. */
  since(start: number): Piece {
    return pieceOf(this.#bytes.subarray(start, this.#at));
  }

  /** Removes and returns the lines. Callers may return the buffer with `reuse` when done. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#at);
    this.#at = 0;
    this.#count = 0;
    if (taken.length < HANDED_OVER) return Buffer.from(taken);
    this.#use(this.#spare.pop() ?? Buffer.allocUnsafeSlow(this.#bytes.length));
    return taken;
  }

  /**
   * Takes back a buffer that is no longer in use, to fill it again. At tens of thousands of lines a second, allocating
   * one per batch triggers garbage collection. That pauses the host for 10 to 30 ms.
   */
  reuse(taken: Buffer): void {
    if (taken.buffer.byteLength !== this.#bytes.length || this.#spare.length >= MAX_SPARE) return;
    this.#spare.push(Buffer.from(taken.buffer));
  }

  #digits(value: number, count: number): void {
    const bytes = this.#bytes;
    const first = this.#at;
    this.#at = first + count;
    let rest = value | 0;
    for (let at = first + count - 1; at >= first; at--) {
      const next = (rest / 10) | 0;
      bytes[at] = ZERO + rest - 10 * next;
      rest = next;
    }
  }

  #reserve(count: number): void {
    if (this.#at + count > this.#bytes.length) this.#grow(this.#at + count);
  }

  #grow(least: number): void {
    const filled = this.#bytes.subarray(0, this.#at);
    this.#use(Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * least)));
    this.#bytes.set(filled);
    this.#spare.length = 0;
  }

  /** Switches to `bytes`, which must have an `ArrayBuffer` of its own. */
  #use(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

export function pieceOf(text: string | Uint8Array): Piece {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const padded = new Uint8Array(WORD * Math.ceil(bytes.length / WORD));
  padded.set(bytes);
  const view = new DataView(padded.buffer);
  const words = new Int32Array(padded.length / WORD);
  for (let index = 0; index < words.length; index++) words[index] = view.getInt32(WORD * index, true);
  return { words, byteLength: bytes.length };
}

/** Returns the number of digits of a whole number below 2^31. */
function digitsOf(value: number): number {
  if (value < 1_000) return value < 10 ? 1 : value < 100 ? 2 : 3;
  if (value < MILLION) return value < 10_000 ? 4 : value < 100_000 ? 5 : 6;
  if (value < 100_000_000) return value < 10_000_000 ? 7 : 8;
  return value < 1_000_000_000 ? 9 : 10;
}
