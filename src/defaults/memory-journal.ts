import { LoopError } from '../contract/errors.js';
import type { Cursor, Journal, StoredRecord } from '../contract/journal.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { StoreProblem } from '../contract/store.js';
import { showValue } from '../lib/text.js';

/** Keeps the newest records in memory. */
export class MemoryJournal implements Journal {
  readonly writer: string = 'memory';
  readonly queued: number = 0;
  readonly #maxRecords: number;
  readonly #report: (problem: StoreProblem) => void;
  /** Ring buffer once full: the record at position p is at `p % maxRecords`. Holes are erased records. */
  readonly #records: (JournalRecord | undefined)[] = [];
  #written = 0;
  #closed = false;

  constructor(maxRecords: number, report: (problem: StoreProblem) => void) {
    if (!Number.isInteger(maxRecords) || maxRecords < 1) {
      throw new LoopError('invalid-input', `maxRecords is ${showValue(maxRecords)}: give a whole number of at least 1`);
    }
    this.#maxRecords = maxRecords;
    this.#report = report;
  }

  append(records: readonly JournalRecord[]): void {
    if (this.#closed) {
      const message = `${records.length} records came after close()`;
      this.#report({ kind: 'dropped', message, count: records.length });
      return;
    }
    for (const record of records) {
      this.#records[this.#written % this.#maxRecords] = record;
      this.#written++;
    }
  }

  read(after: Cursor = {}, upTo?: Cursor): AsyncIterableIterator<StoredRecord> {
    const end = upTo === undefined ? Number.POSITIVE_INFINITY : (upTo[this.writer] ?? 0);
    const records = this.#from(after[this.writer] ?? 0, end);
    // An async generator would allocate several times a record's size.
    return {
      next: () => Promise.resolve(records.next()),
      return: () => Promise.resolve(records.return(undefined)),
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  *#from(from: number, upTo: number): Generator<StoredRecord> {
    const end = Math.min(upTo, this.#written);
    for (let position = from; position < end; position++) {
      // Checked at each step, because new records may have overwritten old ones while the reader was busy.
      position = Math.max(position, this.#written - this.#maxRecords);
      if (position >= end) return;
      const record = this.#records[position % this.#maxRecords];
      if (record !== undefined) yield { writer: this.writer, position, record };
    }
  }

  async flush(): Promise<void> {}

  /** Returns the records that are left, in no particular order. */
  all(): readonly JournalRecord[] {
    return this.#records.filter((record) => record !== undefined);
  }

  /** Removes the records that match. Others keep their positions. */
  remove(matches: (record: JournalRecord) => boolean): void {
    for (const [index, record] of this.#records.entries()) {
      if (record !== undefined && matches(record)) this.#records[index] = undefined;
    }
  }

  /** Drops and reports all later records. */
  close(): void {
    this.#closed = true;
  }
}
