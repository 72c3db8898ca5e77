import { binomialTail } from '../lib/statistics.js';
import type { Outcome } from '../records.js';
import { chancesOf, searchCauses } from './cause-search.js';
import { type Combination, combine, type Profile } from './combinations.js';

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

/**
 * Finds where failures happen: the most general combinations of up to three dimensions that explain them, at most three,
 * and none that chance explains.
 */
export function localize(outcomes: readonly Outcome[], options: LocalizeOptions = {}): Localization {
  const { dimensions = DIMENSIONS, isFailure = failed, usualRate } = options;
  const profiles = profile(outcomes, dimensions, isFailure);
  const combinations = combine(profiles);
  const failures = Float64Array.from(profiles, (each) => each.failures);
  const totals = Float64Array.from(profiles, (each) => each.total);
  const found = searchCauses(combinations, { failures, totals });
  if (found.length === 0) return { kind: isRaised(failures, totals, usualRate) ? 'global' : 'none' };
  const chances = chancesOf(combinations, { failures, totals }, found);
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

function profile(
  outcomes: readonly Outcome[],
  dimensions: readonly Dimension[],
  isFailure: (outcome: Outcome) => boolean,
): readonly CountedProfile[] {
  const found = new Map<string, { values: (readonly string[])[]; failures: number; total: number }>();
  for (const outcome of outcomes) {
    const values = dimensions.map((dimension) => valuesOf(outcome, dimension));
    const key = JSON.stringify(values);
    let each = found.get(key);
    if (!each) {
      each = { values, failures: 0, total: 0 };
      found.set(key, each);
    }
    const weight = outcome.weight ?? 1;
    each.total += weight;
    if (isFailure(outcome)) each.failures += weight;
  }
  // In the order of their names, so that the order of the outcomes decides nothing, not even between equals.
  return [...found].sort((a, b) => (a[0] < b[0] ? -1 : 1)).map(([, each]) => each);
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
