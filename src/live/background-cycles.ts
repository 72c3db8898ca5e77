import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import { readableFields } from '../lib/readable.js';
import { showValue } from '../lib/text.js';

/** Runs cycles in the background, one after another, without keeping the process alive. */
export class BackgroundCycles {
  readonly #clock: Clock;
  readonly #runCycle: () => Promise<unknown>;
  #cancelNext: (() => void) | undefined;
  #everyMs = 0;
  #ranMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, runCycle: () => Promise<unknown>) {
    this.#clock = clock;
    this.#runCycle = runCycle;
  }

  /** Starts or restarts with this interval. @throws LoopError `invalid-input` for an interval below 10 ms. */
  start(options: { readonly everyMs?: number }): void {
    const { everyMs = 60_000 } = readableFields(options);
    if (typeof everyMs !== 'number' || !(everyMs >= 10)) {
      throw new LoopError('invalid-input', `everyMs is ${showValue(everyMs)}: give milliseconds, at least 10`);
    }
    this.stop();
    this.#everyMs = everyMs;
    const next = () => {
      this.#cancelNext = this.#clock.after(everyMs, go, { background: true });
    };
    const go = () => {
      const mine = this.#cancelNext;
      const continueCycles = () => {
        this.#ranMs = this.#clock.now();
        if (this.#cancelNext === mine) next();
      };
      void this.#runCycle().then(continueCycles, continueCycles);
    };
    next();
  }

  /**
   * Stops. If it was started, returns a function that runs one more cycle, if the last one of any process, at `cycledMs`, is an
   * interval ago. Processes that are shorter than the interval would otherwise never run one.
   */
  end(): ((cycledMs: number) => Promise<void>) | undefined {
    if (this.#cancelNext === undefined) return undefined;
    this.stop();
    return async (cycledMs) => {
      if (this.#clock.now() - Math.max(cycledMs, this.#ranMs) >= this.#everyMs) await this.#runCycle();
    };
  }

  /** Schedules no further cycle. A running cycle completes. */
  stop(): void {
    this.#cancelNext?.();
    this.#cancelNext = undefined;
  }
}
