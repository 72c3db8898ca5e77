import type { Outcome } from '../contract/outcome.js';
import type { Random } from './random.js';

/**
 * Returns the outcome to keep if only this share of successes is recorded, or undefined for one to leave out. Failures
 * are always kept. The weight of a kept success is one over the share, so weighted counts and rates are unbiased.
 */
export function sampled(outcome: Outcome, share: number, random: Random): Outcome | undefined {
  if (share === 1 || !outcome.success || outcome.weight !== undefined) return outcome;
  return random() < share ? { ...outcome, weight: 1 / share } : undefined;
}
