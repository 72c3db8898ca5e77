import { isAscii, isUtf8 } from 'node:buffer';
import { Problem } from './problem.js';

/**
 * Callback for a line. `text` is absent for an unreadable line, which has a `reason`. `index` counts non-blank lines
 * from 0.
 */
export type OnLine = (index: number, text: string | undefined, reason: string) => void;

const NEWLINE = 10;
const BOM = '\ufeff';

/**
 * Splits a stream of bytes into lines with little garbage. All complete lines of a chunk are decoded as one text, and
 * each line is a slice of it. Holds at most one unfinished line.
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

  /**
   * Reads the lines that end in this chunk.
   * @throws Problem 413 if a line is too long.
   */
  push(chunk: Buffer): void {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end >= 0) {
      this.#take(this.#joined(chunk.subarray(0, end)));
      this.#keep(chunk.subarray(end + 1));
    } else this.#keep(chunk);
  }

  /** Reads the last line if it has no line break. */
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
    // Copied, not a view: the stream may reuse the memory, and a short end would keep a whole chunk alive.
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

  /** Reads lines one by one, because at least one of them is not UTF-8. */
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
    // Blank line, with or without a carriage return.
    if (line === '' || line === '\r' || line.trim() === '') return;
    this.#onLine(this.#index++, line, '');
  }

  #tooLong(): Problem {
    const detail = `line ${this.#index + 1} is longer than ${this.#maxLineBytes} bytes: send less per line`;
    return new Problem(413, detail, { field: '(line)' });
  }
}
