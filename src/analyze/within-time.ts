import { countTail } from '../lib/statistics.js';
import { type Counts, chancesOf, type FoundCause, searchCauses } from './cause-search.js';
import type { Combinations } from './combinations.js';

/** Outcomes per profile and stretch of time: three columns of equal length, one entry per existing pair. */
export interface Strata {
  readonly profiles: Int32Array;
  /** Numbered in order of time. */
  readonly stretches: Int32Array;
  readonly totals: Float64Array;
  readonly count: number;
}

export interface CausesWithinTime {
  readonly causes: readonly FoundCause[];
  /** Compared counts: those given, or those within the same stretches of time. */
  readonly compared: Counts;
}

/**
 * Threshold for the variation over time, in standard deviations. Above it, places alone do not explain the failures.
 */
const UNEVEN = 3;
/** Stretches are joined until this many failures are expected. */
const MIN_EXPECTED = 2;
/** Significance level for an outburst: more failures in a stretch than expected. */
const OUTBURST_ALPHA = 0.01;
/** Maximum probability for a cause to stand out, however outbursts are distributed over places. */
const OUTBURST_CHANCE = 0.05;
/** Maximum alternating rounds of finding causes and outbursts. */
const MAX_ROUNDS = 4;

/**
 * Finds the causes that best explain the failures, like `searchCauses`. If these causes do not explain the variation
 * over time, compares places within the same time. It first does so within outbursts, and if that does not suffice,
 * within every stretch. An outage that hits every place alike must not be blamed on the place that is busy then.
 * @param failures Failures per stretch of time.
 */
export function searchWithinTime(
  combinations: Combinations,
  counts: Counts,
  strata: Strata,
  failures: Float64Array,
): CausesWithinTime {
  const found = new SearchWithinTime(combinations, counts, strata, failures).find();
  return { ...found, causes: found.causes.map((cause) => ({ ...cause, of: totalOf(combinations, counts, cause) })) };
}

class SearchWithinTime {
  readonly #combinations: Combinations;
  readonly #counts: Counts;
  readonly #strata: Strata;
  /** Failures per stretch. */
  readonly #failures: Float64Array;
  /** Failure rate per stretch, over all places. */
  readonly #rates: Float64Array;

  constructor(combinations: Combinations, counts: Counts, strata: Strata, failures: Float64Array) {
    this.#combinations = combinations;
    this.#counts = counts;
    this.#strata = strata;
    this.#failures = failures;
    const totals = new Float64Array(strata.count);
    strata.stretches.forEach((stretch, at) => {
      totals[stretch] = (totals[stretch] ?? 0) + (strata.totals[at] ?? 0);
    });
    this.#rates = totals.map((total, stretch) => Math.min(1, (failures[stretch] ?? 0) / Math.max(1, total)));
  }

  find(): CausesWithinTime {
    const none = new Uint8Array(this.#strata.count);
    const causes = searchCauses(this.#combinations, this.#counts);
    if (this.#isEven(causes, none)) return { causes, compared: this.#counts };
    return this.#besideOutbursts(causes) ?? this.#withinEveryStretch();
  }

  /** Separates outbursts. Returns undefined if failures are uneven outside them, too. */
  #besideOutbursts(known: readonly FoundCause[]): CausesWithinTime | undefined {
    let causes = known;
    let apart = new Uint8Array(this.#strata.count);
    let compared = this.#counts;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const former = causes;
      apart = outbursts(this.#failures, this.#expected(causes, apart));
      compared = this.#setApart(apart);
      causes = searchCauses(this.#combinations, compared);
      if (areSame(former, causes)) break;
    }
    if (!this.#isEven(causes, apart)) return undefined;
    return { causes: causes.filter((cause) => this.#standsOut(cause, causes, apart)), compared };
  }

  /**
   * Returns whether this cause stands out even under another model of outbursts: each multiplies the rate of every
   * place instead of making all places fail alike.
   */
  #standsOut(cause: FoundCause, causes: readonly FoundCause[], apart: Uint8Array): boolean {
    const others = causes.filter((other) => other !== cause);
    const rates = this.#ratePerProfile(others, apart);
    const expected = this.#expected(others, apart);
    const times = expected.map((mean, stretch) => (mean > 0 ? (this.#failures[stretch] ?? 0) / mean : 0));
    const compared = this.#setApart(apart, (profile, stretch) =>
      Math.min(1, (rates[profile] ?? 0) * (times[stretch] ?? 0)),
    );
    const [chance = 1] = chancesOf(this.#combinations, compared, [cause, ...others]);
    return chance <= OUTBURST_CHANCE;
  }

  #withinEveryStretch(): CausesWithinTime {
    const compared = this.#setApart(new Uint8Array(this.#strata.count).fill(1));
    return { causes: searchCauses(this.#combinations, compared), compared };
  }

  /** Returns whether failures outside the stretches in `apart` vary over time no more than random counts. */
  #isEven(causes: readonly FoundCause[], apart: Uint8Array): boolean {
    const expected = this.#expected(causes, apart);
    let excess = 0;
    let spread = 0;
    let failed = 0;
    let mean = 0;
    this.#failures.forEach((count, stretch) => {
      if (apart[stretch]) return;
      failed += count;
      mean += expected[stretch] ?? 0;
      if (mean < MIN_EXPECTED) return;
      // Pearson's statistic minus its mean, and its variance for counts.
      excess += (failed - mean) ** 2 / mean - 1;
      spread += 2 + 1 / mean;
      failed = 0;
      mean = 0;
    });
    return excess <= UNEVEN * Math.sqrt(spread);
  }

  /**
   * Returns the expected failures per stretch if each profile always fails at its rate outside the stretches in
   * `apart`.
   */
  #expected(causes: readonly FoundCause[], apart: Uint8Array): Float64Array {
    const rates = this.#ratePerProfile(causes, apart);
    const expected = new Float64Array(this.#strata.count);
    this.#eachEntry((profile, stretch, total) => {
      expected[stretch] = (expected[stretch] ?? 0) + total * (rates[profile] ?? 0);
    });
    return expected;
  }

  /**
   * Returns each profile's failure rate outside the stretches in `apart`. The first cause that covers a profile
   * decides.
   */
  #ratePerProfile(causes: readonly FoundCause[], apart: Uint8Array): Float64Array {
    const { members, starts } = this.#combinations;
    const { failures, totals, inOutbursts } = this.#setApart(apart);
    const shares = Int32Array.from(totals, (_, profile) => {
      const covering = members.subarray(starts[profile], starts[profile + 1]);
      const first = causes.findIndex(({ combination }) => covering.includes(combination));
      return first < 0 ? causes.length : first;
    });
    const failed = new Float64Array(causes.length + 1);
    const all = new Float64Array(causes.length + 1);
    shares.forEach((share, profile) => {
      failed[share] = (failed[share] ?? 0) + (failures[profile] ?? 0) - (inOutbursts[profile] ?? 0);
      all[share] = (all[share] ?? 0) + (totals[profile] ?? 0);
    });
    return Float64Array.from(shares, (share) => Math.max(0, failed[share] ?? 0) / Math.max(1, all[share] ?? 0));
  }

  /**
   * Separates the stretches in `apart`, where places are expected to fail at the given rates. Default: all at the
   * stretch's rate.
   */
  #setApart(
    apart: Uint8Array,
    rateIn: (profile: number, stretch: number) => number = (_, stretch) => this.#rates[stretch] ?? 0,
  ): Required<Counts> {
    const { failures } = this.#counts;
    const totals = new Float64Array(failures.length);
    const inOutbursts = new Float64Array(failures.length);
    this.#eachEntry((profile, stretch, total) => {
      // Profiles excluded from the counts stay excluded.
      if ((this.#counts.totals[profile] ?? 0) === 0) return;
      if (apart[stretch]) inOutbursts[profile] = (inOutbursts[profile] ?? 0) + total * rateIn(profile, stretch);
      else totals[profile] = (totals[profile] ?? 0) + total;
    });
    return { failures, totals, inOutbursts };
  }

  #eachEntry(visit: (profile: number, stretch: number, total: number) => void): void {
    const { profiles, stretches, totals } = this.#strata;
    profiles.forEach((profile, at) => {
      visit(profile, stretches[at] ?? 0, totals[at] ?? 0);
    });
  }
}

/** Marks stretches with far more failures than expected, and adjacent stretches with more than expected. */
function outbursts(failures: Float64Array, expected: Float64Array): Uint8Array<ArrayBuffer> {
  const isAbove = Uint8Array.from(failures, (count, stretch) => (count > (expected[stretch] ?? 0) ? 1 : 0));
  const isFar = isAbove.map((above, stretch) => {
    const mean = expected[stretch] ?? 0;
    return above && countTail(Math.round(failures[stretch] ?? 0), mean, mean) < OUTBURST_ALPHA ? 1 : 0;
  });
  return isAbove.map((above, stretch) =>
    above && (isFar[stretch] || isFar[stretch - 1] || isFar[stretch + 1]) ? 1 : 0,
  );
}

function areSame(some: readonly FoundCause[], others: readonly FoundCause[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ combination }) => others.some((other) => other.combination === combination))
  );
}

function totalOf({ members, starts }: Combinations, { totals }: Counts, { combination }: FoundCause): number {
  return totals.reduce(
    (sum, total, profile) =>
      members.subarray(starts[profile], starts[profile + 1]).includes(combination) ? sum + total : sum,
    0,
  );
}
