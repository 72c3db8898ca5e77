/** How much more fails once something has changed. */
const CHANGE = 2;
const HIGHEST = 0.95;
/** The sum must rise this far; about one false alarm in 20,000 tasks that fail independently of each other. */
const LOWEST_LIMIT = 10;
/** A bad stretch that ended by itself may come back this many times as bad. */
const PEAK_MARGIN = 2.5;
/** Tasks that the usual rate is taken from, and how many there must be first. */
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
 * Looks for the moment from which twice as much fails as usual (CUSUM, Page 1954), over all tasks, whatever their arm.
 * Nothing is drawn here, so this proves nothing: bad weather looks the same. It learns how far the sum rises in bad
 * stretches that end by themselves, and reports only what rises well above that.
 */
export class ChangeDetector {
  #tasks: number;
  #failures: number;
  #sum: number;
  /** The highest sum since it was last 0. */
  #rise: number;
  /** The highest of the rises that are over. */
  #peak: number;

  constructor(snapshot?: ChangeDetectorSnapshot) {
    this.#tasks = snapshot?.tasks ?? 0;
    this.#failures = snapshot?.failures ?? 0;
    this.#sum = snapshot?.sum ?? 0;
    this.#rise = snapshot?.rise ?? 0;
    this.#peak = snapshot?.peak ?? 0;
  }

  /** Forgets the usual rate, but not how bad stretches can be. */
  restart(tasks: number, failures: number): void {
    this.rest();
    [this.#tasks, this.#failures] = [tasks, failures];
  }

  /** Begins to look anew: what was risen to is known to be no change. */
  rest(): void {
    this.#peak = Math.max(this.#peak, this.#rise);
    [this.#sum, this.#rise] = [0, 0];
  }

  /** Takes the next tasks; true while they fail more than bad weather explains. */
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

  /** Rather too high: as long as little is known, little is taken for a change. */
  get #usual(): number {
    return Math.min(HIGHEST / CHANGE, (this.#failures + 1 + Math.sqrt(this.#failures + 1)) / (this.#tasks + 2));
  }
}
