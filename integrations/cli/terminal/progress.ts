import type { WriteStream } from 'node:tty';
import { cut } from './text.js';

/** Often enough to look alive, rarely enough to cost nothing. */
const EVERY_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

/** One line on a terminal that says how far the work is; nothing at all where the stream is not a terminal. */
export class Progress {
  readonly #stream: WriteStream;
  #shownMs = Number.NEGATIVE_INFINITY;
  #visible = false;

  constructor(stream: WriteStream) {
    this.#stream = stream;
  }

  /** Shows what `line` gives, if it is time again. */
  show(line: () => string): void {
    if (!this.#stream.isTTY || performance.now() - this.#shownMs < EVERY_MS) return;
    this.#shownMs = performance.now();
    this.#visible = true;
    this.#stream.write(CLEAR_LINE + cut(line(), this.#stream.columns - 1));
  }

  /** Takes the line away; to be called before anything else is printed. */
  clear(): void {
    if (this.#visible) this.#stream.write(CLEAR_LINE);
    this.#visible = false;
  }
}
