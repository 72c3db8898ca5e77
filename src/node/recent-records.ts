import type { JournalRecord } from '../contract/journal-record.js';

/** More than are recorded between two turns that take them in; of a process that never reads, nothing is kept beyond. */
const MAX_KEPT = 32_768;

/**
 * What this process wrote last, by position, so that its own records need not be read back and parsed. Nothing is kept
 * before the first `want`: of many processes in a folder, one reads. Bounded: when nobody takes them, all are let go and the
 * files are read.
 */
export class RecentRecords {
  #isWanted = false;
  #records: JournalRecord[] = [];
  /** Position of the first one. */
  #first = Number.POSITIVE_INFINITY;

  /** Somebody reads: from now on what is written is kept for the next time. */
  want(): void {
    this.#isWanted = true;
  }

  add(position: number, record: JournalRecord): void {
    if (!this.#isWanted) return;
    if (this.#records.length >= MAX_KEPT || position !== this.#first + this.#records.length) this.#records = [];
    if (this.#records.length === 0) this.#first = position;
    this.#records.push(record);
  }

  /** Those from `from` to before `end`, if all of them are here; those before are let go: nobody reads twice. */
  take(from: number, end: number): readonly JournalRecord[] | undefined {
    if (from < this.#first || from > this.#first + this.#records.length) return undefined;
    const taken = this.#records.slice(from - this.#first, Math.max(0, end - this.#first));
    this.#records = this.#records.slice(from - this.#first);
    this.#first = from;
    return taken;
  }

  /** Something in the files is to be different from now on: only they are asked for what was written so far. */
  forget(): void {
    this.#records = [];
    this.#first = Number.POSITIVE_INFINITY;
  }
}
