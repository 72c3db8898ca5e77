import type { Clock } from '../contract/clock.js';
import { handleRejection } from './promises.js';
import { SystemClock } from './system-clock.js';
import { describeThrown, showValue } from './text.js';

/** Wraps a host's clock. If it throws or returns no number, uses the system clock instead and reports the failure. */
export class GuardedClock implements Clock {
  readonly #clock: Clock;
  readonly #system = new SystemClock();
  readonly #report: (message: string) => void;
  readonly #reported = new Set<string>();
  #lastMs = Number.NEGATIVE_INFINITY;

  /** `report` is called once per failing method. */
  constructor(clock: Clock, report: (message: string) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  now(): number {
    return this.#read('now') ?? this.#system.now();
  }

  monotonic(): number {
    const readMs = this.#read('monotonic');
    if (readMs === undefined) return Number.isFinite(this.#lastMs) ? this.#lastMs : this.#system.monotonic();
    this.#lastMs = readMs;
    return readMs;
  }

  after(delayMs: number, run: () => void, options?: { readonly background?: boolean }): () => void {
    // A clock that throws may still have set the timer.
    let hasRun = false;
    const once = () => {
      if (hasRun) return;
      hasRun = true;
      run();
    };
    try {
      const cancel: unknown = this.#clock.after(delayMs, once, options);
      if (typeof cancel === 'function') return () => this.#cancel(cancel);
      handleRejection(cancel);
      this.#failed('after', `returned ${showValue(cancel)}: return the function that cancels the timer`);
    } catch (error) {
      this.#failed('after', `threw ${describeThrown(error)}`);
    }
    return this.#system.after(delayMs, once, options);
  }

  #cancel(cancel: unknown): void {
    try {
      handleRejection((cancel as () => unknown)()); // `after` saw that it is a function
    } catch (error) {
      this.#failed('after', `threw ${describeThrown(error)} when its timer was cancelled`);
    }
  }

  #read(method: 'now' | 'monotonic'): number | undefined {
    try {
      const value: unknown = this.#clock[method]();
      if (typeof value === 'number' && Number.isFinite(value)) return value;
      handleRejection(value);
      this.#failed(method, `returned ${showValue(value)}: return milliseconds`);
    } catch (error) {
      this.#failed(method, `threw ${describeThrown(error)}`);
    }
    return undefined;
  }

  #failed(method: string, what: string): void {
    if (this.#reported.has(method)) return;
    this.#reported.add(method);
    this.#report(`clock.${method} ${what}; the system's clock is used instead`);
  }
}
