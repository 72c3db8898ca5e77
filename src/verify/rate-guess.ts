/** Per task; older tasks of the control arm count less and less. */
const DECAY = 2 ** (-1 / 50);
const LOWEST = 0.005;
const HIGHEST = 0.9;

export interface RateGuessSnapshot {
  readonly failures: number;
  readonly weight: number;
}

/**
 * A running guess of control's failure rate, from control units that were bet on before: recency weighted with a
 * half-life of 50 tasks. A bad guess costs speed, never validity.
 */
export class RateGuess {
  #failures: number;
  #weight: number;

  /** `rate` and `weight`: what to believe before anything was seen, and how many tasks that belief is worth. */
  constructor(rate = 0.2, weight = 8) {
    this.#failures = rate * weight;
    this.#weight = weight;
  }

  /** 0.005 to 0.9. */
  get rate(): number {
    return Math.min(HIGHEST, Math.max(LOWEST, this.#failures / this.#weight));
  }

  /** Takes in tasks that are the next in time, their failures spread evenly among them. */
  add(tasks: number, failures: number): void {
    if (tasks <= 0) return;
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
