import type { Issue } from '../contract/issue.js';
import { benjaminiHochberg, hypergeometricSum, type Urn } from '../lib/statistics.js';
import type { Steps } from '../lib/yield-to-event-loop.js';
import { countFollowed, testShifts } from './shift-test.js';

/** Occurrences of one pattern. */
export interface EventSeries {
  readonly id: string;
  readonly issue: Issue;
  readonly sources: readonly string[];
  /** Times in ascending order. */
  readonly times: readonly number[];
  /** Session number per event; `undefined` without a session. */
  readonly sessions: readonly (number | undefined)[];
  /** Time from which `times` is complete. */
  readonly sinceMs: number;
}

export interface CorrelateOptions {
  readonly nowMs: number;
  readonly bucketOf: (atMs: number) => number;
  /** Returns the number of all sessions in a bucket. */
  readonly sessionsIn: (bucket: number) => number;
}

/** Two patterns that occur together: `second` comes `lagMs` after `first`. */
export interface Link {
  readonly first: string;
  readonly second: string;
  readonly lift: number;
  readonly q: number;
  readonly lagMs: number;
  readonly name?: string;
}

/**
 * Windows for the second pattern: immediate consequences, after a few steps, or after some time. A longer window has
 * fewer independent shifts, so its p-values are larger and it gets more weight.
 */
const WINDOWS = [
  { minutes: 2, weight: 0.6 },
  { minutes: 5, weight: 0.6 },
  { minutes: 15, weight: 1 },
  { minutes: 30, weight: 1.4 },
  { minutes: 60, weight: 2.4 },
];
/** Weight of the same-session test, used if both patterns have sessions. */
const SESSION_WEIGHT = 1;
/**
 * Correction for dependent p-values, whose harmonic mean is slightly too small. Keeps false links in simulations below
 * 5 %.
 */
const DEPENDENT = 1.5;
/** Lower bound on p-values, so that their inverse stays finite. */
const SMALLEST_P = 1e-300;
/** Minimum joint occurrences for a link, regardless of the p-value. */
const MIN_TOGETHER = 3;
/** Minimum lift of a link. Most pairs fall below it and skip the full test. */
const MIN_LIFT = 1.5;
/** Limit on full tests per cycle. The strongest pairs are tested. */
const MAX_TESTED = 64;
const MAX_Q = 0.05;
const MINUTE_MS = 60_000;

/** Compound causes with an established name. */
const COMPOUNDS: readonly {
  readonly name: string;
  readonly one: readonly Issue[];
  readonly other: readonly Issue[];
}[] = [
  {
    name: 'session reset lost the context',
    one: ['session_reset'],
    other: ['context_loss', 'compaction_lost_context'],
  },
  { name: 'wrong model tier overran the cost', one: ['wrong_model_tier', 'bad_routing'], other: ['cost_overrun'] },
  { name: 'tool error left an empty answer', one: ['tool_failure'], other: ['empty_response'] },
  {
    name: 'failed hydration lost the context',
    one: ['hydration_fail'],
    other: ['context_loss', 'compaction_lost_context'],
  },
];

/**
 * Finds pairs of patterns from different sources that co-occur more often than chance. Tests the same session (exact
 * test, stratified by time) and close succession (circular shifts). Corrects for every pair (Benjamini-Hochberg). Works
 * in steps, because one pair may take a millisecond.
 */
export function* correlate(series: readonly EventSeries[], options: CorrelateOptions): Steps<readonly Link[]> {
  const pairs: Pair[] = [];
  for (const [index, one] of series.entries()) {
    for (const other of series.slice(index + 1)) {
      if (one.sources.some((source) => other.sources.includes(source))) continue;
      pairs.push(look(one, other, options));
      yield;
    }
  }
  const promising = pairs
    .filter(({ looks }) => looks.length > 0)
    .sort((a, b) => strength(b) - strength(a))
    .slice(0, MAX_TESTED);
  const tested: ReturnType<typeof bestOf>[] = [];
  for (const pair of promising) {
    tested.push(bestOf(pair));
    yield;
  }
  // Pairs without a full test count as not significant.
  const pValues = [...tested.map(({ p }) => p), ...new Array<number>(pairs.length - tested.length).fill(1)];
  const qValues = benjaminiHochberg(pValues);
  return tested.flatMap(({ link }, index) => {
    const q = qValues[index] ?? 1;
    return link && q <= MAX_Q && link.lift >= MIN_LIFT ? [{ ...link, q }] : [];
  });
}

/** One test of how a pair may be linked: a rough lift and the exact test. */
interface Look {
  readonly weight: number;
  readonly lift: number;
  test(): { readonly p: number; readonly link: Omit<Link, 'q'> };
}

interface Pair {
  /** Tests that have anything to test. */
  readonly looks: readonly Look[];
  /** Total weight of all tests, including those with nothing to test. */
  readonly weight: number;
}

function look(one: EventSeries, other: EventSeries, options: CorrelateOptions): Pair {
  const observed = { fromMs: Math.max(one.sinceMs, other.sinceMs), toMs: options.nowMs };
  const [a, b] = [since(one, observed.fromMs), since(other, observed.fromMs)];
  const looks = [lookAtSessions(a, b, options)];
  let weight = hasSessions(a) && hasSessions(b) ? SESSION_WEIGHT : 0;
  for (const window of WINDOWS) {
    weight += 2 * window.weight;
    if (4 * window.minutes * MINUTE_MS > observed.toMs - observed.fromMs) continue;
    looks.push(lookAfter(a, b, window, observed), lookAfter(b, a, window, observed));
  }
  return { looks: looks.filter((each) => each !== undefined), weight };
}

function lookAfter(
  first: EventSeries,
  second: EventSeries,
  { minutes, weight }: (typeof WINDOWS)[number],
  observed: { readonly fromMs: number; readonly toMs: number },
): Look | undefined {
  const withinMs = minutes * MINUTE_MS;
  const followed = countFollowed(first.times, second.times, withinMs);
  const chance = 1 - Math.exp((-second.times.length * withinMs) / (observed.toMs - observed.fromMs));
  const lift = shrunk(followed, first.times.length * chance);
  if (followed < MIN_TOGETHER || lift < MIN_LIFT) return undefined;
  return {
    weight,
    lift,
    test: () => {
      const { p, expected } = testShifts(first.times, second.times, withinMs, observed);
      const link = { ...ends(first, second), lift: shrunk(followed, expected) };
      return { p, link: { ...link, lagMs: medianLag(first.times, second.times, withinMs) } };
    },
  };
}

function lookAtSessions(one: EventSeries, other: EventSeries, options: CorrelateOptions): Look | undefined {
  const [inOne, inOther] = [firstTimes(one), firstTimes(other)];
  const both = [...inOne.keys()].filter((session) => inOther.has(session));
  if (both.length < MIN_TOGETHER) return undefined;
  const urns = strata(inOne, inOther, options);
  const expected = urns.reduce((sum, urn) => sum + (urn.marked * urn.drawn) / urn.population, 0);
  const lift = shrunk(both.length, expected);
  if (lift < MIN_LIFT) return undefined;
  return {
    weight: SESSION_WEIGHT,
    lift,
    test: () => {
      const p = hypergeometricSum(urns).reduce((sum, chance, count) => (count >= both.length ? sum + chance : sum), 0);
      const lagMs = median(both.map((session) => (inOther.get(session) ?? 0) - (inOne.get(session) ?? 0)));
      const link = lagMs < 0 ? { ...ends(other, one), lagMs: -lagMs } : { ...ends(one, other), lagMs };
      return { p: Math.min(1, p), link: { ...link, lift } };
    },
  };
}

/**
 * Returns per bucket the counts of all sessions, of those with `one`, and of those with `other`. A shared session
 * counts in the bucket of its first event.
 */
function strata(
  inOne: ReadonlyMap<number, number>,
  inOther: ReadonlyMap<number, number>,
  { bucketOf, sessionsIn }: CorrelateOptions,
): readonly Urn[] {
  const found = new Map<number, { one: number; other: number; both: number }>();
  for (const session of new Set([...inOne.keys(), ...inOther.keys()])) {
    const oneMs = inOne.get(session);
    const otherMs = inOther.get(session);
    const bucket = bucketOf(Math.min(oneMs ?? Number.POSITIVE_INFINITY, otherMs ?? Number.POSITIVE_INFINITY));
    const counts = found.get(bucket) ?? { one: 0, other: 0, both: 0 };
    if (oneMs !== undefined) counts.one++;
    if (otherMs !== undefined) counts.other++;
    if (oneMs !== undefined && otherMs !== undefined) counts.both++;
    found.set(bucket, counts);
  }
  return [...found].map(([bucket, { one, other, both }]) => ({
    population: Math.max(sessionsIn(bucket), one + other - both),
    marked: one,
    drawn: other,
  }));
}

/**
 * Returns the strongest link, with the weighted harmonic mean of all tests' p-values (Wilson 2019). The tests overlap,
 * so a Bonferroni correction would miss links. A test with nothing to test counts as p = 1.
 */
function bestOf({ looks, weight }: Pair): { readonly p: number; readonly link: Omit<Link, 'q'> | undefined } {
  let best: ReturnType<Look['test']> | undefined;
  let inverses = weight;
  for (const each of looks) {
    const result = each.test();
    inverses += each.weight * (1 / Math.max(result.p, SMALLEST_P) - 1);
    if (!best || result.p < best.p) best = result;
  }
  return { p: Math.min(1, (DEPENDENT * weight) / inverses), link: best?.link };
}

function strength({ looks }: Pair): number {
  return Math.max(...looks.map(({ lift }) => lift));
}

function ends(first: EventSeries, second: EventSeries) {
  const name = COMPOUNDS.find(
    ({ one, other }) =>
      (one.includes(first.issue) && other.includes(second.issue)) ||
      (one.includes(second.issue) && other.includes(first.issue)),
  )?.name;
  return { first: first.id, second: second.id, ...(name !== undefined && { name }) };
}

/** Returns observed over expected, each plus 1. This keeps the lift finite if nothing is expected. */
function shrunk(observed: number, expected: number): number {
  return (observed + 1) / (expected + 1);
}

function since(series: EventSeries, fromMs: number): EventSeries {
  const start = series.times.findIndex((atMs) => atMs >= fromMs);
  if (start === 0) return series;
  const at = start < 0 ? series.times.length : start;
  return { ...series, times: series.times.slice(at), sessions: series.sessions.slice(at) };
}

function hasSessions({ sessions }: EventSeries): boolean {
  return sessions.some((session) => session !== undefined);
}

function firstTimes({ times, sessions }: EventSeries): ReadonlyMap<number, number> {
  const first = new Map<number, number>();
  times.forEach((atMs, index) => {
    const session = sessions[index];
    if (session !== undefined && !first.has(session)) first.set(session, atMs);
  });
  return first;
}

function medianLag(first: readonly number[], second: readonly number[], withinMs: number): number {
  const lags: number[] = [];
  let next = 0;
  for (const atMs of first) {
    while (next < second.length && (second[next] ?? 0) < atMs) next++;
    const after = second[next];
    if (after !== undefined && after - atMs <= withinMs) lags.push(after - atMs);
  }
  return median(lags);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
