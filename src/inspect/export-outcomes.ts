import type { Outcome } from '../contract/outcome.js';
import type { Store } from '../contract/store.js';

export interface ExportOptions {
  /** Leaves out what ended before, epoch milliseconds. */
  readonly sinceMs?: number;
}

/**
 * Every outcome the store of a loop still holds, recorded here or by another process: the oldest first of each process
 * that wrote them. Reads as it goes, so memory does not grow with the store; what is recorded meanwhile may come too.
 * @throws LoopError `store-failed` when the store cannot be read.
 */
export async function* exportOutcomes(
  loop: { readonly store: Pick<Store, 'read'> },
  { sinceMs = Number.NEGATIVE_INFINITY }: ExportOptions = {},
): AsyncGenerator<Outcome> {
  for await (const { record } of loop.store.read('journal')) {
    if (record.kind === 'outcome' && record.outcome.atMs >= sinceMs) yield record.outcome;
  }
}
