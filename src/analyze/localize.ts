import type { Outcome } from '../contract/outcome.js';
import { binomialTail } from '../lib/statistics.js';
import { chancesOf } from './cause-search.js';
import { type Combination, combine, type Profile } from './combinations.js';
import { type Strata, searchWithinTime } from './within-time.js';

/** Where an outcome can differ from another. `tag` stands for every tag it carries. */
export type Dimension = 'model' | 'tool' | 'source' | 'task' | 'agent' | 'tag';
export const DIMENSIONS: readonly Dimension[] = ['model', 'tool', 'source', 'task', 'agent', 'tag'];

/** One value per dimension that must come together, e.g. `{ model: 'haiku', tool: 'search' }`. */
export type CauseWhere = Readonly<Partial<Record<Dimension, string>>>;

export interface Cause {
  readonly where: CauseWhere;
  readonly failures: number;
  readonly of: number;
  /** Its failure rate over that of everything no cause covers. */
  readonly lift: number;
  /** Chance of something this striking anywhere if nothing were the matter. */
  readonly q: number;
}

export type Localization =
  | { readonly kind: 'causes'; readonly causes: readonly Cause[] }
  /** More fails than usual, and not in one place more than in another. */
  | { readonly kind: 'global' }
  | { readonly kind: 'none' };

export interface LocalizeOptions {
  /** Default: all. */
  readonly dimensions?: readonly Dimension[];
  /** Which outcomes are to be explained. Default: those that failed and were not cancelled. */
  readonly isFailure?: (outcome: Outcome) => boolean;
  /** Share of outcomes that may fail before it counts as `global`. Default 0.05. */
  readonly usualRate?: number;
}

const USUAL_RATE = 0.05;
/** How sure a global rise must be, and how large at least, before it is called one. */
const GLOBAL_ALPHA = 0.01;
const GLOBAL_FACTOR = 1.5;
/** Stretches of time that are compared, at most, and outcomes in each on average, at least. */
const MAX_STRETCHES = 168;
const MIN_PER_STRETCH = 20;

/**
 * Finds where failures happen: the most general combinations of up to three dimensions that explain them, at most three,
 * and none that chance explains. If failures come in outbursts, places are compared within the same stretch of time.
 */
export function localize(outcomes: readonly Outcome[], options: LocalizeOptions = {}): Localization {
  const { dimensions = DIMENSIONS, isFailure = failed, usualRate } = options;
  const { profiles, strata, perStretch } = count(outcomes, dimensions, isFailure);
  const combinations = combine(profiles);
  const failures = Float64Array.from(profiles, (each) => each.failures);
  const totals = Float64Array.from(profiles, (each) => each.total);
  const { causes: found, compared } = searchWithinTime(combinations, { failures, totals }, strata, perStretch);
  if (found.length === 0) return { kind: isRaised(failures, totals, usualRate) ? 'global' : 'none' };
  const chances = chancesOf(combinations, compared, found);
  const causes = found.map(({ combination, ...figures }, index): Cause => {
    return { where: whereOf(combinations.all[combination], dimensions), ...figures, q: chances[index] ?? 1 };
  });
  return { kind: 'causes', causes };
}

/** A combination in words: its value of each dimension that it names. */
export function whereOf(combination: Combination | undefined, dimensions: readonly Dimension[]): CauseWhere {
  return Object.fromEntries(combination?.items.map(({ dimension, value }) => [dimensions[dimension], value]) ?? []);
}

function isRaised(failures: Float64Array, totals: Float64Array, usualRate = USUAL_RATE): boolean {
  const count = Math.round(failures.reduce((sum, each) => sum + each, 0));
  const of = Math.round(totals.reduce((sum, each) => sum + each, 0));
  return count > of * usualRate * GLOBAL_FACTOR && binomialTail(count, of, usualRate) < GLOBAL_ALPHA;
}

interface CountedProfile extends Profile {
  readonly failures: number;
}

interface Counted {
  readonly profiles: readonly CountedProfile[];
  readonly strata: Strata;
  /** Failures per stretch of time. */
  readonly perStretch: Float64Array;
}

function count(
  outcomes: readonly Outcome[],
  dimensions: readonly Dimension[],
  isFailure: (outcome: Outcome) => boolean,
): Counted {
  const stretchOf = cutTime(outcomes);
  const found = new Map<string, { values: (readonly string[])[]; failures: number; totals: Map<number, number> }>();
  const perStretch = new Float64Array(MAX_STRETCHES);
  for (const outcome of outcomes) {
    const values = dimensions.map((dimension) => valuesOf(outcome, dimension));
    const key = JSON.stringify(values);
    let each = found.get(key);
    if (!each) {
      each = { values, failures: 0, totals: new Map() };
      found.set(key, each);
    }
    const weight = outcome.weight ?? 1;
    const stretch = stretchOf(outcome.atMs);
    each.totals.set(stretch, (each.totals.get(stretch) ?? 0) + weight);
    if (!isFailure(outcome)) continue;
    each.failures += weight;
    perStretch[stretch] = (perStretch[stretch] ?? 0) + weight;
  }
  // In the order of their names, so that the order of the outcomes decides nothing, not even between equals.
  const inOrder = [...found].sort((a, b) => (a[0] < b[0] ? -1 : 1)).map(([, each]) => each);
  const cells = inOrder.flatMap(({ totals }, profile) =>
    [...totals].map(([stretch, total]) => ({ profile, stretch, total })),
  );
  return {
    profiles: inOrder.map(({ values, failures, totals }) => {
      return { values, failures, total: [...totals.values()].reduce((sum, each) => sum + each, 0) };
    }),
    strata: {
      profiles: Int32Array.from(cells, ({ profile }) => profile),
      stretches: Int32Array.from(cells, ({ stretch }) => stretch),
      totals: Float64Array.from(cells, ({ total }) => total),
      count: MAX_STRETCHES,
    },
    perStretch,
  };
}

/** Cuts the time that the outcomes span into equal stretches; gives the number of the stretch a moment falls into. */
function cutTime(outcomes: readonly Outcome[]): (atMs: number) => number {
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (const { atMs } of outcomes) {
    if (atMs < fromMs) fromMs = atMs;
    if (atMs > toMs) toMs = atMs;
  }
  const stretches = Math.max(1, Math.min(MAX_STRETCHES, Math.floor(outcomes.length / MIN_PER_STRETCH)));
  const lengthMs = (toMs - fromMs) / stretches;
  if (!(lengthMs > 0)) return () => 0;
  return (atMs) => Math.max(0, Math.min(stretches - 1, Math.floor((atMs - fromMs) / lengthMs)));
}

export function valuesOf(
  outcome: Partial<Pick<Outcome, Exclude<Dimension, 'tag'> | 'tags'>>,
  dimension: Dimension,
): readonly string[] {
  if (dimension === 'tag') return outcome.tags ? [...new Set(outcome.tags)].sort() : [];
  const value = outcome[dimension];
  return value === undefined ? [] : [value];
}

function failed(outcome: Outcome): boolean {
  return !outcome.success && !outcome.issues.includes('cancelled');
}
