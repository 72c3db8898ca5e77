import { type LifeEnd, liveOf } from './life.js';
import { NAIVE } from './naive.js';
import { type Band, gainOf, type Pair, pairsOf } from './pairs.js';
import type { Pool } from './pools.js';

/** Counts of one band of a pool. Shares are 0 to 1. */
export interface Row {
  readonly band: Band;
  readonly lives: number;
  readonly pairs: number;
  readonly confirmed: number;
  /** Median tasks of all lives; those that are never confirmed count as infinite. */
  readonly medianOfAll: number;
  /** Median tasks of the confirmed ones. */
  readonly median: number;
  readonly noEffect: number;
  /** Median tasks until a life ended without a confirmation. */
  readonly ended: number;
  /** Share of the intervals at the end that hold the true ratio. */
  readonly holds: number;
  /** Mean of the estimated gain over the true one, among the confirmed. */
  readonly inflation: number;
  readonly naive: Readonly<Record<string, number>>;
}

export interface RowOptions {
  readonly lives: number;
  /** Tasks after which a life is over. */
  readonly longest: number;
  readonly seed?: number;
  readonly isOneStream?: boolean;
}

export function rowOf(pool: Pool, band: Band, { lives, longest, seed = 1, isOneStream }: RowOptions): Row | undefined {
  const pairs = pairsOf(pool, band);
  if (pairs.length === 0) return undefined;
  const drawn = Array.from({ length: lives }, (_, life) => {
    // Pairs take turns in a fixed, mixed order.
    const pair = pairs[(life * 7_919) % pairs.length] as Pair; // the index is in range
    return { pair, seed: seed * 100_000 + life };
  });
  const ends = drawn.map(({ pair, seed: own }) => ({ pair, ...liveOf(pair, own, longest, isOneStream) }));
  const confirmed = ends.filter(({ decision }) => decision === 'confirmed');
  const share = (part: number) => part / lives;
  return {
    band,
    lives,
    pairs: pairs.length,
    confirmed: share(confirmed.length),
    medianOfAll: medianOf(
      ends.map(({ decision, tasks }) => (decision === 'confirmed' ? tasks : Number.POSITIVE_INFINITY)),
    ),
    median: medianOf(confirmed.map(({ tasks }) => tasks)),
    noEffect: share(ends.filter(({ decision }) => decision === 'no-effect').length),
    ended: medianOf(ends.flatMap(({ decision, tasks }) => (decision === 'confirmed' ? [] : [tasks]))),
    holds: share(ends.filter(holdsTruth).length),
    inflation: inflationOf(confirmed),
    naive: Object.fromEntries(
      NAIVE.map(([name, keeps]) => [name, share(drawn.filter((one) => keeps(one.pair, one.seed, longest)).length)]),
    ),
  };
}

type JudgedLife = LifeEnd & { readonly pair: Pair };

function holdsTruth({ pair: { rates }, effect }: JudgedLife): boolean {
  const truth = rates.fix / rates.control;
  return effect.low <= truth && truth <= Math.max(effect.high, effect.high === 10 ? Number.POSITIVE_INFINITY : 0);
}

/** Mean estimate of the failures prevented over the mean true one. */
function inflationOf(confirmed: readonly JudgedLife[]): number {
  let [told, truth] = [0, 0];
  for (const { pair, effect } of confirmed) {
    told += 1 - effect.value;
    truth += gainOf(pair) / 100 / pair.rates.control;
  }
  return told / truth;
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
