/** Tasks of a stretch that a loop looks at before it acts. */
const STRETCH = 30;
const PAST = 100;

/**
 * Finds the moments at which a loop would act: more failures among the last 30 tasks than the usual rate explains.
 * Trying fixes just there is what makes useless ones look good: it was bad, so it gets better without a fix.
 */
export class BadStretch {
  readonly #failed: boolean[] = [];
  #failures = 0;
  #recent = 0;

  add(failed: boolean): void {
    this.#failed.push(failed);
    if (failed) [this.#failures, this.#recent] = [this.#failures + 1, this.#recent + 1];
    if (this.#failed[this.#failed.length - 1 - STRETCH]) this.#recent--;
  }

  get isBad(): boolean {
    const count = this.#failed.length;
    const usual = this.#failures / count;
    const unusual = STRETCH * usual + 1.5 * Math.sqrt(STRETCH * usual * (1 - usual));
    return count >= 2 * STRETCH && this.#recent >= 2 && this.#recent > unusual;
  }

  get count(): number {
    return this.#failed.length;
  }

  /** Failures among the tasks of the last stretch, 0 to 1. */
  get rate(): number {
    return this.#recent / STRETCH;
  }

  /** Knowledge of a new trial about the time before. */
  get past(): { readonly tasks: number; readonly failures: number } {
    const tasks = this.#failed.slice(-PAST);
    return { tasks: tasks.length, failures: tasks.filter(Boolean).length };
  }
}
