import type { Coordination } from './coordination.js';
import type { EraseFilter, EraseOptions, EraseReceipt } from './erasure.js';
import type { Journal } from './journal.js';
import type { LedgerLog } from './ledger-log.js';
import type { Snapshots } from './snapshots.js';

/** Problem of a store that its users have to know of. */
export interface StoreProblem {
  readonly kind: /** Records could not be stored and were lost. */
    | 'dropped'
    /** A stored record or file is unreadable and was set aside. */
    | 'damaged'
    /** A stored file was written by another version or program. The store leaves it unchanged. */
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

/**
 * Storage of a loop, in four independent parts. Each part has a contract suite of its own in `rsi-loop/testing`, and
 * parts of different stores can be combined. The optional members concern the store as a whole.
 */
export interface Store {
  readonly journal: Journal;
  readonly ledger: LedgerLog;
  readonly snapshots: Snapshots;
  readonly coordination: Coordination;
  /**
   * Erases matching records of all writers permanently, and deletes saved state, which may contain parts of them.
   * Decisions stay, but without words that only the erased records contained. A new ledger entry tells running loops to
   * forget the records too.
   */
  erase?(filter: EraseFilter, options?: EraseOptions): Promise<EraseReceipt>;
  /** Why the store does not answer at the moment; undefined if it does. Tasks that start meanwhile join no trial. */
  readonly away?: string | undefined;
  /** Registers a listener for everything that the store could not do as promised. */
  onProblem?(listener: (problem: StoreProblem) => void): void;
  /** Flushes and releases every handle, timer and lock. Further calls do nothing. */
  close?(): Promise<void>;
}
