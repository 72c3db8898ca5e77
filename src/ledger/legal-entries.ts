import { LoopError } from '../contract/errors.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import { type LedgerState, reduce } from './reduce.js';

/** An entry that is not legal in the state before it. */
export interface DroppedStep {
  readonly entry: LedgerEntry;
  readonly why: LoopError;
}

export interface LegalEntries {
  readonly entries: readonly LedgerEntry[];
  readonly dropped: readonly DroppedStep[];
}

/** Splits entries into those that are legal in sequence from `state` on, and the others. */
export function keepLegal(state: LedgerState, wanted: readonly LedgerEntry[]): LegalEntries {
  const entries: LedgerEntry[] = [];
  const dropped: DroppedStep[] = [];
  let now = state;
  for (const entry of wanted) {
    const [after, why] = next(now, entry);
    now = after;
    if (why) dropped.push({ entry, why });
    else entries.push(entry);
  }
  return { entries, dropped };
}

/** Returns the state after an entry. If the entry is not legal, returns the same state and the reason. */
export function next(state: LedgerState, entry: LedgerEntry): readonly [LedgerState, LoopError?] {
  try {
    return [reduce(state, entry)];
  } catch (error) {
    if (!LoopError.is(error)) throw error;
    return [state, error];
  }
}
