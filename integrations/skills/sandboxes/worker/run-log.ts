const MAX_LINE = 2_000;
const MAX_LINES = 1_000;

/** Lines that a program logs, up to a number of bytes. */
export class RunLog {
  readonly lines: string[] = [];
  #left: number;
  #dropped = 0;

  constructor(maxBytes: number) {
    this.#left = maxBytes;
  }

  add(line: string): void {
    const kept = line.slice(0, MAX_LINE);
    this.#left -= Buffer.byteLength(kept);
    if (this.#left >= 0 && this.lines.length < MAX_LINES) this.lines.push(kept);
    else this.#dropped += 1;
  }

  /** Returns the lines, with a last one on those that were dropped. */
  end(): readonly string[] {
    return this.#dropped === 0 ? this.lines : [...this.lines, `(${this.#dropped} more lines were dropped)`];
  }
}
