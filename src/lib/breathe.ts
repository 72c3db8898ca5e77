import type { Clock } from '../ports.js';

/** Longer work is cut into pieces of so many records at most, with a `breathe` between them. */
export const RECORDS_PER_BREATH = 250;
/** A piece that took so long is long enough: code that runs for the first time takes ten times as long as later. */
export const MS_PER_BREATH = 2;

/** Lets everything else that waits in this process have its turn; promises alone never do. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
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
    return ++this.#steps >= RECORDS_PER_BREATH || this.#clock.monotonic() - this.#begunMs >= MS_PER_BREATH;
  }

  async breathe(): Promise<void> {
    await breathe();
    this.#begunMs = this.#clock.monotonic();
    this.#steps = 0;
  }
}
