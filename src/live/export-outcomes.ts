import { LoopError } from '../contract/errors.js';
import type { Journal } from '../contract/journal.js';
import type { Outcome } from '../contract/outcome.js';
import { showValue } from '../lib/text.js';

export interface ExportOptions {
  /** Excludes outcomes that ended before this time, in epoch milliseconds. */
  readonly sinceMs?: number;
  /** Excludes outcomes that ended after this time, in epoch milliseconds. */
  readonly untilMs?: number;
}

/**
 * Yields every stored outcome of all processes, oldest first per process. Streams, so memory does not grow with the
 * store. May include outcomes recorded during the export.
 * @throws LoopError `store-failed` if the store cannot be read.
 */
export async function* exportOutcomes(
  loop: { readonly store: { readonly journal: Pick<Journal, 'read'> } },
  { sinceMs = Number.NEGATIVE_INFINITY, untilMs = Number.POSITIVE_INFINITY }: ExportOptions = {},
): AsyncGenerator<Outcome> {
  if (loop?.store?.journal === undefined)
    throw new LoopError('invalid-input', `loop is ${showValue(loop)}: give an RSILoop, or an object with its store`);
  for await (const { record } of loop.store.journal.read()) {
    if (record.kind !== 'outcome') continue;
    const { outcome } = record;
    if (outcome.atMs >= sinceMs && outcome.atMs <= untilMs) yield outcome;
  }
}
