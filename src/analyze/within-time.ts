import { countTail } from '../lib/statistics.js';
import { type Counts, chancesOf, type FoundCause, searchCauses } from './cause-search.js';
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
  /** Counts that were compared: those given, or those within the same stretches of time. */
  readonly compared: Counts;
}

/** Standard deviations of the variation over time above which places alone do not explain it. */
const UNEVEN = 3;
/** Stretches are joined until this many failures are expected in them. */
const MIN_EXPECTED = 2;
/** Chance below which more failures in a stretch than expected are an outburst. */
const OUTBURST_ALPHA = 0.01;
/** Chance up to which a cause stands out however outbursts fall on places. */
const OUTBURST_CHANCE = 0.05;
/** Times that causes and outbursts are looked for, each in view of the other. */
const MAX_ROUNDS = 4;

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
  const found = new SearchWithinTime(combinations, counts, strata, failures).find();
  return { ...found, causes: found.causes.map((cause) => ({ ...cause, of: totalOf(combinations, counts, cause) })) };
}

class SearchWithinTime {
  readonly #combinations: Combinations;
  readonly #counts: Counts;
  readonly #strata: Strata;
  /** Per stretch. */
  readonly #failures: Float64Array;
  /** Rate of failure per stretch, of all places together. */
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

  /** Sets outbursts apart; nothing if failures are uneven outside of them too. */
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
   * Whether this cause stands out beside the others even if an outburst multiplies the rate of each place, instead of
   * making all places fail alike.
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

  /** Whether the failures outside of the stretches set `apart` vary no more over time than counts do by chance. */
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
      // Pearson's statistic less its mean, and its variance for counts.
      excess += (failed - mean) ** 2 / mean - 1;
      spread += 2 + 1 / mean;
      failed = 0;
      mean = 0;
    });
    return excess <= UNEVEN * Math.sqrt(spread);
  }

  /** Per stretch the failures to be expected if each profile fails all the time at its rate outside of the stretches set apart. */
  #expected(causes: readonly FoundCause[], apart: Uint8Array): Float64Array {
    const rates = this.#ratePerProfile(causes, apart);
    const expected = new Float64Array(this.#strata.count);
    this.#eachEntry((profile, stretch, total) => {
      expected[stretch] = (expected[stretch] ?? 0) + total * (rates[profile] ?? 0);
    });
    return expected;
  }

  /** Rate at which each profile fails outside of the stretches set `apart`, if the first cause that covers it decides. */
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

  /** In the stretches set `apart` places are expected to fail at the given rates: by default alike, at that of the stretch. */
  #setApart(
    apart: Uint8Array,
    rateIn: (profile: number, stretch: number) => number = (_, stretch) => this.#rates[stretch] ?? 0,
  ): Required<Counts> {
    const { failures } = this.#counts;
    const totals = new Float64Array(failures.length);
    const inOutbursts = new Float64Array(failures.length);
    this.#eachEntry((profile, stretch, total) => {
      // What is left out of the counts stays left out.
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

/** Marks the stretches in which far more failed than expected, and the stretches beside them in which they began or ended. */
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
