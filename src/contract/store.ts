import type { JournalRecord } from './journal-record.js';
import type { Json } from './json.js';
import type { LedgerEntry } from './ledger-entry.js';

/**
 * The two logs: `journal` (starts and outcomes, high volume, with retention) and `ledger` (decisions, never deleted).
 */
export type Logs = { readonly journal: JournalRecord; readonly ledger: LedgerEntry };

export type LogName = keyof Logs;

/**
 * Number of records read from each writer. Records of one writer are numbered from 0 in the order they were written.
 * Numbers of records lost to retention, erasure or damage are skipped and never reused. The ledger has one writer,
 * `ledger`.
 */
export type Cursor = Readonly<Record<string, number>>;

export interface Stored<Record> {
  readonly writer: string;
  /** Position of the record among all records of its writer. */
  readonly position: number;
  readonly record: Record;
}

/** End of the ledger: its number of entries and the hash of the last one (`''` if empty). */
export interface LedgerHead {
  readonly length: number;
  readonly hash: string;
  /**
   * Why the entries cannot be trusted: one was edited, removed or added outside of `decide`. The loop then runs no
   * trial and gives no advice. Only stores whose entries others can modify need to check this.
   */
  readonly broken?: string;
}

export type AppendResult =
  | { readonly kind: 'ok'; readonly head: LedgerHead }
  /** Another process appended first. Read up to `head`, decide again, append again. */
  | { readonly kind: 'conflict'; readonly head: LedgerHead };

/** Named state as last saved. `version` counts the saves from 1. */
export interface Saved {
  readonly version: number;
  readonly value: Snapshot;
}

/** Right to do work that only one process may do at a time. */
export interface Lease {
  /** Higher than that of every earlier holder. A process that sees a higher fence has lost the lease. */
  readonly fence: number;
  /** Returns false once another process holds the lease. Check before each non-idempotent step. */
  held(): Promise<boolean>;
  release(): Promise<void>;
}

/** State of one process that writes the journal. */
export interface WriterState {
  readonly writer: string;
  readonly alive: boolean;
  /** Epoch milliseconds by the writer's clock. Everything it wrote before this moment can be read now. */
  readonly watermarkMs: number;
}

/** Filter for journal records to erase: those that match every given field. */
export interface EraseFilter {
  readonly session?: string;
  readonly agent?: string;
  readonly source?: string;
  /** Text anywhere in the record, matched exactly. */
  readonly text?: string;
}

export interface EraseOptions {
  /** Person or program that asked; stored with the receipt in the ledger. Default `host`. */
  readonly by?: string;
  /** Counts what would be erased without changing anything. Default false. */
  readonly dryRun?: boolean;
}

/** Result of an erasure, or of its dry run. */
export interface EraseReceipt {
  /** Number of journal records erased. */
  readonly records: number;
  /** Number of decisions in which words of those records were replaced by `[erased]`. */
  readonly decisions: number;
  /** Number of other files removed: saved state, copies of damaged records, leftover hook files. */
  readonly files: number;
  /**
   * Processes that may still hold erased records in memory, because they are suspended or their disk hangs. Erase again
   * once they have resumed or ended. Absent if there are none.
   */
  readonly waiting?: readonly string[];
}

export interface StoreProblem {
  readonly kind: /** Records could not be stored and were lost. */
    | 'dropped'
    /** A stored record or file is unreadable and was set aside. */
    | 'damaged'
    /** A stored file was written by a newer version or by another program. The store leaves it unchanged. */
    | 'foreign'
    /** The environment (disk, network) reports errors. The store keeps retrying. */
    | 'failing'
    /**
     * The storage location was deleted, moved or replaced while in use. The store continues with the current content.
     */
    | 'replaced';
  readonly message: string;
  /** Number of records affected, if known. */
  readonly count?: number;
}

/** Storage for records. Every implementation passes the contract suite of `rsi-loop/testing`. */
export interface Store {
  /** Name under which this process writes the journal; unique among living processes. */
  readonly writer: string;
  /**
   * Buffers records in memory immediately and writes them soon; `flush` resolves when they are safe.
   * Never throws and never blocks. Records that cannot be stored are reported through `onProblem`.
   */
  write(records: readonly JournalRecord[]): void;
  /** Number of buffered records not yet written. If it grows too large, the loop holds back and samples outcomes. */
  readonly queued: number;
  /**
   * Reads the records after `after`, oldest first per writer. Without `after`, reads everything.
   * With `upTo`, reads only records before it, and none of writers that it does not name.
   */
  read<Name extends LogName>(log: Name, after?: Cursor, upTo?: Cursor): AsyncIterable<Stored<Logs[Name]>>;
  /**
   * Returns the end of the ledger. Cheap enough to call every second. Read its entries with the cursor `{ ledger: n }`.
   */
  head(): Promise<LedgerHead>;
  /** Appends decisions if the ledger still ends at `after`. The entries are safe when the promise resolves. */
  decide(entries: readonly LedgerEntry[], after: LedgerHead): Promise<AppendResult>;
  /**
   * Loads named state, which saves replaying the logs at a start. Returns `undefined` if there is none, or none that
   * can be trusted.
   */
  load(name: string): Promise<Saved | undefined>;
  /**
   * Replaces named state if its version is still `after` (0: none yet). Returns false if another process saved first.
   * `value` may be large and may create parts lazily while they are read. It does not change until the promise settles.
   */
  save(name: string, value: Snapshot, after: number): Promise<boolean>;
  /**
   * Acquires the lease of that name, or returns `undefined` if a living process holds it. Renewed automatically until
   * released.
   */
  lease(name: string): Promise<Lease | undefined>;
  /**
   * Lists live writers, including this one. Call it before `read`: everything up to their watermarks is then visible.
   */
  writers(): Promise<readonly WriterState[]>;
  /**
   * Erases matching records of all writers permanently, and deletes saved state, which may contain parts of them.
   * Decisions stay, but without words that only the erased records contained. A new ledger entry tells running loops to
   * forget the records too.
   */
  erase(filter: EraseFilter, options?: EraseOptions): Promise<EraseReceipt>;
  /** Registers a listener for everything that the store could not do as promised. */
  onProblem(listener: (problem: StoreProblem) => void): void;
  /** Resolves when everything written so far is as durable as this store can make it. */
  flush(): Promise<void>;
  /** Flushes and releases every handle, timer and lock. Further calls do nothing. */
  close(): Promise<void>;
}

/** JSON value of a saved snapshot of a component's state. */
export type Snapshot = Json;
