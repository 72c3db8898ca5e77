import { Analyzer } from '../analyze/analyzer.js';
import { LoopError } from '../contract/errors.js';
import type { Outcome } from '../contract/outcome.js';
import { isWithin } from '../lib/must-be.js';
import { showValue } from '../lib/text.js';

export const DAY_MS = 86_400_000;
/** Number of outcomes sorted by time together. */
const BATCH = 20_000;

/** Checks a number of days. @throws LoopError `invalid-input` unless it is above 0 and at most 3650. */
export function checkDays(days: number): void {
  if (!isWithin(days, Number.MIN_VALUE, 3_650))
    throw new LoopError('invalid-input', `days is ${showValue(days)}: give more than 0, at most 3650`);
}

/** Returns a separate analyzer that has counted these outcomes, all from the last `days` days. */
export async function analyzeDays(outcomes: AsyncIterable<Outcome>, days: number): Promise<Analyzer> {
  const analyzer = new Analyzer({ windowMs: days * DAY_MS });
  await absorbSorted(outcomes, (batch) => analyzer.absorb(batch));
  return analyzer;
}

/** Passes outcomes on in batches sorted by time. Returns their number. */
export async function absorbSorted(
  outcomes: AsyncIterable<Outcome>,
  absorb: (batch: readonly Outcome[]) => void,
): Promise<number> {
  let batch: Outcome[] = [];
  let count = 0;
  const pass = () => {
    absorb(batch.sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1)));
    batch = [];
  };
  for await (const outcome of outcomes) {
    count++;
    if (batch.push(outcome) === BATCH) pass();
  }
  pass();
  return count;
}
