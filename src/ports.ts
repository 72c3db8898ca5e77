import type { Decision, Fix, JournalRecord, Json, LedgerEntry } from './records.js';

/** Time, for the loop and everything in it. Tests and simulations bring a manual one. */
export interface Clock {
  /** Epoch milliseconds; may jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds that never go back; for durations. */
  monotonic(): number;
  /** Calls `run` once after `delayMs` and gives the function that cancels it. `background` timers never keep the process alive. */
  after(delayMs: number, run: () => void, options?: { readonly background?: boolean }): () => void;
}

/** The two logs: `journal` (starts and outcomes, high volume, with retention) and `ledger` (decisions, kept for ever). */
export type Logs = { readonly journal: JournalRecord; readonly ledger: LedgerEntry };
export type LogName = keyof Logs;

/** How many records of each writer have been read. Records of one writer are numbered from 0 without gaps. */
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
}

export type AppendResult =
  | { readonly kind: 'ok'; readonly head: LedgerHead }
  /** Somebody else appended first: read up to `head`, decide again, append again. */
  | { readonly kind: 'conflict'; readonly head: LedgerHead };

/** Where records live. Every implementation passes the contract suite of `rsi-loop/testing`. */
export interface Store {
  /** The name this process writes the journal under; unique among living processes. */
  readonly writer: string;
  /**
   * Takes records in memory at once and writes them soon; `flush` tells when they are safe. Never throws, never waits:
   * what cannot be kept is reported through `onProblem`.
   */
  write(records: readonly JournalRecord[]): void;
  /** Reads what was written after `cursor`, oldest first per writer; everything without one. */
  read<Name extends LogName>(log: Name, after?: Cursor): AsyncIterable<Stored<Logs[Name]>>;
  /** Where the ledger ends now. Its records are read with the cursor `{ ledger: n }`. */
  head(): Promise<LedgerHead>;
  /** Appends decisions if the ledger still ends at `after`; on disk when it resolves. */
  decide(entries: readonly LedgerEntry[], after: LedgerHead): Promise<AppendResult>;
  /** Resolves when everything written so far is as safe as this store can make it. */
  flush(): Promise<void>;
  /** Flushes and frees every handle, timer and lock. Calling it again does nothing. */
  close(): Promise<void>;
}

/** Who decides on a fix that may not be applied without a person. */
export interface Gate {
  /** Called once per cycle for each fix still waiting; `waiting` asks again in a later cycle. */
  decide(fix: Fix, options: { readonly signal: AbortSignal }): Promise<Decision>;
}

/** A value that can be kept as JSON, for snapshots of a room's state. */
export type Snapshot = Json;
