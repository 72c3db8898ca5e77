/** Difference of failure rates, with the line minus without it: below 0, the line helps. */
export interface LineEffect {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Stakes as fractions of the highest possible one. */
const STAKES: readonly number[] = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32];
/** Each end of the interval is wrong in at most 1 of 40 studies, ever. */
const LOG_NEEDED = /* @__PURE__ */ Math.log(40);
const BISECTIONS = 40;

/**
 * Mean effect of a line over the sessions in which a coin decided, with a confidence interval that stays valid however
 * often it is read. Each session scores how much its failure rate differs from a prediction made before, divided by the
 * probability of the line's state: the mean of this score is the effect in that session. (Empirical Bernstein
 * confidence sequence, Howard et al. 2021, with a mixture of stakes.)
 */
export class EffectInterval {
  #sum = 0;
  #squares = 0;
  #sessions = 0;
  /** Largest possible score: set by the least probable state. */
  readonly #largest: number;

  constructor(share: number) {
    this.#largest = Math.max(1 / share, 1 / (1 - share));
  }

  /** Number of sessions in which a coin decided. */
  get sessions(): number {
    return this.#sessions;
  }

  add(isIn: boolean, share: number, rate: number, predicted: number): void {
    const score = (isIn ? 1 / (1 - share) : -1 / share) * (rate - predicted);
    this.#sum += score;
    this.#squares += score * score;
    this.#sessions++;
  }

  effect(): LineEffect {
    if (this.#sessions === 0) return { value: 0, low: -1, high: 1 };
    const value = clamp(this.#sum / this.#sessions);
    const radius = this.#radius() / this.#sessions;
    return { value, low: clamp(value - radius), high: clamp(value + radius) };
  }

  /** Returns the largest sum of deviations that the bets do not rule out. */
  #radius(): number {
    let low = 0;
    let high = this.#sessions * this.#largest * 2;
    for (let step = 0; step < BISECTIONS; step++) {
      const middle = (low + high) / 2;
      if (this.#logCapital(middle) < LOG_NEEDED) low = middle;
      else high = middle;
    }
    return high;
  }

  #logCapital(deviation: number): number {
    const logs = STAKES.map((stake) => {
      const cost = (-Math.log1p(-stake) - stake) / this.#largest ** 2;
      return (stake / this.#largest) * deviation - cost * this.#squares;
    });
    const largest = Math.max(...logs);
    return largest + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - largest), 0) / logs.length);
  }
}

function clamp(value: number): number {
  return Math.min(1, Math.max(-1, value));
}
