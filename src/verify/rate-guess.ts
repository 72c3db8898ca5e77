import type { Mutable } from '../lib/mutable.js';

/** Decay per task of the control arm. */
const DECAY = 2 ** (-1 / 50);
const LOWEST = 0.005;
const HIGHEST = 0.9;

export interface RateGuessSnapshot {
  readonly failures: number;
  readonly weight: number;
}

/**
 * Running estimate of control's failure rate, from control units already bet on. Weighted by recency, with a half-life
 * of 50 tasks. A poor estimate slows the test down but does not bias it.
 */
export class RateGuess {
  readonly #state: Mutable<RateGuessSnapshot>;

  constructor(snapshot: RateGuessSnapshot = priorOf(0.2)) {
    this.#state = { ...snapshot };
  }

  /** Current estimate, clamped to 0.005 to 0.9. */
  get rate(): number {
    return Math.min(HIGHEST, Math.max(LOWEST, this.#state.failures / this.#state.weight));
  }

  /** Adds the next tasks in time. Their failures count as evenly spread among them. */
  add(tasks: number, failures: number): void {
    if (!(tasks > 0)) return;
    const kept = DECAY ** tasks;
    const added = (1 - kept) / (1 - DECAY);
    this.#state.failures = this.#state.failures * kept + (failures / tasks) * added;
    this.#state.weight = this.#state.weight * kept + added;
  }

  snapshot(): RateGuessSnapshot {
    return { ...this.#state };
  }
}

/** Returns a prior for the estimate: this rate, worth eight tasks. */
export function priorOf(rate: number): RateGuessSnapshot {
  return { failures: rate * 8, weight: 8 };
}
