import type { JournalRecord } from './journal-record.js';

/**
 * Number of records read from each writer. Records of one writer are numbered from 0 in the order they were written.
 * Numbers of records lost to retention, erasure or damage are skipped and never reused.
 */
export type Cursor = Readonly<Record<string, number>>;

/** Record of the journal with its place. */
export interface StoredRecord {
  readonly writer: string;
  /** Position of the record among all records of its writer. */
  readonly position: number;
  readonly record: JournalRecord;
}

/** Log of starts and outcomes: high volume, kept for a limited time. */
export interface Journal {
  /** Name under which this process writes; unique among living processes. */
  readonly writer: string;
  /**
   * Buffers records in memory immediately and writes them soon; `flush` resolves when they are safe.
   * Never throws and never blocks. A record that cannot be stored is reported as a problem of the store.
   */
  append(records: readonly JournalRecord[]): void;
  /** Number of buffered records not yet written. If it grows too large, the loop holds back and samples outcomes. */
  readonly queued: number;
  /**
   * Reads the records after `after`, oldest first per writer. Without `after`, reads everything.
   * With `upTo`, reads only records before it, and none of writers that it does not name.
   */
  read(after?: Cursor, upTo?: Cursor): AsyncIterable<StoredRecord>;
  /** Resolves when everything appended so far is as durable as this journal can make it. */
  flush(): Promise<void>;
}
