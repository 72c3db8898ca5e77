import type { ReadStream, WriteStream } from 'node:tty';
import { EXIT, type ExitCode } from '../exit.js';
import { interruption } from '../terminal/interrupt.js';

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

export interface ScreenSize {
  readonly width: number;
  readonly height: number;
}

/** Full screen of a terminal. Its earlier content is restored when the process ends, also after an error. */
export class Screen {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #leave = () => this.close();
  #isOpen = false;

  constructor(input: ReadStream, output: WriteStream) {
    this.#input = input;
    this.#output = output;
  }

  get size(): ScreenSize {
    return { width: this.#output.columns || 80, height: this.#output.rows || 24 };
  }

  /** Takes the screen. `onResize` is called when the size of the terminal changes. Resolves when a person ends it. */
  open(onResize: () => void): Promise<ExitCode> {
    this.#isOpen = true;
    this.#output.write(ENTER);
    this.#output.on('resize', onResize);
    process.on('exit', this.#leave);
    const asked = interruption();
    // Ctrl-C is a key here: a terminal in raw mode sends no signal for it.
    this.#input.setRawMode(true);
    const typed = new Promise<ExitCode>((done) => {
      this.#input.on('data', (keys: Buffer) => {
        if (keys.includes(CTRL_C)) done(EXIT.interrupted);
        else if (/[qQ]/.test(keys.toString('latin1'))) done(EXIT.done);
      });
      // The terminal was closed.
      this.#input.on('end', () => done(EXIT.done));
    });
    return Promise.race([asked, typed]);
  }

  draw(lines: readonly string[]): void {
    if (!this.#isOpen) return;
    this.#output.write(HOME + lines.map((line) => line + CLEAR_LINE).join('\r\n') + CLEAR_BELOW);
  }

  /** Restores the earlier content, the cursor and the keyboard. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    process.off('exit', this.#leave);
    this.#output.removeAllListeners('resize');
    this.#input.setRawMode(false);
    this.#input.pause();
    this.#output.write(LEAVE);
  }
}

const CTRL_C = 3;
