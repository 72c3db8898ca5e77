import type { LedgerEntry } from './ledger-entry.js';

/** End of the ledger: its number of entries and the hash of the last one (`''` if empty). */
export interface LedgerHead {
  readonly length: number;
  readonly hash: string;
  /**
   * Why the entries cannot be trusted: one was edited, removed or added outside of `append`. The loop then runs no
   * trial and gives no advice. Only logs whose entries others can modify need to check this.
   */
  readonly broken?: string;
}

/** Result of an attempt to append to the ledger. */
export type AppendResult =
  | { readonly kind: 'ok'; readonly head: LedgerHead }
  /** Another process appended first. Read up to `head`, decide again, append again. */
  | { readonly kind: 'conflict'; readonly head: LedgerHead };

/** Entry of the ledger with its place. */
export interface StoredEntry {
  /** Number of entries before this one. */
  readonly position: number;
  readonly entry: LedgerEntry;
}

/** Log of decisions: low volume, kept permanently, shared by all processes. */
export interface LedgerLog {
  /** Returns the end of the ledger. Cheap enough to call every second. */
  head(): Promise<LedgerHead>;
  /** Appends entries if the ledger still ends at `after`. They are safe when the promise resolves. */
  append(entries: readonly LedgerEntry[], after: LedgerHead): Promise<AppendResult>;
  /** Reads the entries from position `from` (default 0) to before `upTo` (default: the end). */
  read(from?: number, upTo?: number): AsyncIterable<StoredEntry>;
  /**
   * Registers a listener that is called soon after another process appended. Calls may be late, missing or too many:
   * `head` decides. Stores that cannot notify leave this out.
   */
  onAppended?(listener: () => void): void;
}
