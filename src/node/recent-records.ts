import type { JournalRecord } from '../contract/journal-record.js';

/** More than a process records between two cycles. Bounds memory in a process that never reads. */
const MAX_KEPT = 32_768;

/**
 * Cache of the last records this process wrote, by position, so that it need not read and parse them again. Caches
 * nothing before the first `want`, because only one of many processes in a folder reads. If nothing takes the records,
 * all are dropped and the files are read instead.
 */
export class RecentRecords {
  #isWanted = false;
  #records: JournalRecord[] = [];
  /** Position of the first one. */
  #first = Number.POSITIVE_INFINITY;

  /** Starts caching written records for the next read. */
  want(): void {
    this.#isWanted = true;
  }

  add(position: number, record: JournalRecord): void {
    if (!this.#isWanted) return;
    if (this.#records.length >= MAX_KEPT || position !== this.#first + this.#records.length) this.#records = [];
    if (this.#records.length === 0) this.#first = position;
    this.#records.push(record);
  }

  /**
   * Returns the records from `from` to before `end`, or `undefined` if any is missing. Drops those before `from`: no
   * record is read twice.
   */
  take(from: number, end: number): readonly JournalRecord[] | undefined {
    if (from < this.#first || from > this.#first + this.#records.length) return undefined;
    const taken = this.#records.slice(from - this.#first, Math.max(0, end - this.#first));
    this.#records = this.#records.slice(from - this.#first);
    this.#first = from;
    return taken;
  }

  /** Drops everything, because the files changed. Earlier records are then read from the files. */
  forget(): void {
    this.#records = [];
    this.#first = Number.POSITIVE_INFINITY;
  }
}
