/** Extra attempts per task for errors that more load makes worse. No setting widens it. */
const PRESSURE_SHARE = 0.1;
/** Extra attempts per task for all other errors. */
const OTHER_SHARE = 0.5;
/** Extra attempts a fresh model may have on credit, so that a process of few tasks can retry at all. */
const CREDIT = 3;
/** Tasks after which the past counts half, so that a long good time does not save up for a storm. */
const MEMORY = 1_000;

/**
 * Bounds extra attempts on one model, shared by all its callers: at any time at most 10 % (50 %) of the tasks that
 * asked it, or 3 while there were fewer than 30 (6).
 */
export class RetryBudget {
  #tasks = 0;
  #pressure = 0;
  #other = 0;

  /** A task asks this model for the first time. */
  countTask(): void {
    this.#tasks++;
    if (this.#tasks < MEMORY) return;
    this.#tasks /= 2;
    this.#pressure /= 2;
    this.#other /= 2;
  }

  /** Takes one extra attempt out of the budget, if there is one. */
  take(isPressure: boolean): boolean {
    const spent = isPressure ? this.#pressure : this.#other;
    if (spent + 1 > Math.max(CREDIT, this.#tasks * (isPressure ? PRESSURE_SHARE : OTHER_SHARE))) return false;
    if (isPressure) this.#pressure++;
    else this.#other++;
    return true;
  }

  save(): BudgetState {
    return { tasks: this.#tasks, pressure: this.#pressure, other: this.#other };
  }

  restore({ tasks, pressure, other }: BudgetState): void {
    this.#tasks = Math.min(tasks, MEMORY);
    this.#pressure = pressure;
    this.#other = other;
  }
}

/** A budget as data. */
export interface BudgetState {
  readonly tasks: number;
  /** Extra attempts spent on errors that mean pressure, and on others. */
  readonly pressure: number;
  readonly other: number;
}
