/** Failure-rate multiple that counts as a change. */
const CHANGE = 2;
const HIGHEST = 0.95;
/** Minimum CUSUM for an alarm: about one false alarm in 20,000 tasks that fail independently. */
const LOWEST_LIMIT = 10;
/** Safety margin over the highest peak of earlier bad stretches that ended without a change. */
const PEAK_MARGIN = 2.5;
/** Tasks that the baseline rate is averaged over, and the minimum before detection begins. */
const MEMORY = 2_000;
const ENOUGH = 30;

export interface ChangeDetectorSnapshot {
  readonly tasks: number;
  readonly failures: number;
  readonly sum: number;
  readonly rise: number;
  readonly peak: number;
}

/**
 * Change detector (CUSUM, Page 1954): detects when the failure rate doubles, over all tasks of both arms. Nothing is
 * randomised here, so an alarm is not proof: a drift in the environment looks the same. The detector learns how far the
 * sum rises in temporary bad stretches and reports only clearly larger rises.
 */
export class ChangeDetector {
  #tasks: number;
  #failures: number;
  #sum: number;
  /** Highest sum since it was last 0. */
  #rise: number;
  /** Highest of the completed rises. */
  #peak: number;

  constructor(snapshot?: ChangeDetectorSnapshot) {
    this.#tasks = snapshot?.tasks ?? 0;
    this.#failures = snapshot?.failures ?? 0;
    this.#sum = snapshot?.sum ?? 0;
    this.#rise = snapshot?.rise ?? 0;
    this.#peak = snapshot?.peak ?? 0;
  }

  /** Replaces the baseline rate, but keeps the peak of earlier bad stretches. */
  restart(tasks: number, failures: number): void {
    this.rest();
    [this.#tasks, this.#failures] = [tasks, failures];
  }

  /** Resets the sum and records the current rise as a bad stretch, not a change. */
  rest(): void {
    this.#peak = Math.max(this.#peak, this.#rise);
    [this.#sum, this.#rise] = [0, 0];
  }

  /** Adds the next tasks. Returns true while failures exceed what earlier bad stretches explain. */
  add(tasks: number, failures: number): boolean {
    const usual = this.#usual;
    if (this.#tasks >= ENOUGH) {
      const changed = Math.min(HIGHEST, CHANGE * usual);
      const worse = failures * Math.log(changed / usual) + (tasks - failures) * Math.log((1 - changed) / (1 - usual));
      this.#sum = Math.max(0, this.#sum + worse);
      if (this.#sum === 0) this.rest();
      else this.#rise = Math.max(this.#rise, this.#sum);
    }
    this.#tasks += tasks;
    this.#failures += failures;
    if (this.#tasks > MEMORY) {
      this.#failures *= MEMORY / this.#tasks;
      this.#tasks = MEMORY;
    }
    return this.#sum >= Math.max(LOWEST_LIMIT, PEAK_MARGIN * this.#peak);
  }

  snapshot(): ChangeDetectorSnapshot {
    return {
      tasks: this.#tasks,
      failures: this.#failures,
      sum: this.#sum,
      rise: this.#rise,
      peak: this.#peak,
    };
  }

  /** Baseline rate, biased upwards: with little data the detector rarely reports a change. */
  get #usual(): number {
    return Math.min(HIGHEST / CHANGE, (this.#failures + 1 + Math.sqrt(this.#failures + 1)) / (this.#tasks + 2));
  }
}
