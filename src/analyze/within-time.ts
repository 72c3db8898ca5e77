import { countTail } from '../lib/statistics.js';
import { type Counts, type FoundCause, searchCauses } from './cause-search.js';
import type { Combinations } from './combinations.js';

/** Outcomes per profile and stretch of time: three columns of equal length, one entry per pair that occurs. */
export interface Strata {
  readonly profiles: Int32Array;
  /** Numbered in the order of time. */
  readonly stretches: Int32Array;
  readonly totals: Float64Array;
  readonly count: number;
}

export interface CausesWithinTime {
  readonly causes: readonly FoundCause[];
  /** What was compared: the counts given, or those within the same stretches of time. */
  readonly compared: Counts;
}

/** Standard deviations of the variation over time above which places alone do not explain it. */
const UNEVEN = 3;
/** Stretches are joined until this many failures are expected in them. */
const MIN_EXPECTED = 2;
/** Chance below which more failures in a stretch than expected are an outburst. */
const OUTBURST_ALPHA = 0.01;
/** Outcomes that stand for one expected failure: so many that drawing without putting back does not matter. */
const SCALE = 50;

/**
 * Finds the causes that explain failures best, as `searchCauses` does. If failures come and go in a way that these
 * causes do not explain, places are compared within the same time: first within outbursts, and if that does not
 * explain it either, within every stretch. An outage that hits every place alike must not be blamed on the place that
 * is busy at that moment.
 * @param failures per stretch of time.
 */
export function searchWithinTime(
  combinations: Combinations,
  counts: Counts,
  strata: Strata,
  failures: Float64Array,
): CausesWithinTime {
  let compared = counts;
  let causes = searchCauses(combinations, counts);
  const expected = expectedPerStretch(ratePerProfile(combinations, counts, causes), strata);
  const all = new Uint8Array(strata.count).fill(1);
  const none = new Uint8Array(strata.count);
  if (isEven(failures, expected, none)) return { causes, compared };
  for (const apart of [outbursts(failures, expected), all]) {
    compared = { failures: counts.failures, totals: exposures(counts, strata, failures, apart) };
    causes = searchCauses(combinations, compared);
    if (isEven(failures, expectedPerStretch(ratePerProfile(combinations, compared, causes), strata), apart)) break;
  }
  return { causes: causes.map((cause) => ({ ...cause, of: totalOf(combinations, counts, cause) })), compared };
}

/** Per stretch the failures to be expected if each profile fails at its rate all the time. */
function expectedPerStretch(rates: Float64Array, { profiles, stretches, totals, count }: Strata): Float64Array {
  const expected = new Float64Array(count);
  profiles.forEach((profile, at) => {
    const stretch = stretches[at] ?? 0;
    expected[stretch] = (expected[stretch] ?? 0) + (totals[at] ?? 0) * (rates[profile] ?? 0);
  });
  return expected;
}

/** Whether the failures outside of the stretches set `apart` vary no more over time than counts do by chance. */
function isEven(failures: Float64Array, expected: Float64Array, apart: Uint8Array): boolean {
  let excess = 0;
  let spread = 0;
  let failed = 0;
  let mean = 0;
  failures.forEach((count, stretch) => {
    if (apart[stretch]) return;
    failed += count;
    mean += expected[stretch] ?? 0;
    if (mean < MIN_EXPECTED) return;
    // Pearson's statistic less its mean, and its variance for counts.
    excess += (failed - mean) ** 2 / mean - 1;
    spread += 2 + 1 / mean;
    failed = 0;
    mean = 0;
  });
  return excess <= UNEVEN * Math.sqrt(spread);
}

/** Marks the stretches in which far more failed than expected. */
function outbursts(failures: Float64Array, expected: Float64Array): Uint8Array {
  return Uint8Array.from(failures, (count, stretch) => {
    const mean = expected[stretch] ?? 0;
    return count > mean && countTail(Math.round(count), mean, mean) < OUTBURST_ALPHA ? 1 : 0;
  });
}

/** The rate at which each profile fails if the first cause that covers it decides. */
function ratePerProfile(combinations: Combinations, counts: Counts, causes: readonly FoundCause[]): Float64Array {
  const { members, starts } = combinations;
  const shares = Int32Array.from(counts.totals, (_, profile) => {
    const covering = members.subarray(starts[profile], starts[profile + 1]);
    const first = causes.findIndex(({ combination }) => covering.includes(combination));
    return first < 0 ? causes.length : first;
  });
  const failed = new Float64Array(causes.length + 1);
  const all = new Float64Array(causes.length + 1);
  shares.forEach((share, profile) => {
    failed[share] = (failed[share] ?? 0) + (counts.failures[profile] ?? 0);
    all[share] = (all[share] ?? 0) + (counts.totals[profile] ?? 0);
  });
  return Float64Array.from(shares, (share) => (failed[share] ?? 0) / Math.max(1, all[share] ?? 0));
}

/**
 * Per profile the outcomes it counts for. In a stretch set `apart` every place is expected to fail alike, at the rate
 * of that stretch: its outcomes count for as many as would fail that often at the rate of all other stretches.
 */
function exposures(
  counts: Counts,
  { profiles, stretches, totals, count }: Strata,
  failures: Float64Array,
  apart: Uint8Array,
): Float64Array {
  const all = new Float64Array(count);
  stretches.forEach((stretch, at) => {
    all[stretch] = (all[stretch] ?? 0) + (totals[at] ?? 0);
  });
  let failed = 0;
  let together = 0;
  all.forEach((total, stretch) => {
    if (apart[stretch]) return;
    failed += failures[stretch] ?? 0;
    together += total;
  });
  const perFailure = failed > 0 ? together / failed : SCALE;
  const exposed = new Float64Array(counts.totals.length);
  profiles.forEach((profile, at) => {
    // What is left out of the search stays out.
    if ((counts.totals[profile] ?? 0) === 0) return;
    const stretch = stretches[at] ?? 0;
    const total = totals[at] ?? 0;
    const rate = (failures[stretch] ?? 0) / Math.max(1, all[stretch] ?? 0);
    exposed[profile] = (exposed[profile] ?? 0) + (apart[stretch] ? total * rate * perFailure : total);
  });
  // A place cannot fail more often than it is counted.
  return exposed.map((each, profile) => Math.max(each, counts.failures[profile] ?? 0));
}

function totalOf({ members, starts }: Combinations, { totals }: Counts, { combination }: FoundCause): number {
  return totals.reduce(
    (sum, total, profile) =>
      members.subarray(starts[profile], starts[profile + 1]).includes(combination) ? sum + total : sum,
    0,
  );
}
