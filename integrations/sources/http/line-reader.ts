import { isUtf8 } from 'node:buffer';
import { Problem } from '../../http/http-problem.js';
import type { Piece } from '../import/open-piece.js';
import { LineSplitter } from '../import/split-lines.js';

/**
 * Callback for a line. `text` is absent for an unreadable line, which has a `reason`. `index` counts non-blank lines
 * from 0.
 */
export type OnLine = (index: number, text: string | undefined, reason: string) => void;

/** Reads the non-blank lines of a body while it arrives. Holds at most one unfinished line. */
export class LineReader {
  readonly #maxLineBytes: number;
  readonly #splitter: LineSplitter;
  readonly #onLine: OnLine;
  #index = 0;

  constructor(maxLineBytes: number, onLine: OnLine) {
    this.#maxLineBytes = maxLineBytes;
    this.#splitter = new LineSplitter(maxLineBytes);
    this.#onLine = onLine;
  }

  /**
   * Reads the lines that end in this chunk.
   * @throws Problem 413 if a line is too long.
   */
  push(chunk: Buffer): void {
    this.#take(this.#splitter.push(chunk));
    if (this.#splitter.openBytes > this.#maxLineBytes) throw this.#tooLong();
  }

  /** Reads the last line if it has no line break. */
  end(): void {
    this.#take(this.#splitter.end());
  }

  #take(lines: readonly Piece[]): void {
    for (const { bytes, cutFrom } of lines) {
      if (cutFrom !== undefined) throw this.#tooLong();
      const text = bytes.toString('utf8');
      // The decoder writes U+FFFD for what is not UTF-8; a line may also hold the character itself.
      if (text.includes('\ufffd') && !isUtf8(bytes)) this.#onLine(this.#index++, undefined, 'text in UTF-8');
      else if (text.trim() !== '') this.#onLine(this.#index++, text, '');
    }
  }

  #tooLong(): Problem {
    const detail = `line ${this.#index + 1} is longer than ${this.#maxLineBytes} bytes: send less per line`;
    return new Problem(413, detail, { field: '(line)' });
  }
}
