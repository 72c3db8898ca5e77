/** Extra attempts per task for errors that more load makes worse. No setting raises it. */
const PRESSURE_SHARE = 0.1;
/** Extra attempts per task for all other errors. */
const OTHER_SHARE = 0.5;
/** Extra attempts on credit for a fresh model, so that a process with few tasks can retry at all. */
const CREDIT = 3;
/** Tasks after which the past counts half, so that a long healthy period does not build up a large budget. */
const MEMORY = 1_000;

/**
 * Limits extra attempts on one model, shared by all its callers. They are at most 10 % of the tasks that called it, or 3
 * if that is more. For errors that do not mean pressure the share is 50 %.
 */
export class RetryBudget {
  #tasks = 0;
  #pressure = 0;
  #other = 0;

  /** Counts a task that calls this model for the first time. */
  countTask(): void {
    this.#tasks++;
    if (this.#tasks < MEMORY) return;
    this.#tasks /= 2;
    this.#pressure /= 2;
    this.#other /= 2;
  }

  /** Returns whether the budget has an extra attempt left. */
  allows(isPressure: boolean): boolean {
    const spent = isPressure ? this.#pressure : this.#other;
    return spent + 1 <= Math.max(CREDIT, this.#tasks * (isPressure ? PRESSURE_SHARE : OTHER_SHARE));
  }

  /** Takes one extra attempt out of the budget. Returns false if the budget is used up. */
  take(isPressure: boolean): boolean {
    if (!this.allows(isPressure)) return false;
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

/** Budget state as data. */
export interface BudgetState {
  readonly tasks: number;
  /** Extra attempts spent on errors that mean pressure; `other` counts the rest. */
  readonly pressure: number;
  readonly other: number;
}
