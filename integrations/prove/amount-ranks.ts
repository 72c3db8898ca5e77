/** Sessions with which a new one is compared, so that ranks follow a level that drifts. */
const WINDOW = 200;
/** A rank varies a third as much as a single task that fails or not. */
const TASKS = 3;

/** Amount of a session as tasks of which some failed: the bets on failures then hold for it. */
export interface RankedTasks {
  readonly tasks: number;
  readonly failures: number;
}

/**
 * Ranks of amounts such as tokens or durations among those of earlier sessions. A rank has the same spread however heavy
 * the tail of the amounts is, and no draw of a session decides about it if its line has no effect.
 */
export class AmountRanks {
  readonly #recent: number[] = [];

  /** Returns an amount as three tasks that fail as often as earlier amounts are lower. */
  asTasks(amount: number): RankedTasks {
    let halves = 1;
    for (const each of this.#recent) halves += each < amount ? 2 : each === amount ? 1 : 0;
    return { tasks: TASKS, failures: (TASKS * halves) / (2 * (this.#recent.length + 1)) };
  }

  add(amount: number): void {
    this.#recent.push(amount);
    if (this.#recent.length > WINDOW) this.#recent.shift();
  }
}
