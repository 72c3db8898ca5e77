import type { Arm } from '../contract/start.js';
import { type EndedUnit, LARGEST_LOG, logMean } from './betting-martingale.js';
import { DeadlineBet, type DeadlineBetSnapshot } from './deadline-bet.js';
import { Difficulty, type DifficultySnapshot } from './difficulty.js';

/** Stakes on help and on harm, as supposed gains per residual. Small ones reach small effects. */
const HELP_STAKES: readonly number[] = [0.08, 0.18, 0.33, 0.55, 0.8];
/** If nearly all units fail without the fix, a cure is proven sooner with larger stakes. */
const CURE_STAKES: readonly number[] = [0.18, 0.33, 0.55, 0.8, 1.5];
const HARM_STAKES: readonly number[] = [0.12, 0.3, 0.7, 1.3];
/** Stakes on "no useful gain", as multiples of the best one for a useless fix. The large one finds harm early. */
const NONE_STAKES: readonly number[] = [1, 4];
/** Part of the capital on the large one. */
const FOR_HARM = 0.2;
/** Upper bounds on a stake, as fractions of the stake that could lose everything. */
const HIGHEST = 0.97;
const HIGHEST_NONE = 0.7;
/** Part of the capital that bets on the trial's deadline. */
const FOR_DEADLINE = 0.15;
/** Default of the smallest gain worth having: 5 in 100 units, or 30 % of the failures if that is less. */
export const SMALLEST_GAIN = 0.05;
/** The gain that is asked for is at most this share of the failures. */
export const SMALLEST_PART = 0.3;
/** Recency-weighted mean square of the scores of the bet on no useful gain: its decay and its prior. */
const SQUARES = { kept: 0.998, sum: 16, weight: 20 };
/** Largest log capital in the estimate of the gain. Larger ones all mean certainty. */
const CERTAIN = 600;

export interface ResidualBetsOptions {
  /** 1 / alpha, which prices the bet on the deadline. */
  readonly needed: number;
  /** Share of the failures that the fix targets, above 0 to 1. Default 1. */
  readonly aim?: number;
  /** Smallest gain worth having, as a share of units: at most 0.3 of the failure rate is asked for. Default 0.05. */
  readonly smallestGain?: number;
  /** Gain that the price of the change or a low volume asks for at least, at any rate. Default 0. */
  readonly leastGain?: number;
  /** Units expected up to the deadline, 200 to 1,000. Without it, nothing is bet on the deadline. */
  readonly horizon?: number;
  /** Whether nearly all units fail without the fix, as among tasks that met a trigger. */
  readonly isCure?: boolean;
}

export interface ResidualBetsSnapshot {
  readonly help: readonly number[];
  readonly harm: readonly number[];
  readonly none: readonly number[];
  readonly deadline: DeadlineBetSnapshot | null;
  readonly difficulty: DifficultySnapshot;
  /** Sums over all bets: units, squared residuals of the ends; largest gain asked for. */
  readonly units: number;
  readonly squares: number;
  readonly largest: number;
  /** Recency-weighted squares of the scores on no useful gain, and their weight. */
  readonly scores: readonly [sum: number, weight: number];
}

/**
 * Bets on the residual of each unit: how it ended minus a prediction made before its arm was known. If the fix is no
 * better on average, (arm - share) x residual has mean 0 or more given everything before, so no stake wins on average.
 * Each stake's capital is then a non-negative supermartingale that starts at 1, as is their mean (Waudby-Smith and
 * Ramdas 2020). This holds for every prediction, and also if the fix helps some tasks and harms as many others.
 */
export class ResidualBets {
  readonly #stakes: readonly number[];
  readonly #gain: Required<Pick<ResidualBetsOptions, 'aim' | 'smallestGain' | 'leastGain'>>;
  readonly #help: number[];
  readonly #harm: number[];
  readonly #none: number[];
  readonly #deadline: DeadlineBet | undefined;
  readonly #difficulty: Difficulty;
  #units: number;
  #squares: number;
  #largest: number;
  #scores: readonly [sum: number, weight: number];

  constructor(options: ResidualBetsOptions, snapshot?: ResidualBetsSnapshot) {
    const { needed, aim = 1, smallestGain = SMALLEST_GAIN, leastGain = 0, horizon, isCure = false } = options;
    this.#stakes = isCure ? CURE_STAKES : HELP_STAKES;
    this.#gain = { aim, smallestGain, leastGain };
    this.#help = [...(snapshot?.help ?? HELP_STAKES.map(() => 0))];
    this.#harm = [...(snapshot?.harm ?? HARM_STAKES.map(() => 0))];
    this.#none = [...(snapshot?.none ?? NONE_STAKES.map(() => 0))];
    if (horizon !== undefined && horizon > 0)
      this.#deadline = new DeadlineBet(horizon, FOR_DEADLINE / needed, snapshot?.deadline ?? undefined);
    this.#difficulty = new Difficulty(snapshot?.difficulty);
    this.#units = snapshot?.units ?? 0;
    this.#squares = snapshot?.squares ?? 0;
    this.#largest = snapshot?.largest ?? 0;
    this.#scores = snapshot?.scores ?? [SQUARES.sum, SQUARES.weight];
  }

  /** Learns from tasks before the trial, of which only the totals are known. */
  seed(tasks: number, failures: number): void {
    this.#difficulty.learnTotals(tasks, failures);
    if (tasks > 0) this.#deadline?.learn((failures * (tasks - failures)) / tasks, tasks);
  }

  /** Learns how a unit before the trial ended. */
  practise(failed: number, names?: readonly string[]): void {
    const prediction = this.#difficulty.predict(names);
    this.#deadline?.learn((failed - prediction.rate) ** 2, 1);
    this.#difficulty.learn(prediction, names, failed);
  }

  /** Bets on a unit and learns from it. `names` were recorded at its start. A share of 0 or 1 was not randomised. */
  take({ arm, share, tasks, failures }: EndedUnit, names?: readonly string[]): void {
    const prediction = this.#difficulty.predict(names);
    const failed = failures / tasks;
    if (share > 0 && share < 1) this.#bet(failed - prediction.rate, prediction, arm, share);
    this.#difficulty.learn(prediction, names, failed);
  }

  get logHelp(): number {
    const log = logMean(this.#help);
    return this.#deadline ? logSum(Math.log(1 - FOR_DEADLINE) + log, Math.log(FOR_DEADLINE) + this.#deadline.log) : log;
  }

  get logHarm(): number {
    return logMean(this.#harm);
  }

  get logNone(): number {
    const [usual = 0, large = 0] = this.#none;
    return logSum(Math.log(1 - FOR_HARM) + usual, Math.log(FOR_HARM) + large);
  }

  /** Largest gain that `logNone` excludes, as a share of units. */
  get excluded(): number {
    return this.#largest;
  }

  /** Running failure rate of both arms. */
  get rate(): number {
    return this.#difficulty.predict().base;
  }

  /** Mean square of a residual so far; undefined until the first bet. */
  get variance(): number | undefined {
    return this.#units > 0 ? this.#squares / this.#units : undefined;
  }

  /** Gain asked for at the present failure rate, as a share of units. */
  get gainAskedFor(): number {
    return this.#askedFor(this.rate);
  }

  /**
   * Estimated gain as a share of units: the gains that the stakes suppose, weighted by their capital, and 0 with the
   * capital at the start. A lucky stop inflates it less than the difference of the rates.
   */
  get gain(): number {
    const variance = this.variance ?? 0;
    let [sum, weight] = [0, this.#help.length];
    for (const [index, log] of this.#help.entries()) {
      const capital = Math.exp(Math.min(CERTAIN, log));
      sum += capital * 2 * (this.#stakes[index] ?? 0) * variance;
      weight += capital;
    }
    return sum / weight;
  }

  snapshot(): ResidualBetsSnapshot {
    return {
      help: [...this.#help],
      harm: [...this.#harm],
      none: [...this.#none],
      deadline: this.#deadline?.snapshot() ?? null,
      difficulty: this.#difficulty.snapshot(),
      units: this.#units,
      squares: this.#squares,
      largest: this.#largest,
      scores: [...this.#scores],
    };
  }

  #bet(residual: number, { rate, base }: { rate: number; base: number }, arm: Arm, share: number): void {
    const score = ((arm === 'fix' ? 1 : 0) - share) * residual;
    const farthest = Math.max(rate, 1 - rate);
    const limit = 1 / (Math.max(share, 1 - share) * farthest);
    stakeAll(this.#help, this.#stakes, HIGHEST * limit, -score);
    stakeAll(this.#harm, HARM_STAKES, HIGHEST * limit, score);
    this.#deadline?.bet(score, share, HIGHEST * limit);
    this.#betOnNone(-score / (share * (1 - share)), this.#askedFor(base), farthest / Math.min(share, 1 - share));
    this.#units++;
    this.#squares += residual * residual;
  }

  /** Bets that the unit's `gain`, which has the mean of the true one, is less than the gain asked for. */
  #betOnNone(gain: number, askedFor: number, largestGain: number): void {
    const score = askedFor - gain;
    const [sum, weight] = this.#scores;
    const highest = HIGHEST_NONE / Math.max(0.01, largestGain - askedFor);
    for (const [index, times] of NONE_STAKES.entries()) {
      const stake = Math.min((times * askedFor * weight) / sum, highest);
      this.#none[index] = (this.#none[index] ?? 0) + Math.log1p(stake * score);
    }
    this.#scores = [sum * SQUARES.kept + score * score, weight * SQUARES.kept + 1];
    this.#largest = Math.max(this.#largest, askedFor);
  }

  #askedFor(rate: number): number {
    const { aim, smallestGain, leastGain } = this.#gain;
    return Math.max(aim * Math.min(smallestGain, SMALLEST_PART * rate), leastGain);
  }
}

/** Adds the log factor of a bet with each stake: 1 + stake x score. The stakes count twice, as scores are halved. */
function stakeAll(logs: number[], stakes: readonly number[], limit: number, score: number): void {
  for (const [index, stake] of stakes.entries()) {
    logs[index] = (logs[index] ?? 0) + Math.log1p(Math.min(2 * stake, limit) * score);
  }
}

/** Returns the logarithm of a sum of two numbers given as logarithms, at most that of 1e300. */
function logSum(one: number, other: number): number {
  return Math.min(LARGEST_LOG, logMean([one, other]) + Math.LN2);
}
