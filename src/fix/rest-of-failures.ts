import type { Fix } from '../contract/fix.js';
import type { Pattern } from '../contract/pattern.js';
import { wilsonRate } from '../lib/statistics.js';

/** Occurrences of a pattern since a moment, among the tasks that could have shown it. */
export interface Since {
  readonly count: number;
  readonly of: number;
}

/** Occurrences since the confirmation that make the rest of a pattern recurring. */
const MIN_REST = 3;
/** Smallest share with the fix, at which its holdout cannot explain many failures. */
const MOST = 0.8;
/** Multiple of what the holdout explains that the rate must exceed, and by how many standard deviations. */
const BEYOND = 2;
const DEVIATIONS = 3;

/**
 * Returns whether failures of a pattern go on under a confirmed fix. They do if they are more frequent, beyond chance,
 * than twice what its holdout explains. Even if the fix prevents all failures, the holdout runs without it and still fails.
 * An order of models behind a fallback prevents second calls, not the failures of the pattern: those always go on. The
 * catalog proposes another order only if the first model in force fails regularly.
 */
export function goesOnUnder(fix: Fix, pattern: Pattern, since: (fromMs: number) => Since): boolean {
  const { status, trial, verdict, changedMs } = fix;
  if (status !== 'confirmed' || pattern.lastSeenMs <= changedMs) return false;
  // Between the verdict and the holdout, the share with the fix still rises.
  if (trial && (trial.phase !== 'holdout' || trial.share < MOST)) return false;
  if (fix.atMost?.calls !== undefined) return true;
  const { count, of } = since(changedMs);
  if (count < MIN_REST) return false;
  const figures = verdict && 'figures' in verdict ? verdict.figures : undefined;
  const { failures, tasks } = figures?.inScope?.control ?? figures?.control ?? NO_CONTROL;
  const without = tasks > 0 ? failures / tasks : pattern.rate.value;
  // Every cycle looks, so a bound for a single look would be exceeded by chance sooner or later.
  return wilsonRate(count, of, DEVIATIONS).low > BEYOND * (1 - (trial?.share ?? 1)) * without;
}

const NO_CONTROL = { failures: 0, tasks: 0 };
