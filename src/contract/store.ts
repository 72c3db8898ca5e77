import type { JournalRecord } from './journal-record.js';
import type { Json } from './json.js';
import type { LedgerEntry } from './ledger-entry.js';

/** The two logs: `journal` (starts and outcomes, high volume, with retention) and `ledger` (decisions, kept for ever). */
export type Logs = { readonly journal: JournalRecord; readonly ledger: LedgerEntry };

export type LogName = keyof Logs;

/**
 * How many records of each writer have been read. Records of one writer are numbered from 0 in the order they were
 * written; those taken by retention, erasure or damage are skipped, never renumbered. The ledger has one writer, `ledger`.
 */
export type Cursor = Readonly<Record<string, number>>;

export interface Stored<Record> {
  readonly writer: string;
  /** Position of the record among those of its writer. */
  readonly position: number;
  readonly record: Record;
}

/** Where the ledger ends: the number of its entries and the hash of the last one (`''` when empty). */
export interface LedgerHead {
  readonly length: number;
  readonly hash: string;
  /**
   * Why the entries cannot be trusted: one of them was edited, removed or added outside of `decide`. The loop then runs no
   * trial and gives no advice. Only stores that keep entries where others can write need to check.
   */
  readonly broken?: string;
}

export type AppendResult =
  | { readonly kind: 'ok'; readonly head: LedgerHead }
  /** Somebody else appended first: read up to `head`, decide again, append again. */
  | { readonly kind: 'conflict'; readonly head: LedgerHead };

/** Named state as it was last saved. `version` counts the saves from 1. */
export interface Saved {
  readonly version: number;
  readonly value: Snapshot;
}

/** The right to do something that only one process may do at a time. */
export interface Lease {
  /** Higher than that of every earlier holder: whoever sees a higher one has been replaced. */
  readonly fence: number;
  /** False once another process took over; ask before every step that must not be done twice. */
  held(): Promise<boolean>;
  release(): Promise<void>;
}

/** What is known of a process that writes the journal. */
export interface WriterState {
  readonly writer: string;
  readonly alive: boolean;
  /** Epoch milliseconds by the writer's clock: what it wrote before this moment can be read now. */
  readonly watermarkMs: number;
}

/** Which records of the journal to erase: those that match every field given. */
export interface EraseFilter {
  readonly session?: string;
  readonly agent?: string;
  readonly source?: string;
  /** Somewhere in the record, exactly as written here. */
  readonly text?: string;
}

export interface EraseOptions {
  /** The person or program that asked; kept with the receipt in the ledger. Default `host`. */
  readonly by?: string;
  /** Counts what would be erased and changes nothing. Default false. */
  readonly dryRun?: boolean;
}

/** Result of an erasure, or of its dry run. */
export interface EraseReceipt {
  /** Records of the journal. */
  readonly records: number;
  /** Decisions in which words of those records were replaced by `[erased]`. */
  readonly decisions: number;
  /** Other files that were removed: saved state, copies of damaged records, what hooks left. */
  readonly files: number;
  /**
   * Processes that may hold records of before in memory, because they are stopped or their disk hangs. Erase again when
   * they have gone on or ended. Absent if there are none.
   */
  readonly waiting?: readonly string[];
}

export interface StoreProblem {
  readonly kind: /** Records that could not be kept. */
    | 'dropped'
    /** Something stored is unreadable and was set aside. */
    | 'damaged'
    /** Something stored was written by a newer version, or is not ours; left as it is. */
    | 'foreign'
    /** The outside (disk, network) refused; the store goes on trying. */
    | 'failing'
    /** The place where records live was deleted, moved or replaced while in use; the store continues with what is there now. */
    | 'replaced';
  readonly message: string;
  /** How many records it concerns; only where known. */
  readonly count?: number;
}

/** Where records live. Every implementation passes the contract suite of `rsi-loop/testing`. */
export interface Store {
  /** The name this process writes the journal under; unique among living processes. */
  readonly writer: string;
  /**
   * Takes records in memory at once and writes them soon; `flush` tells when they are safe. Never throws, never waits:
   * what cannot be kept is reported through `onProblem`.
   */
  write(records: readonly JournalRecord[]): void;
  /** Records taken and not yet handed on: what tells the loop to hold back. */
  readonly queued: number;
  /**
   * Reads what was written after `after`, oldest first per writer; everything without one. With `upTo` only what lies
   * before it, and nothing of writers it does not name.
   */
  read<Name extends LogName>(log: Name, after?: Cursor, upTo?: Cursor): AsyncIterable<Stored<Logs[Name]>>;
  /** Where the ledger ends now; cheap enough to ask every second. Its entries are read with the cursor `{ ledger: n }`. */
  head(): Promise<LedgerHead>;
  /** Appends decisions if the ledger still ends at `after`; safe when it resolves. */
  decide(entries: readonly LedgerEntry[], after: LedgerHead): Promise<AppendResult>;
  /** Named state, kept so that a start need not replay everything; `undefined` when there is none that can be trusted. */
  load(name: string): Promise<Saved | undefined>;
  /**
   * Replaces named state if its version is still `after` (0: none yet); false when another process saved first. `value` may
   * be large, and parts of it are made when they are read: it does not change before this settles.
   */
  save(name: string, value: Snapshot, after: number): Promise<boolean>;
  /** Takes the lease of that name, or `undefined` while a living process holds it. Renewed by itself until released. */
  lease(name: string): Promise<Lease | undefined>;
  /** Every process whose records may still be coming, this one included. Ask before reading: what they say is then readable. */
  writers(): Promise<readonly WriterState[]>;
  /**
   * Removes matching records for good, whoever wrote them, and forgets all saved state, which may hold parts of them.
   * Decisions stay, without words that only those records held, and one is added: it says that something was erased, so that
   * running loops forget it too.
   */
  erase(filter: EraseFilter, options?: EraseOptions): Promise<EraseReceipt>;
  /** Told of everything that could not be done as promised. */
  onProblem(listener: (problem: StoreProblem) => void): void;
  /** Resolves when everything written so far is as safe as this store can make it. */
  flush(): Promise<void>;
  /** Flushes and frees every handle, timer and lock. Calling it again does nothing. */
  close(): Promise<void>;
}

/** A value that can be kept as JSON, for snapshots of a room's state. */
export type Snapshot = Json;
