/** Maximum number of distinct messages that are counted. */
const MAX_MESSAGES = 256;

/** Reports a message at powers of ten: the same mistake made a million times is reported seven times. */
export class TenfoldReports {
  readonly #report: (message: string) => void;
  readonly #counts = new Map<string, number>();

  constructor(report: (message: string) => void) {
    this.#report = report;
  }

  report(message: string): void {
    const count = (this.#counts.get(message) ?? 0) + 1;
    if (this.#counts.size >= MAX_MESSAGES && count === 1) this.#counts.clear();
    this.#counts.set(message, count);
    if (Number.isInteger(Math.log10(count))) this.#report(count === 1 ? message : `${message} (${count} times)`);
  }
}
