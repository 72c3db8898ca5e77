import type { Outcome } from '../contract/outcome.js';
import type { Store } from '../contract/store.js';

export interface ExportOptions {
  /** Excludes outcomes that ended before this time, in epoch milliseconds. */
  readonly sinceMs?: number;
}

/**
 * Yields every stored outcome of all processes, oldest first per process. Streams, so memory does not grow with the
 * store. May include outcomes recorded during the export.
 * @throws LoopError `store-failed` if the store cannot be read.
 */
export async function* exportOutcomes(
  loop: { readonly store: Pick<Store, 'read'> },
  { sinceMs = Number.NEGATIVE_INFINITY }: ExportOptions = {},
): AsyncGenerator<Outcome> {
  for await (const { record } of loop.store.read('journal')) {
    if (record.kind === 'outcome' && record.outcome.atMs >= sinceMs) yield record.outcome;
  }
}
