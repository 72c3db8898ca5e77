import { isAscii, isUtf8 } from 'node:buffer';
import { Problem } from './problem.js';

/** A line, or why it is none: its text is absent then. `index` counts lines that are not blank, from 0. */
export type OnLine = (index: number, text: string | undefined, reason: string) => void;

const NEWLINE = 10;
const BOM = '\ufeff';

/**
 * Splits a stream of bytes into lines with little garbage: all lines that end in a chunk become one text at once, and a
 * line is a slice of it. Holds at most one unfinished line.
 */
export class LineReader {
  readonly #maxLineBytes: number;
  readonly #onLine: OnLine;
  #open: Buffer[] = [];
  #openBytes = 0;
  #index = 0;

  constructor(maxLineBytes: number, onLine: OnLine) {
    this.#maxLineBytes = maxLineBytes;
    this.#onLine = onLine;
  }

  /** @throws Problem 413 when a line is longer than may be. */
  push(chunk: Buffer): void {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end >= 0) {
      this.#take(this.#joined(chunk.subarray(0, end)));
      this.#keep(chunk.subarray(end + 1));
    } else this.#keep(chunk);
  }

  /** The last line, if it has no end. */
  end(): void {
    if (this.#openBytes > 0) this.#take(this.#joined(Buffer.alloc(0)));
  }

  #joined(last: Buffer): Buffer {
    const bytes = this.#open.length === 0 ? last : Buffer.concat([...this.#open, last]);
    this.#open = [];
    this.#openBytes = 0;
    return bytes;
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#openBytes += piece.length;
    if (this.#openBytes > this.#maxLineBytes) throw this.#tooLong();
    // Not a view: the stream may use the memory again, and a short end would keep a whole chunk alive.
    this.#open.push(Buffer.from(piece));
  }

  #take(bytes: Buffer): void {
    if (isAscii(bytes)) this.#split(bytes.toString('latin1'));
    else if (isUtf8(bytes)) this.#split(bytes.toString('utf8'));
    else this.#splitBroken(bytes);
  }

  #split(text: string): void {
    for (let start = 0; start <= text.length; ) {
      const next = text.indexOf('\n', start);
      const end = next < 0 ? text.length : next;
      this.#line(text.slice(start, end));
      start = end + 1;
    }
  }

  /** Some line in it is no UTF-8; the others are well. */
  #splitBroken(bytes: Buffer): void {
    for (let start = 0; start <= bytes.length; ) {
      const next = bytes.indexOf(NEWLINE, start);
      const end = next < 0 ? bytes.length : next;
      const line = bytes.subarray(start, end);
      if (isUtf8(line)) this.#line(line.toString('utf8'));
      else this.#onLine(this.#index++, undefined, 'text in UTF-8');
      start = end + 1;
    }
  }

  #line(text: string): void {
    if (text.length > this.#maxLineBytes) throw this.#tooLong();
    const line = this.#index === 0 && text.startsWith(BOM) ? text.slice(1) : text;
    // Blank, with the carriage return of other systems or without.
    if (line === '' || line === '\r' || line.trim() === '') return;
    this.#onLine(this.#index++, line, '');
  }

  #tooLong(): Problem {
    const detail = `line ${this.#index + 1} is longer than ${this.#maxLineBytes} bytes: send less per line`;
    return new Problem(413, detail, { field: '(line)' });
  }
}
