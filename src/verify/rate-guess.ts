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
  #failures: number;
  #weight: number;

  /** `rate` and `weight` are the prior: the initial rate, and how many tasks it is worth. */
  constructor(rate = 0.2, weight = 8) {
    this.#failures = rate * weight;
    this.#weight = weight;
  }

  /** Current estimate, clamped to 0.005 to 0.9. */
  get rate(): number {
    return Math.min(HIGHEST, Math.max(LOWEST, this.#failures / this.#weight));
  }

  /** Adds the next tasks in time. Their failures count as evenly spread among them. */
  add(tasks: number, failures: number): void {
    if (!(tasks > 0)) return;
    const kept = DECAY ** tasks;
    const added = (1 - kept) / (1 - DECAY);
    this.#failures = this.#failures * kept + (failures / tasks) * added;
    this.#weight = this.#weight * kept + added;
  }

  snapshot(): RateGuessSnapshot {
    return { failures: this.#failures, weight: this.#weight };
  }

  static restore(snapshot: RateGuessSnapshot): RateGuess {
    const guess = new RateGuess();
    guess.#failures = snapshot.failures;
    guess.#weight = snapshot.weight;
    return guess;
  }
}
