import type { Clock } from '../contract/clock.js';

/** Longer work is cut into pieces of so many steps at most, with a `breathe` between them. */
export const RECORDS_PER_BREATH = 250;
/** A slice that took so long is long enough: whoever shares the process waits for it. */
const SLICE_MS = 0.25;

/** Lets everything else that waits in this process have its turn; promises alone never do. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

/** Work that yields after each small step, and returns its result. `atOnce` and `Pace.run` do it. */
export type Steps<Result> = Generator<void, Result, void>;

/** Does all steps without a pause, for callers that cannot wait. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Cuts long work into slices that are short by the clock: ask `isDue` after each small step, and `breathe` where it is. */
export class Pace {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #begunMs: number;
  #steps = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#begunMs = clock.monotonic();
  }

  /** Counts a step. Many steps are enough, too: a clock that is set by hand may not move. */
  get isDue(): boolean {
    return ++this.#steps >= RECORDS_PER_BREATH || this.#clock.monotonic() - this.#begunMs >= SLICE_MS;
  }

  async breathe(): Promise<void> {
    await yieldToEventLoop();
    this.#begunMs = this.#clock.monotonic();
    this.#steps = 0;
  }

  /** Does all steps, in slices. */
  async run<Result>(steps: Steps<Result>): Promise<Result> {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (this.isDue) await this.breathe();
    }
  }
}
