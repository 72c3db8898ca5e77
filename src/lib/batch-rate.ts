import type { Rate } from '../contract/rate.js';
import { wilsonRate } from './statistics.js';

const Z = 1.959964;
/** Minimum number of equal batches for a meaningful variance. */
const MIN_BATCHES = 3;

/** Sums over batches of a series, each with weight `w`: `hits` among `of` tasks. */
export interface BatchSums {
  /** Σ w · hits. */
  readonly hits: number;
  /** Σ w · of. */
  readonly of: number;
  /** Σ (w · hits)². */
  readonly hitsSquared: number;
  /** Σ w² · hits · of. */
  readonly hitsByOf: number;
  /** Σ (w · of)². */
  readonly ofSquared: number;
}

/**
 * Returns the rate of a series whose events may come in bursts. The interval reflects how much its batches vary.
 * The batch means give the variance of the ratio (Cochran 1977, 6.4). The variance gives an effective number of tasks,
 * never above `of`. The result is a Wilson interval at that number, with the quantile of Student's t for the number of
 * batches. The interval is 0 to 1 if there are too few batches.
 * `kept`: share of the evidence that remains after decay. Default 1.
 */
export function batchRate({ hits, of, hitsSquared, hitsByOf, ofSquared }: BatchSums, kept = 1): Rate {
  if (of <= 0) return wilsonRate(0, 0);
  const value = hits / of;
  const unknown = { value, low: 0, high: 1, of };
  // Batches of unequal size count as a smaller number of equal ones (Kish 1965).
  const batches = (of * of) / ofSquared;
  if (batches < MIN_BATCHES) return unknown;
  const squares = Math.max(0, hitsSquared - 2 * value * hitsByOf + value * value * ofSquared);
  const variance = ((squares / of / of) * batches) / (batches - 1);
  const binomial = value * (1 - value);
  // If all tasks failed, or none, there is no variance between batches to measure.
  const effective = kept * (binomial > 0 && variance > 0 ? Math.min(of, binomial / variance) : of);
  if (!(effective > 0)) return unknown;
  const { low, high } = wilsonRate(value * effective, effective, studentQuantile(batches - 1));
  return { value, low: Math.min(low, value), high: Math.max(high, value), of };
}

/**
 * Returns the 97.5 % quantile of Student's t, from 2 degrees of freedom on; within 3 % (Abramowitz and Stegun 26.7.5).
 */
function studentQuantile(freedom: number): number {
  const [z3, z5, z7] = [Z ** 3, Z ** 5, Z ** 7];
  return (
    Z +
    (z3 + Z) / (4 * freedom) +
    (5 * z5 + 16 * z3 + 3 * Z) / (96 * freedom ** 2) +
    (3 * z7 + 19 * z5 + 17 * z3 - 15 * Z) / (384 * freedom ** 3)
  );
}
