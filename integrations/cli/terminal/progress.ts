import type { WriteStream } from 'node:tty';
import { cut } from './terminal-text.js';

/** Update interval: short enough to look alive, long enough to cost almost nothing. */
const EVERY_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

/** Progress line on a terminal; prints nothing if the stream is not a terminal. */
export class Progress {
  readonly #stream: WriteStream;
  #shownMs = Number.NEGATIVE_INFINITY;
  #visible = false;

  constructor(stream: WriteStream) {
    this.#stream = stream;
  }

  /** Shows the result of `line` if the update interval has passed. */
  show(line: () => string): void {
    if (!this.#stream.isTTY || performance.now() - this.#shownMs < EVERY_MS) return;
    this.#shownMs = performance.now();
    this.#visible = true;
    this.#stream.write(CLEAR_LINE + cut(line(), this.#stream.columns - 1));
  }

  /** Removes the line. Call it before anything else is printed. */
  clear(): void {
    if (this.#visible) this.#stream.write(CLEAR_LINE);
    this.#visible = false;
  }
}
