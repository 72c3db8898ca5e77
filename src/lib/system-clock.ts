import type { Clock } from '../contract/clock.js';

/**
 * Longest timer in milliseconds. Longer delays overflow the 32-bit timer of every platform and would fire immediately.
 */
const LONGEST_TIMER_MS = 2_147_483_647;

/** System clock of the machine. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  after(delayMs: number, run: () => void, options?: { readonly background?: boolean }): () => void {
    if (delayMs <= LONGEST_TIMER_MS) {
      const timer = setTimeout(run, Math.max(0, delayMs));
      if (options?.background) letProcessEnd(timer);
      return () => clearTimeout(timer);
    }
    return this.#afterLong(delayMs, run, options);
  }

  #afterLong(delayMs: number, run: () => void, options?: { readonly background?: boolean }): () => void {
    let timer: ReturnType<typeof setTimeout>;
    const arm = (leftMs: number) => {
      timer = setTimeout(
        () => {
          if (leftMs > LONGEST_TIMER_MS) arm(leftMs - LONGEST_TIMER_MS);
          else run();
        },
        Math.min(leftMs, LONGEST_TIMER_MS),
      );
      if (options?.background) letProcessEnd(timer);
    };
    arm(delayMs);
    return () => clearTimeout(timer);
  }
}

/** Allows the process to end despite the timer. Timers of browsers and workers are plain numbers and need nothing. */
function letProcessEnd(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') {
    timer.unref();
  }
}
