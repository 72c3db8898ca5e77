import { betting } from 'rsi-loop/kit';
import { HIGHEST_LOSS, STAKES, StakedBet } from './staked-bet.js';

/** Largest logarithm whose capital is still a number. */
const LARGEST_LOG = /* @__PURE__ */ Math.log(1e300);

/** Stakes against a margin: the distance to it is small, and its size is known less. */
const MARGIN_STAKES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;
/** e-value that proves a result, unless `needed` says otherwise. */
const NEEDED = 20;
/** Differences are rounded to this many steps per unit, so that memory is bounded. */
const STEPS = 1_000;
/** Keeps a stake finite at the ends of the range. */
const SMALL = 1e-9;
/** Log e-value at which a gain is excluded from the interval (1 in 20). */
const EXCLUDED = /* @__PURE__ */ Math.log(20);
/** Halvings of the range from -1 to 1 until a bound of the interval is found. */
const HALVINGS = 12;

/** Evidence of a paired comparison so far. The e-values start at 1. */
export interface PairedEvidence {
  readonly pairs: number;
  /** Pairs in which the candidate scored higher, and lower. */
  readonly wins: number;
  readonly losses: number;
  /** e-value against "the candidate is not better on average"; with `betterBy`, "not better by more than that". */
  readonly eBetter: number;
  /** e-value against "the candidate is not worse on average"; with `notWorseBy`, "not worse by more than that". */
  readonly eWorse: number;
  /** e-value against "the candidate gains at least `usefulGain`". */
  readonly eNoGain: number;
  /** e-value against "the candidate loses at least `notWorseBy`", or `usefulGain` without it. */
  readonly eNotWorse: number;
}

/** Mean gain of the candidate, in points of the score: -1 to 1. */
export interface Gain {
  readonly value: number;
  /** Bounds of 95 % each, valid however often they are read. */
  readonly low: number;
  readonly high: number;
}

/** Options of `PairedBet`. */
export interface PairedBetOptions {
  /** Loss that does not matter, above 0 and below 1. Without it, `eWorse` is about any loss. */
  readonly notWorseBy?: number;
  /** Gain to exceed, from 0 and below 1. Default 0. */
  readonly betterBy?: number;
  /** Limit on pairs. With it, half of the capital is bet until the last pair, which finds small gains. */
  readonly maxPairs?: number;
  /** e-value that proves the candidate better. Default 20. */
  readonly needed?: number;
}

/** Expectation for one pair, fixed before its problem is drawn. */
export interface Expected {
  /** Mean expected difference over all problems, less that of this problem. */
  readonly shift: number;
  /** Largest shift that any problem could have had, without its sign. */
  readonly largestShift: number;
}

const NOTHING_EXPECTED: Expected = { shift: 0, largestShift: 0 };

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
  readonly #notWorseBy: number | undefined;
  readonly #betterBy: number;
  /** Pairs by their shifted difference, in steps, and the largest shift that was possible. */
  readonly #counts = new Map<string, { readonly value: number; readonly reach: number; times: number }>();
  readonly #better: StakedBet;
  readonly #worse: StakedBet;
  readonly #noGain = new Array<number>(MARGIN_STAKES.length).fill(0);
  readonly #notWorse = new Array<number>(MARGIN_STAKES.length).fill(0);
  #pairs = 0;
  #sum = 0;
  #wins = 0;
  #losses = 0;

  /** @param usefulGain Smallest mean gain that matters, above 0 and below 1. */
  constructor(usefulGain: number, { notWorseBy, betterBy = 0, maxPairs, needed = NEEDED }: PairedBetOptions = {}) {
    this.#usefulGain = usefulGain;
    this.#notWorseBy = notWorseBy;
    this.#betterBy = betterBy;
    this.#better = new StakedBet({ needed, maxPairs });
    this.#worse = new StakedBet({ needed: NEEDED, maxPairs });
  }

  /**
   * Adds a pair: the candidate's score minus the baseline's, -1 to 1. `times` adds several equal ones. `expected` makes the
   * bet about what was not expected: its mean over the problems is the same, and it varies less.
   */
  add(difference: number, times = 1, { shift, largestShift }: Expected = NOTHING_EXPECTED): void {
    const step = Math.round((difference + shift) * STEPS);
    const value = step / STEPS;
    // Largest shifted difference that was possible, rounded up.
    const reach = 1 + Math.ceil(largestShift * 10) / 10;
    const key = `${step} ${reach}`;
    const counted = this.#counts.get(key);
    if (counted) counted.times += times;
    else this.#counts.set(key, { value, reach, times });
    this.#pairs += times;
    this.#sum += times * value;
    if (difference > 0.5 / STEPS) this.#wins += times;
    if (difference < -0.5 / STEPS) this.#losses += times;
    this.#bet(value, reach, times);
  }

  get evidence(): PairedEvidence {
    return {
      pairs: this.#pairs,
      wins: this.#wins,
      losses: this.#losses,
      eBetter: capital(this.#better.log),
      eWorse: capital(this.#worse.log),
      eNoGain: capital(betting.logMean(this.#noGain)),
      eNotWorse: capital(betting.logMean(this.#notWorse)),
    };
  }

  /** Mean of the differences so far, each less what was expected of its problem; 0 without any. */
  get mean(): number {
    return this.#pairs === 0 ? 0 : this.#sum / this.#pairs;
  }

  /** Returns the mean gain so far with its interval. Without pairs, the interval is -1 to 1. */
  gain(): Gain {
    const value = Math.max(-1, Math.min(1, this.mean));
    // Gains below the low end are excluded by bets that the true one is higher: the same bets as for `eBetter`.
    const low = this.#bound(1);
    const high = this.#bound(-1);
    const isBetter = this.#notWorseBy === undefined && Math.log(this.evidence.eBetter) >= EXCLUDED;
    return { value, low: Math.min(value, isBetter ? Math.max(this.#betterBy, low) : low), high: Math.max(value, high) };
  }

  #bet(value: number, reach: number, times: number): void {
    const margin = this.#notWorseBy ?? 0;
    const [lost, gained] = [value + margin, this.#usefulGain - value];
    const kept = value + (this.#notWorseBy ?? this.#usefulGain);
    for (let time = 0; time < times; time++) {
      this.#better.bet(value - this.#betterBy, { furthest: reach + this.#betterBy, won: 1 - this.#betterBy });
      this.#worse.bet(-lost, { furthest: reach + margin, won: 1 - margin });
    }
    // Scaled so that no stake below 1 can lose everything: the distance to the margin is at least `margin - reach`.
    const toGain = reach - this.#usefulGain;
    const toLoss = reach - (this.#notWorseBy ?? this.#usefulGain);
    for (const [index, stake] of MARGIN_STAKES.entries()) {
      add(this.#noGain, index, times * Math.log1p((stake / toGain) * gained));
      add(this.#notWorse, index, times * Math.log1p((stake / toLoss) * kept));
    }
  }

  /** Returns the lowest (1) or highest (-1) gain that is not excluded. */
  #bound(direction: 1 | -1): number {
    let [excluded, possible] = [-direction, this.mean];
    if (this.#logAgainst(excluded, direction) < EXCLUDED) return excluded;
    for (let halving = 0; halving < HALVINGS; halving++) {
      const middle = (excluded + possible) / 2;
      if (this.#logAgainst(middle, direction) < EXCLUDED) possible = middle;
      else excluded = middle;
    }
    return possible;
  }

  /** Log of the mean capital of bets that the true mean gain is higher (1) or lower (-1) than `gain`. */
  #logAgainst(gain: number, direction: 1 | -1): number {
    return betting.logMean(
      STAKES.map((stake) => {
        let log = 0;
        for (const { value, reach, times } of this.#counts.values()) {
          // A pair that ends as far off as possible takes at most `HIGHEST_LOSS`. At a gain of 0, these are the bets above.
          const [scale, furthest] = [1 + direction * gain + SMALL, reach + direction * gain + SMALL];
          const held = Math.min(stake / scale, HIGHEST_LOSS / furthest);
          log += times * Math.log1p(direction * held * (value - gain));
        }
        return log;
      }),
    );
  }
}

function add(logs: number[], index: number, log: number): void {
  logs[index] = (logs[index] ?? 0) + log;
}

function capital(log: number): number {
  return Math.exp(Math.min(log, LARGEST_LOG));
}
