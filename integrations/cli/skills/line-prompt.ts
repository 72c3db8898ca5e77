import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/**
 * Asks a person for one line after the other on a terminal. While work runs, Ctrl-C stops the work; while a line is
 * awaited, it ends the prompt, as Ctrl-D does. Tab completes the first word.
 */
export class LinePrompt {
  readonly #terminal: Interface;
  readonly #output: Writable;
  /** Lines that were typed before they were asked for. */
  readonly #typed: string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;
  #work: AbortController | undefined;
  #isClosed = false;
  #isInterrupted = false;

  constructor(input: Readable, output: Writable, words: readonly string[]) {
    this.#output = output;
    this.#terminal = createInterface({
      input,
      output,
      terminal: true,
      completer: (line: string) => [words.filter((word) => word.startsWith(line)), line],
    });
    this.#terminal.on('line', (line) => this.#take(line));
    this.#terminal.on('SIGINT', () => this.#interrupt());
    this.#terminal.on('close', () => {
      this.#isClosed = true;
      this.#work?.abort();
      this.#waiting?.(undefined);
    });
  }

  /** True if Ctrl-C ended the prompt. */
  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /** Returns the next line; `undefined` once the person has ended the prompt. */
  async next(question: string): Promise<string | undefined> {
    const typed = this.#typed.shift();
    if (typed !== undefined || this.#isClosed) return typed;
    this.#terminal.setPrompt(question);
    this.#terminal.prompt();
    const line = await new Promise<string | undefined>((resolve) => {
      this.#waiting = resolve;
    });
    this.#waiting = undefined;
    return line;
  }

  /** Runs work that Ctrl-C stops. */
  async during<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    this.#work = new AbortController();
    try {
      return await work(this.#work.signal);
    } finally {
      this.#work = undefined;
    }
  }

  close(): void {
    this.#terminal.close();
  }

  #take(line: string): void {
    if (this.#waiting) this.#waiting(line);
    else this.#typed.push(line);
  }

  #interrupt(): void {
    this.#output.write('\n');
    // A question of the work is part of it.
    if (this.#work) {
      this.#work.abort();
      this.#waiting?.(undefined);
    } else {
      this.#isInterrupted = true;
      this.#terminal.close();
    }
  }
}
