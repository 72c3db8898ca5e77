import { DEPLOYMENT_KEYS } from '../contract/deployment.js';
import type { Where } from '../contract/pattern.js';
import { lastingOf } from './cause-search.js';
import { type Combinations, combine } from './combinations.js';
import { type Dimension, whereOf } from './localize.js';
import { BUCKETS_PER_GENERATION, type Row } from './profile-row.js';
import type { RowCounts } from './row-counts.js';
import type { Series } from './series.js';
import { type Strata, searchWithinTime } from './within-time.js';

/** Dimensions along which the outcomes of one task can differ. */
export const PLACE_DIMENSIONS = [
  'model',
  'tool',
  'source',
  'agent',
  'tag',
  ...DEPLOYMENT_KEYS,
] as const satisfies readonly Dimension[];

/** Above this many rows, fewer values of each are considered to keep readings fast. */
const MANY_ROWS = 256;
const ITEMS_OF_MANY = 8;

/** Failures of one kind: counts per row, and per time bucket in the first column. */
export interface Occurrences {
  readonly rows: RowCounts;
  readonly series: Series;
}

export interface Generations {
  readonly first: number;
  readonly last: number;
}

/** Snapshot of a profile table, able to localise any number of patterns. */
export class ProfileView {
  readonly #rows: readonly Row[];
  readonly #totals: Float64Array;
  readonly #generations: Generations;
  readonly #stretchOf: (bucket: number) => number;
  readonly #strata: Strata;
  /** Number of each stretch of time, keyed by its first bucket. */
  readonly #stretches: ReadonlyMap<number, number>;
  /** Candidate causes of failures, shared by all patterns of the task. */
  readonly #combinations: Combinations;

  constructor(rows: readonly Row[], generations: Generations, stretchOf: (bucket: number) => number) {
    const [from, to] = bucketsOf(generations);
    this.#rows = rows;
    this.#generations = generations;
    this.#stretchOf = stretchOf;
    const profiles: number[] = [];
    const starts: number[] = [];
    const totals: number[] = [];
    rows.forEach(({ series }, profile) => {
      series.buckets.forEach((bucket, at) => {
        if (bucket < from || bucket > to) return;
        profiles.push(profile);
        starts.push(bucket);
        totals.push(series.at(at, 0));
      });
    });
    const inOrder = [...new Set(starts)].sort((a, b) => a - b);
    this.#stretches = new Map(inOrder.map((start, number) => [start, number]));
    this.#strata = {
      profiles: Int32Array.from(profiles),
      stretches: Int32Array.from(starts, (start) => this.#stretches.get(start) ?? 0),
      totals: Float64Array.from(totals),
      count: inOrder.length,
    };
    // The aggregated row may come from any place, so it is excluded.
    this.#totals = Float64Array.from(rows, (row) => (hasPlace(row) ? row.series.sum(0, from, to) : 0));
    const profilesToCombine = rows.map(({ values }, at) => ({ values, total: this.#totals[at] ?? 0 }));
    this.#combinations = combine(profilesToCombine, rows.length > MANY_ROWS ? ITEMS_OF_MANY : undefined);
  }

  /** Returns the places that explain these failures, most failures first; `'global'` if none does. */
  locate(occurrences: readonly Occurrences[]): Where {
    if (this.#combinations.all.length === 0) return 'global';
    const { first, last } = this.#generations;
    const sums = occurrences.map(({ rows }) => rows.sums(first, last));
    const failures = Float64Array.from(this.#rows, (row, at) => {
      const failed = sums.reduce((sum, each) => sum + (each.get(row) ?? 0), 0);
      return Math.min(this.#totals[at] ?? 0, failed);
    });
    const counts = { failures, totals: this.#totals };
    const found = searchWithinTime(this.#combinations, counts, this.#strata, this.#perStretch(occurrences));
    const causes = lastingOf(this.#combinations, found.compared, found.causes);
    if (causes.length === 0) return 'global';
    return [...causes]
      .sort((a, b) => b.failures - a.failures)
      .map(({ combination }) => {
        // A cause names at least one dimension, each with a value.
        return whereOf(this.#combinations.all[combination], PLACE_DIMENSIONS) as Readonly<Record<string, string>>;
      });
  }

  #perStretch(occurrences: readonly Occurrences[]): Float64Array {
    const failures = new Float64Array(this.#strata.count);
    const [from, to] = bucketsOf(this.#generations);
    for (const { series } of occurrences) {
      series.buckets.forEach((bucket, at) => {
        const stretch = this.#stretches.get(this.#stretchOf(bucket));
        if (stretch === undefined || bucket < from || bucket > to) return;
        failures[stretch] = (failures[stretch] ?? 0) + series.at(at, 0);
      });
    }
    return failures;
  }
}

function bucketsOf({ first, last }: Generations): readonly [number, number] {
  return [first * BUCKETS_PER_GENERATION, (last + 1) * BUCKETS_PER_GENERATION - 1];
}

function hasPlace({ values }: Row): boolean {
  return values.length > 0;
}
