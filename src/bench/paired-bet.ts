import { LARGEST_LOG, logMean } from '../verify/betting-martingale.js';

/**
 * Stakes of the bets, as shares of the capital. Their mean is the evidence, so the middle one has three of five parts. The best
 * stake is the mean difference divided by the mean of its squares: 0.2 for a gain of 5 points if a quarter of the pairs
 * differ, 0.36 for 9, and 0.7 for 18. (`docs/decisions/0477-fewer-stakes.md`)
 */
const STAKES = [0.2, 0.5, 0.5, 0.5, 0.8] as const;
/** Stakes against a useful gain: the shortfall is small, and its size is known less. */
const NO_GAIN_STAKES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;
/** Differences are rounded to this many steps per unit, so that memory is bounded. */
const STEPS = 1_000;
/** Gains tested for the interval: -1 to 1 in steps of 0.01. */
const GRID: readonly number[] = /* @__PURE__ */ Array.from({ length: 201 }, (_, index) => (index - 100) / 100);
/** Keeps a stake finite at the ends of the grid. */
const MARGIN = 1e-9;
/** Log e-value at which a gain is excluded from the interval (1 in 20). */
const EXCLUDED = /* @__PURE__ */ Math.log(20);

/** Evidence of a paired comparison so far. The e-values start at 1. */
export interface PairedEvidence {
  readonly pairs: number;
  /** Pairs in which the candidate scored higher, and lower. */
  readonly wins: number;
  readonly losses: number;
  /** e-value against "the candidate is not better on average". */
  readonly eBetter: number;
  /** e-value against "the candidate is not worse on average". */
  readonly eWorse: number;
  /** e-value against "the candidate gains at least `usefulGain`". */
  readonly eNoGain: number;
}

/** Mean gain of the candidate, in points of the score: -1 to 1. */
export interface Gain {
  readonly value: number;
  /** Bounds of 95 % each, valid however often they are read. */
  readonly low: number;
  readonly high: number;
}

/**
 * Paired bet: compares two versions by their scores on the same problems. After each pair, each bet multiplies its
 * capital by `1 + stake * difference`. If neither version is better on average over the problems that are drawn, the
 * mean capital is a non-negative martingale, so it reaches 1 / alpha with a probability of at most alpha, however often
 * it is read (Ville's inequality). Pairs with equal scores change nothing. (Betting on a bounded mean: Waudby-Smith and
 * Ramdas 2020.)
 *
 * The claim holds for problems drawn with replacement, with new runs of both versions for each pair.
 */
export class PairedBet {
  readonly #usefulGain: number;
  readonly #counts = new Map<number, number>();
  readonly #better = new Array<number>(STAKES.length).fill(0);
  readonly #worse = new Array<number>(STAKES.length).fill(0);
  readonly #noGain = new Array<number>(NO_GAIN_STAKES.length).fill(0);
  #pairs = 0;
  #sum = 0;
  #wins = 0;
  #losses = 0;

  /** @param usefulGain Smallest mean gain that matters, above 0 and below 1. */
  constructor(usefulGain: number) {
    this.#usefulGain = usefulGain;
  }

  /** Adds a pair: the candidate's score minus the baseline's, -1 to 1. `times` adds several equal ones. */
  add(difference: number, times = 1): void {
    const step = Math.round(difference * STEPS);
    const rounded = step / STEPS;
    this.#counts.set(step, (this.#counts.get(step) ?? 0) + times);
    this.#pairs += times;
    this.#sum += times * rounded;
    if (step > 0) this.#wins += times;
    if (step < 0) this.#losses += times;
    // Scaled so that no stake below 1 can lose everything: the shortfall is at least `usefulGain - 1`.
    const shortfall = (this.#usefulGain - rounded) / (1 - this.#usefulGain);
    for (const [index, stake] of STAKES.entries()) {
      this.#better[index] = (this.#better[index] ?? 0) + times * Math.log1p(stake * rounded);
      this.#worse[index] = (this.#worse[index] ?? 0) + times * Math.log1p(-stake * rounded);
    }
    for (const [index, stake] of NO_GAIN_STAKES.entries())
      this.#noGain[index] = (this.#noGain[index] ?? 0) + times * Math.log1p(stake * shortfall);
  }

  get evidence(): PairedEvidence {
    return {
      pairs: this.#pairs,
      wins: this.#wins,
      losses: this.#losses,
      eBetter: meanCapital(this.#better),
      eWorse: meanCapital(this.#worse),
      eNoGain: meanCapital(this.#noGain),
    };
  }

  /** Mean of the differences so far; 0 without any. */
  get mean(): number {
    return this.#pairs === 0 ? 0 : this.#sum / this.#pairs;
  }

  /** Returns the mean gain so far with its interval. Without pairs, the interval is -1 to 1. */
  gain(): Gain {
    const value = this.mean;
    // Gains below the low end are excluded by bets that the true one is higher: the same bets as for `eBetter`.
    const low = GRID.find((gain) => this.#logAgainst(gain, 1) < EXCLUDED) ?? value;
    const high = GRID.findLast((gain) => this.#logAgainst(gain, -1) < EXCLUDED) ?? value;
    return { value, low: Math.min(value, low), high: Math.max(value, high) };
  }

  /** Log of the mean capital of bets that the true mean gain is higher (1) or lower (-1) than `gain`. */
  #logAgainst(gain: number, direction: 1 | -1): number {
    // The highest stake that cannot lose everything when all differences are -1, or 1.
    const highest = direction / (1 + direction * gain + MARGIN);
    const logs = STAKES.map((stake) => this.#logOf(stake * highest, gain));
    return logMean(logs);
  }

  #logOf(stake: number, gain: number): number {
    let log = 0;
    for (const [step, count] of this.#counts) log += count * Math.log1p(stake * (step / STEPS - gain));
    return log;
  }
}

function meanCapital(logs: readonly number[]): number {
  return Math.exp(Math.min(logMean(logs), LARGEST_LOG));
}
