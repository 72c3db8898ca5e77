import { BettingMartingale, type EndedUnit, logMean } from './betting-martingale.js';
import { RateGuess, type RateGuessSnapshot } from './rate-guess.js';

/** Failure-rate ratios (fix over control) that a bet on harm supposes. */
export const HARM_RATIOS: readonly number[] = [1.5, 2, 4];
/** A fix that leaves more than this share of the failures it targets does not count as useful. */
export const USEFUL_RATIO = 0.7;
/** Supposed correlations (rho) between tasks of one unit. */
export const SINGLE_RHO: readonly number[] = [0];
export const UNIT_RHOS: readonly number[] = [0, 0.05, 0.2, 1];
/**
 * Correlations supposed when ruling out a useful fix. Only the larger values: treating the tasks of one bad session as
 * independent rejects one in fourteen fixes that halve the failures.
 */
const NONE_RHOS: readonly number[] = [0.2, 1];

export interface EffectBetsOptions {
  /** Whether each unit is a single task. */
  readonly isSingle: boolean;
  /** Failure-rate ratios that the bet on a helpful fix supposes, and the ratio that a just useful fix leaves. */
  readonly helpRatios: readonly number[];
  readonly usefulRatio: number;
}

export interface EffectBetsSnapshot {
  readonly help: readonly number[];
  readonly harm: readonly number[];
  readonly useful: readonly number[];
  readonly guess: RateGuessSnapshot;
}

/** Bets that a fix helps, harms or is of no use, with the estimate of control's failure rate that they share. */
export class EffectBets {
  readonly help: BettingMartingale;
  readonly harm: BettingMartingale;
  readonly guess: RateGuess;
  /** Bet on a fix that is just useful. Its losses are evidence that the fix is not useful. */
  readonly #useful: BettingMartingale;
  readonly #isSingle: boolean;

  constructor({ isSingle, helpRatios, usefulRatio }: EffectBetsOptions, snapshot?: EffectBetsSnapshot) {
    const rhos = isSingle ? SINGLE_RHO : UNIT_RHOS;
    this.help = new BettingMartingale(helpRatios, rhos, snapshot?.help);
    this.harm = new BettingMartingale(HARM_RATIOS, rhos, snapshot?.harm);
    this.#useful = new BettingMartingale([usefulRatio], isSingle ? rhos : NONE_RHOS, snapshot?.useful);
    this.guess = new RateGuess(snapshot?.guess);
    this.#isSingle = isSingle;
  }

  /** Bets on a unit with the estimate made before it. A unit with a share of 0 or 1 was not randomised. */
  bet(unit: EndedUnit): void {
    if (!(unit.share > 0 && unit.share < 1)) return;
    const { rate } = this.guess;
    this.help.bet(unit, rate);
    this.harm.bet(unit, rate);
    // A failed single task's arm has the same odds at any failure rate, so this bet is exact, too.
    if (unit.failures > 0 || !this.#isSingle) this.#useful.bet(unit, rate);
  }

  /** Updates the estimate of control's failure rate. Call it after the bet on the unit. */
  learn({ arm, tasks, failures }: EndedUnit): void {
    if (arm === 'control') this.guess.add(tasks, failures);
  }

  /** Learns from tasks before the trial, of which only the totals are known. */
  seed(tasks: number, failures: number): void {
    this.guess.add(tasks, failures);
  }

  /** Bets on a unit, then learns from it. */
  take(unit: EndedUnit): void {
    this.bet(unit);
    this.learn(unit);
  }

  get logHelp(): number {
    return this.help.log;
  }

  get logHarm(): number {
    return this.harm.log;
  }

  /** Running failure rate of control. */
  get rate(): number {
    return this.guess.rate;
  }

  /** Natural logarithm of the e-value that the fix is not useful. */
  get logNone(): number {
    const { logs } = this.#useful;
    return logs.length === 1 ? -(logs[0] ?? 0) : logMean(logs.map((log) => -log));
  }

  snapshot(): EffectBetsSnapshot {
    return {
      help: [...this.help.logs],
      harm: [...this.harm.logs],
      useful: [...this.#useful.logs],
      guess: this.guess.snapshot(),
    };
  }
}
