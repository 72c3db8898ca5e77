import { normalDensity, normalQuantile, normalShare } from '../lib/statistics.js';

/** Variance of an end whose rate is unknown, and the units it counts for. */
const PRIOR = { variance: 0.16, weight: 10 };
/** The variance is supposed a little lower than in the past, so that the bet is not spent before the deadline. */
const CAUTION = 0.9;
const LAST = 1.05;
/** Upper bound on a stake, as a fraction of the stake that could lose everything. */
const HIGHEST = 0.93;

export interface DeadlineBetSnapshot {
  /** Supposed variance of one unit's residual and of all units up to the deadline. 0 until the first bet. */
  readonly ofOne: number;
  readonly ofAll: number;
  /** Sum of the residuals that the bet needs. */
  readonly target: number;
  readonly won: number;
  readonly used: number;
  readonly log: number;
  readonly past: { readonly sum: number; readonly weight: number };
}

/**
 * Bet that pays at the trial's deadline: it turns its capital into 1 / `price` if the residuals then sum to more than a
 * target. Its stake is that of the option with this payoff (a call on a normal sum), so it grows as the sum nears the
 * target late. Stakes depend on earlier units only, so the capital is a martingale if the fix does nothing.
 */
export class DeadlineBet {
  readonly #units: number;
  readonly #price: number;
  readonly #state: { -readonly [Name in keyof DeadlineBetSnapshot]: DeadlineBetSnapshot[Name] };

  /** @param units Units expected up to the deadline. `price`: probability that a useless fix reaches the payoff. */
  constructor(units: number, price: number, snapshot: DeadlineBetSnapshot = UNUSED) {
    this.#units = units;
    this.#price = price;
    this.#state = { ...snapshot };
  }

  get log(): number {
    return this.#state.log;
  }

  /** Adds squared errors of predictions for units before the trial. */
  learn(squares: number, units: number): void {
    const { sum, weight } = this.#state.past;
    this.#state.past = { sum: sum + squares, weight: weight + units };
  }

  /** Bets on a residual, drawn with `share`. `limit` is the stake that could lose nearly everything. */
  bet(residual: number, share: number, limit: number): void {
    const state = this.#state;
    if (state.ofOne === 0) this.#begin(share);
    if (state.used >= LAST * state.ofAll) return;
    const rest = Math.sqrt(Math.max(state.ofAll - state.used, state.ofOne / 2));
    const distance = (state.won - state.target) / rest;
    const delta = normalDensity(distance) / Math.max(normalShare(distance), 1e-9) / rest;
    state.log += Math.log1p(-Math.min(delta, HIGHEST * limit) * residual);
    state.won -= residual;
    state.used += residual * residual;
  }

  snapshot(): DeadlineBetSnapshot {
    return { ...this.#state };
  }

  #begin(share: number): void {
    const { sum, weight } = this.#state.past;
    this.#state.ofOne = ((CAUTION * sum) / weight) * share * (1 - share);
    this.#state.ofAll = this.#units * this.#state.ofOne;
    this.#state.target = normalQuantile(1 - this.#price) * Math.sqrt(this.#state.ofAll);
  }
}

const UNUSED: DeadlineBetSnapshot = {
  ofOne: 0,
  ofAll: 0,
  target: 0,
  won: 0,
  used: 0,
  log: 0,
  past: { sum: PRIOR.variance * PRIOR.weight, weight: PRIOR.weight },
};
