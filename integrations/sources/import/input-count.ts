import type { Batch } from './importer.js';

/** Counts the results of one input, to explain why it has no outcomes. */
export class InputCount {
  readonly #title: string;
  #read = 0;
  #kept = 0;
  #skipped = 0;
  #repeated = 0;
  #leftOut = new Map<string, number>();

  /** Starts at zero; `title` names what the importer reads. */
  constructor(title: string) {
    this.#title = title;
  }

  /** Adds a batch. `read` is the importer's batch; `kept` is without outcomes that are too old or were read before. */
  count(read: Batch, kept: Batch): void {
    this.#read += read.outcomes.length;
    this.#kept += kept.outcomes.length;
    this.#skipped += read.skipped.length;
    for (const [reason, times] of Object.entries(read.leftOut)) {
      this.#leftOut.set(reason, (this.#leftOut.get(reason) ?? 0) + times);
    }
    this.#repeated += kept.leftOut[READ_BEFORE] ?? 0;
  }

  /** Returns the reason; undefined if there is an outcome, or if every unreadable line was reported. */
  whyNothing(): string | undefined {
    if (this.#kept > 0 || (this.#read === 0 && this.#skipped > 0)) return undefined;
    if (this.#read > 0) {
      return this.#repeated === this.#read
        ? 'gave nothing new: all its outcomes were read before'
        : 'gave nothing: all its outcomes are older than asked for or were read before';
    }
    const left = [...this.#leftOut.keys()];
    const only = left.length === 0 ? 'holds no task that ended' : `holds only what is left out: ${left.join(', ')}`;
    return `gave nothing: read as ${this.#title}, it ${only}`;
  }
}

/** Reason for leaving out outcomes whose id was read before. */
export const READ_BEFORE = 'read before';
