import type { Clock } from '../contract/clock.js';

/** Maximum number of steps of longer work between two calls of `pause`. */
export const STEPS_PER_SLICE = 250;
/** Maximum duration of a slice in milliseconds, since other work in the process waits for it. */
const SLICE_MS = 0.25;

/** Yields to other work in this process. Awaiting a resolved promise does not do that. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

/** Work that yields after each small step and returns its result. Run it with `atOnce` or `Pace.run`. */
export type Steps<Result> = Generator<void, Result, void>;

/** Runs all steps without a pause, for callers that cannot wait. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Splits long work into slices of limited duration. Check `isDue` after each small step, and call `pause` if it is
 * true.
 */
export class Pace {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #begunMs: number;
  #steps = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#begunMs = clock.monotonic();
  }

  /**
   * Counts a step and returns whether a pause is due. Also limits the number of steps, since a manual clock may not
   * move.
   */
  get isDue(): boolean {
    return ++this.#steps >= STEPS_PER_SLICE || this.#clock.monotonic() - this.#begunMs >= SLICE_MS;
  }

  async pause(): Promise<void> {
    await yieldToEventLoop();
    this.#begunMs = this.#clock.monotonic();
    this.#steps = 0;
  }

  /** Runs all steps, in slices. */
  async run<Result>(steps: Steps<Result>): Promise<Result> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (this.isDue) await this.pause();
    }
  }
}
