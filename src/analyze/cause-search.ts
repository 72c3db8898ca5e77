import { hypergeometricTail, type Urn } from '../lib/statistics.js';
import type { Combinations } from './combinations.js';
import { logTwoRates } from './two-rates.js';

const MAX_CAUSES = 3;
/** Significance level for the first cause. Well below the promised 5 % of false causes. */
const FIRST_ALPHA = 0.025;
/** Significance level for further causes. Slightly higher, because then the share of false causes matters. */
const FURTHER_ALPHA = 0.05;
/** e-value, for each candidate, from which a cause is named at one of many looks. */
const LASTING_NEEDED = 10;
/** Number of starting points: the best single combination is not always part of the best set. */
const STARTS = 6;
const MAX_ROUNDS = 5;
/** Half a failure as a minimum, because a rate of zero explains nothing. */
const LEAST_FAILURES = 0.5;
/** Rate used if all outcomes are in outbursts. So low that sampling without replacement does not matter. */
const LOW_RATE = 1 / 50;

/** Failures and totals per profile. */
export interface Counts {
  readonly failures: Float64Array;
  /** Outcomes outside outbursts. */
  readonly totals: Float64Array;
  /** Failures expected in outbursts, in which every place fails alike. Default none. */
  readonly inOutbursts?: Float64Array;
}

export interface FoundCause {
  /** Index into `Combinations.all`. */
  readonly combination: number;
  readonly failures: number;
  readonly of: number;
  /** Ratio of its failure rate to that of everything outside all causes. */
  readonly lift: number;
}

/**
 * Finds the set of at most three combinations that best explains the failures. Each profile belongs to the first
 * combination that covers it, and each part has its own failure rate. A combination pays for the number of candidates
 * it was chosen from (minimum description length). The search is greedy from several starts. It then re-selects each
 * member given the others until nothing changes. Remaining causes must pass Fisher's exact test, corrected for all
 * candidates tested.
 */
export function searchCauses(combinations: Combinations, counts: Counts): readonly FoundCause[] {
  const search = new Search(combinations, counts);
  let best: Choice = { causes: [], gain: 0 };
  for (const first of search.best([], STARTS)) {
    const choice = search.grow([first]);
    if (choice.gain > best.gain) best = choice;
  }
  return search.describe(best.causes);
}

/**
 * Returns for each cause the probability of a result this extreme anywhere under the null hypothesis. Corrected for all
 * candidates tested. Separate from the search because it costs as much.
 */
export function chancesOf(
  combinations: Combinations,
  counts: Counts,
  causes: readonly FoundCause[],
): readonly number[] {
  return new Search(combinations, counts).chances(causes.map(({ combination }) => combination));
}

/**
 * Returns the causes whose evidence stays above what chance reaches, however often it is looked at. Each candidate has
 * its part of the probability of a false one.
 */
export function lastingOf(
  combinations: Combinations,
  counts: Counts,
  causes: readonly FoundCause[],
): readonly FoundCause[] {
  const search = new Search(combinations, counts);
  const evidence = search.evidence(causes.map(({ combination }) => combination));
  const needed = Math.log(LASTING_NEEDED * combinations.all.length);
  return causes.filter((_, index) => (evidence[index] ?? 0) >= needed);
}

interface Choice {
  readonly causes: readonly number[];
  readonly gain: number;
}

interface Split {
  readonly failures: number;
  readonly total: number;
}

class Search {
  readonly #combinations: Combinations;
  readonly #counts: Counts;
  readonly #failures: Float64Array;
  readonly #totals: Float64Array;
  readonly #inOutbursts: Float64Array;
  readonly #known = new Map<string, readonly number[]>();

  constructor(combinations: Combinations, counts: Counts) {
    this.#combinations = combinations;
    this.#counts = counts;
    this.#failures = new Float64Array(combinations.all.length);
    this.#totals = new Float64Array(combinations.all.length);
    this.#inOutbursts = new Float64Array(counts.inOutbursts ? combinations.all.length : 0);
  }

  /** Adds the best combination until none is significant, then re-selects each one given the others. */
  grow(start: readonly number[]): Choice {
    let causes = this.#refine(start);
    while (causes.length < MAX_CAUSES) {
      const [next] = this.best(causes, 1);
      if (next === undefined) break;
      const longer = this.#refine([...causes, next]);
      if (longer.length <= causes.length) break;
      causes = longer;
    }
    return { causes, gain: this.#gain(causes) };
  }

  /** Returns the combinations with the highest gain on the rest that `given` leaves, if significant there. */
  best(given: readonly number[], howMany: number): readonly number[] {
    // Cached, because different starts soon reach the same sets.
    const key = [howMany, ...[...given].sort((a, b) => a - b)].join();
    const known = this.#known.get(key) ?? this.#findBest(given, howMany);
    this.#known.set(key, known);
    return known;
  }

  #findBest(given: readonly number[], howMany: number): readonly number[] {
    const rest = this.#countRest(given);
    const alpha = given.length === 0 ? FIRST_ALPHA : FURTHER_ALPHA;
    const whole = logLikelihood(rest.failures, rest.total);
    const best: { readonly index: number; readonly gain: number }[] = [];
    for (let index = 0; index < this.#combinations.all.length; index++) {
      const gain = this.#gainOf(index, rest, whole);
      if (gain <= 0) continue;
      // Ties keep the order of the combinations.
      let place = best.length;
      while (place > 0 && (best[place - 1]?.gain ?? 0) < gain) place--;
      if (place === howMany) continue;
      best.splice(place, 0, { index, gain });
      if (best.length > howMany) best.pop();
    }
    return best.map(({ index }) => index).filter((index) => this.#isSignificant(index, rest, alpha));
  }

  describe(causes: readonly number[]): readonly FoundCause[] {
    const rest = this.#countRest(causes);
    const restRate = (rest.failures + 0.5) / (rest.total + 1);
    this.#countRest([]);
    return causes.map((combination) => {
      const failures = this.#failures[combination] ?? 0;
      const of = this.#totals[combination] ?? 0;
      return { combination, failures, of, lift: (failures + 0.5) / (of + 1) / restRate };
    });
  }

  /** Returns each cause's probability, computed on the rest that the other causes leave. */
  chances(causes: readonly number[]): readonly number[] {
    return causes.map((combination) => {
      const others = this.#countRest(causes.filter((cause) => cause !== combination));
      return this.#chanceAnywhere(this.#chance(combination, others), others);
    });
  }

  /** Returns each cause's log e-value on the rest that the other causes leave. */
  evidence(causes: readonly number[]): readonly number[] {
    return causes.map((combination) => {
      const rest = this.#countRest(causes.filter((cause) => cause !== combination));
      const [failures, of] = [this.#failures[combination] ?? 0, this.#totals[combination] ?? 0];
      return logTwoRates([failures, of], [rest.failures - failures, rest.total - of]);
    });
  }

  #refine(start: readonly number[]): readonly number[] {
    let causes = start;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      let next: readonly number[] = causes;
      for (const cause of causes) {
        const others = next.filter((other) => other !== cause);
        next = [...others, ...this.best(others, 1)];
      }
      if (next.length === causes.length && next.every((cause) => causes.includes(cause))) return next;
      causes = next;
    }
    return causes;
  }

  /** Returns the total gain of the list, each cause on the rest that the previous ones leave. */
  #gain(causes: readonly number[]): number {
    return causes.reduce((sum, cause, place) => {
      const rest = this.#countRest(causes.slice(0, place));
      return sum + this.#gainOf(cause, rest, logLikelihood(rest.failures, rest.total));
    }, 0);
  }

  /** Counts each combination on the profiles that `given` does not cover. Returns the totals of those profiles. */
  #countRest(given: readonly number[]): Split {
    const { members, starts } = this.#combinations;
    const { inOutbursts } = this.#counts;
    this.#failures.fill(0);
    this.#totals.fill(0);
    this.#inOutbursts.fill(0);
    let failures = 0;
    let total = 0;
    let expected = 0;
    for (let p = 0; p + 1 < starts.length; p++) {
      const from = starts[p] ?? 0;
      const to = starts[p + 1] ?? 0;
      if (given.length > 0 && covers(members, from, to, given)) continue;
      const failed = this.#counts.failures[p] ?? 0;
      const all = this.#counts.totals[p] ?? 0;
      const burst = inOutbursts?.[p] ?? 0;
      failures += failed;
      total += all;
      expected += burst;
      addToEach(this.#failures, failed, members, from, to);
      addToEach(this.#totals, all, members, from, to);
      if (inOutbursts) addToEach(this.#inOutbursts, burst, members, from, to);
    }
    return inOutbursts ? this.#addOutbursts({ failures, total }, expected) : { failures, total };
  }

  /** Adds enough outcomes to account for the failures expected in outbursts, at this rest's rate outside them. */
  #addOutbursts({ failures, total }: Split, expected: number): Split {
    const rate = total > 0 ? Math.min(1, Math.max(LEAST_FAILURES, failures - expected) / total) : LOW_RATE;
    const whole = Math.max(failures, total + expected / rate);
    this.#totals.forEach((all, index) => {
      const failed = this.#failures[index] ?? 0;
      const exposed = all + (this.#inOutbursts[index] ?? 0) / rate;
      // Bounds keep failures at or below totals, for each combination and for its complement.
      this.#totals[index] = Math.max(failed, Math.min(exposed, whole - failures + failed));
    });
    return { failures, total: whole };
  }

  /**
   * Returns the log likelihood gain of the combination, less the cost of the candidates tested.
   * @param whole Log likelihood of this rest at a single rate.
   */
  #gainOf(index: number, rest: Split, whole: number): number {
    const failures = this.#failures[index] ?? 0;
    const total = this.#totals[index] ?? 0;
    if (failures === 0 || failures * (rest.total - total) <= (rest.failures - failures) * total) return 0;
    const looks = this.#combinations.all[index]?.looks ?? 1;
    return (
      logLikelihood(failures, total) +
      logLikelihood(rest.failures - failures, rest.total - total) -
      whole -
      Math.log(looks)
    );
  }

  /** Returns whether the combination's rate is significant, corrected for all candidates on this rest. */
  #isSignificant(index: number, rest: Split, alpha: number): boolean {
    const chance = this.#chance(index, rest);
    // The Bonferroni bound decides most cases without computing the sum.
    if (chance > alpha) return false;
    return chance * this.#combinations.all.length <= alpha || this.#chanceAnywhere(chance, rest) <= alpha;
  }

  #chance(index: number, rest: Split): number {
    return hypergeometricTail(
      Math.round(this.#failures[index] ?? 0),
      urnOf(rest, Math.round(this.#totals[index] ?? 0)),
    );
  }

  /**
   * Returns the probability that any combination of this rest is as extreme as `chance`. Sums, over all combinations,
   * the largest attainable level that does not exceed it. As counts are discrete, the result is much smaller than
   * Bonferroni's (Tarone 1990).
   */
  #chanceAnywhere(chance: number, rest: Split): number {
    const alike = new Map<number, number>();
    for (const total of this.#totals) alike.set(Math.round(total), (alike.get(Math.round(total)) ?? 0) + 1);
    let sum = 0;
    for (const [drawn, combinations] of alike) sum += combinations * attainable(chance, urnOf(rest, drawn));
    return Math.min(1, sum);
  }
}

function urnOf(rest: Split, drawn: number): Urn {
  return { population: Math.round(rest.total), marked: Math.round(rest.failures), drawn };
}

/** Returns the largest tail probability of this urn that does not exceed `level`. */
function attainable(level: number, urn: Urn): number {
  let low = 0;
  let high = Math.min(urn.marked, urn.drawn) + 1;
  // Tail probabilities fall with the count: 1 at 0, and 0 above the maximum that can be drawn.
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    // A small tolerance, so that a count attains its own probability despite rounding.
    if (hypergeometricTail(middle, urn) <= level * (1 + 1e-9)) high = middle;
    else low = middle;
  }
  return hypergeometricTail(high, urn);
}

/** Adds an amount to the sum of each combination in this range of members. */
function addToEach(sums: Float64Array, amount: number, members: Int32Array, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    const index = members[at] ?? 0;
    sums[index] = (sums[index] ?? 0) + amount;
  }
}

function covers(members: Int32Array, from: number, to: number, given: readonly number[]): boolean {
  for (let at = from; at < to; at++) {
    const member = members[at];
    if (member !== undefined && given.includes(member)) return true;
  }
  return false;
}

/** Returns the maximum log likelihood of `failures` among `total`. */
function logLikelihood(failures: number, total: number): number {
  if (failures <= 0 || failures >= total) return 0;
  return failures * Math.log(failures / total) + (total - failures) * Math.log(1 - failures / total);
}
