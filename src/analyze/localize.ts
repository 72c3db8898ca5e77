import { COURSE } from '../classify/remedies/row.js';
import { DEPLOYMENT_KEYS, type Deployment } from '../contract/deployment.js';
import { isNoEvidence } from '../contract/issue.js';
import type { Outcome } from '../contract/outcome.js';
import { isWithin, mustBe } from '../lib/must-be.js';
import { binomialTail } from '../lib/statistics.js';
import { showValue } from '../lib/text.js';
import { chancesOf } from './cause-search.js';
import { type Combination, combine, type Profile } from './combinations.js';
import { type Strata, searchWithinTime } from './within-time.js';

/** Dimension along which outcomes can differ. `tag` covers every tag of an outcome. */
export type Dimension = 'model' | 'tool' | 'source' | 'task' | 'agent' | 'tag' | keyof Deployment;
/** Dimensions in which a failure rate is compared, in the order of ties. */
export const DIMENSIONS: readonly Dimension[] = ['model', 'tool', 'source', 'task', 'agent', 'tag', ...DEPLOYMENT_KEYS];

/** One value per dimension, all of which must match, e.g. `{ model: 'haiku', tool: 'search' }`. */
export type CauseWhere = Readonly<Partial<Record<Dimension, string>>>;

export interface Cause {
  readonly where: CauseWhere;
  readonly failures: number;
  readonly of: number;
  /** Ratio of its failure rate to that of everything outside all causes. */
  readonly lift: number;
  /** Probability of a result this extreme anywhere under the null hypothesis. */
  readonly q: number;
}

/** Result of the search for a place where failures are more frequent. */
export type Localization =
  | { readonly kind: 'causes'; readonly causes: readonly Cause[] }
  /** The failure rate is raised, but no place stands out. */
  | { readonly kind: 'global' }
  | { readonly kind: 'none' };

export interface LocalizeOptions {
  /** Default: all. */
  readonly dimensions?: readonly Dimension[];
  /** Selects the outcomes to explain. Default: those that failed and were not cancelled. */
  readonly isFailure?: (outcome: Outcome) => boolean;
  /** Share of outcomes that may fail before it counts as `global`. Default 0.05. */
  readonly usualRate?: number;
}

const USUAL_RATE = 0.05;
/** Significance level and minimum factor for a global rise. */
const GLOBAL_ALPHA = 0.01;
const GLOBAL_FACTOR = 1.5;
/** Maximum number of compared stretches of time, and minimum average outcomes per stretch. */
const MAX_STRETCHES = 168;
const MIN_PER_STRETCH = 20;

/**
 * Finds where failures happen: at most three causes, none of them explained by chance. Each cause is the most general
 * combination of up to three dimensions. If failures come in outbursts, places are compared within the same stretch of
 * time.
 */
export function localize(outcomes: readonly Outcome[], options: LocalizeOptions = {}): Localization {
  const { dimensions = DIMENSIONS, isFailure = failed, usualRate } = options;
  const areOutcomes = Array.isArray(outcomes) && outcomes.every((one) => Array.isArray(one.issues));
  mustBe(areOutcomes, 'outcomes', showValue(outcomes), 'a list of outcomes, such as that of exportOutcomes');
  mustBe(usualRate === undefined || isWithin(usualRate, 0, 1), 'usualRate', usualRate, 'a share from 0 to 1');
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

/** Returns the value of each dimension in a combination. */
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
  // Sorted by name, so that the order of the outcomes does not affect the result, not even for ties.
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

/**
 * Divides the time range of the outcomes into equal stretches. Returns a function from a time to its stretch number.
 */
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
  // Facts about the steps before a failure are evidence for its remedy, not a place.
  if (dimension === 'tag') return [...new Set(outcome.tags ?? [])].filter((tag) => !tag.startsWith(COURSE)).sort();
  const value = outcome[dimension];
  return value === undefined ? [] : [value];
}

function failed(outcome: Outcome): boolean {
  return !outcome.success && !isNoEvidence(outcome.issues);
}
