import type { Batch } from './importer.js';

/** Counts what one input gave, to say why it gave nothing. */
export class InputCount {
  readonly #title: string;
  #read = 0;
  #kept = 0;
  #skipped = 0;
  #repeated = 0;
  #leftOut = new Map<string, number>();

  /** `title`: what the importer reads. */
  constructor(title: string) {
    this.#title = title;
  }

  /** `read`: a batch as the importer gave it; `kept`: without what is too old or was read before. */
  count(read: Batch, kept: Batch): void {
    this.#read += read.outcomes.length;
    this.#kept += kept.outcomes.length;
    this.#skipped += read.skipped.length;
    for (const [reason, times] of Object.entries(read.leftOut)) {
      this.#leftOut.set(reason, (this.#leftOut.get(reason) ?? 0) + times);
    }
    this.#repeated += kept.leftOut[READ_BEFORE] ?? 0;
  }

  /** Undefined where there is an outcome, or where each line that could not be read was reported. */
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

/** Name under which outcomes of an id that was read before are left out. */
export const READ_BEFORE = 'read before';
