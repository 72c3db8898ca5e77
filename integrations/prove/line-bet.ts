import { probability } from './line-regression.js';

/** Effects of a line on the log odds of failure that the bets suppose: odds × 1.4, 2 and 4, or their inverse. */
const EFFECTS: readonly number[] = [0.35, 0.7, 1.4];
const WEIGHTS: readonly number[] = [0.1, 0.8, 0.1];
const LARGEST_LOG = /* @__PURE__ */ Math.log(1e300);
/** No failure is certain, and none is impossible. */
const LEAST_RATE = 0.002;

/** E-values that a line lowers failures, and that it raises them. */
export interface Evidence {
  readonly eHelps: number;
  readonly eHarms: number;
}

/** Session as one line's bet sees it. */
export interface BetSession {
  readonly isIn: boolean;
  /** Probability with which the line was left out. */
  readonly share: number;
  readonly tasks: number;
  readonly failures: number;
  /** Weight of each task, 0 to 1. */
  readonly weight: number;
  /** Prediction without the line's own part. */
  readonly logOdds: number;
  readonly shrink: number;
}

/**
 * Bets on one line: guesses from a session's failures whether the line was in it. If the line has no effect, only luck
 * wins, because a coin decided. The capital of each direction is a non-negative martingale that starts at 1. A poor
 * prediction only slows it down. In the wrong direction it falls on average.
 */
export class LineBet {
  readonly #helps: number[];
  readonly #harms: number[];

  /** `earlier` is the evidence of an earlier study, also if it is small: e-values of separate sessions multiply. */
  constructor({ eHelps, eHarms }: Evidence = { eHelps: 1, eHarms: 1 }) {
    this.#helps = new Array<number>(EFFECTS.length).fill(Math.log(eHelps));
    this.#harms = new Array<number>(EFFECTS.length).fill(Math.log(eHarms));
  }

  bet(session: BetSession): void {
    const { isIn, share } = session;
    for (let index = 0; index < EFFECTS.length; index++) {
      const shift = (EFFECTS[index] ?? 0) / 2;
      const above = logLikelihood(session, shift);
      const below = logLikelihood(session, -shift);
      this.#harms[index] = (this.#harms[index] ?? 0) + logFactor(isIn, share, above, below);
      this.#helps[index] = (this.#helps[index] ?? 0) + logFactor(isIn, share, below, above);
    }
  }

  /** E-value that the line lowers failures. */
  get eHelps(): number {
    return capital(this.#helps);
  }

  get eHarms(): number {
    return capital(this.#harms);
  }
}

/** Returns the log likelihood of a session's failures if the line shifts the log odds by this much. */
function logLikelihood({ tasks, failures, weight, logOdds, shrink }: BetSession, shift: number): number {
  const rate = Math.min(1 - LEAST_RATE, Math.max(LEAST_RATE, probability(shrink * (logOdds + shift))));
  return weight * (failures * Math.log(rate) + (tasks - failures) * Math.log(1 - rate));
}

/** Returns the log factor of a capital, from the likelihoods with and without the line. Its mean over the coin is 1. */
function logFactor(isIn: boolean, share: number, ifIn: number, ifOut: number): number {
  const highest = Math.max(ifIn, ifOut);
  const mixture = highest + Math.log((1 - share) * Math.exp(ifIn - highest) + share * Math.exp(ifOut - highest));
  return (isIn ? ifIn : ifOut) - mixture;
}

function capital(logs: readonly number[]): number {
  return logs.reduce((sum, log, index) => sum + (WEIGHTS[index] ?? 0) * Math.exp(Math.min(log, LARGEST_LOG)), 0);
}
