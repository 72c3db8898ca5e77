import type { Mutable } from '../lib/mutable.js';

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
  /** Highest sum since it was last 0. */
  readonly rise: number;
  /** Highest of the completed rises. */
  readonly peak: number;
}

/**
 * Change detector (CUSUM, Page 1954): detects when the failure rate doubles, over all tasks of both arms. Nothing is
 * randomised here, so an alarm is not proof: a drift in the environment looks the same. The detector learns how far the
 * sum rises in temporary bad stretches and reports only clearly larger rises.
 */
export class ChangeDetector {
  readonly #state: Mutable<ChangeDetectorSnapshot>;

  constructor(snapshot: ChangeDetectorSnapshot = { tasks: 0, failures: 0, sum: 0, rise: 0, peak: 0 }) {
    this.#state = { ...snapshot };
  }

  /** Replaces the baseline rate, but keeps the peak of earlier bad stretches. */
  restart(tasks: number, failures: number): void {
    this.rest();
    Object.assign(this.#state, { tasks, failures });
  }

  /** Resets the sum and records the current rise as a bad stretch, not a change. */
  rest(): void {
    const peak = Math.max(this.#state.peak, this.#state.rise);
    Object.assign(this.#state, { sum: 0, rise: 0, peak });
  }

  /** Adds the next tasks. Returns true while failures exceed what earlier bad stretches explain. */
  add(tasks: number, failures: number): boolean {
    const state = this.#state;
    if (state.tasks >= ENOUGH) {
      const usual = this.#usual;
      const changed = Math.min(HIGHEST, CHANGE * usual);
      const worse = failures * Math.log(changed / usual) + (tasks - failures) * Math.log((1 - changed) / (1 - usual));
      state.sum = Math.max(0, state.sum + worse);
      if (state.sum === 0) this.rest();
      else state.rise = Math.max(state.rise, state.sum);
    }
    state.tasks += tasks;
    state.failures += failures;
    if (state.tasks > MEMORY) {
      state.failures *= MEMORY / state.tasks;
      state.tasks = MEMORY;
    }
    return state.sum >= Math.max(LOWEST_LIMIT, PEAK_MARGIN * state.peak);
  }

  snapshot(): ChangeDetectorSnapshot {
    return { ...this.#state };
  }

  /** Baseline rate, biased upwards: with little data the detector rarely reports a change. */
  get #usual(): number {
    const { tasks, failures } = this.#state;
    return Math.min(HIGHEST / CHANGE, (failures + 1 + Math.sqrt(failures + 1)) / (tasks + 2));
  }
}
