import { BoundedMap } from 'rsi-loop/kit';
import type { CallIdentity } from './call-identity.js';

/** Time for which equal answers that come slowly are taken for waiting. */
export const WAITING_MS = 7_200_000;
/** Least time without any call that tells waiting from a loop. */
const PAUSE_MS = 20_000;
const MAX_CALLS = 64;

/** Pace at which calls follow each other: whether a repeated one waited for something in between. */
export class CallPace {
  /** Times at which recent calls ended, newest last. */
  readonly #endedMs = new BoundedMap<number>(MAX_CALLS);
  #lastMs: number | undefined;
  /** Time at which the newest pause ended. */
  #pausedMs = Number.NEGATIVE_INFINITY;

  /**
   * Returns the time since the same call last gave the same result, if there was a pause of at least 20 s in between.
   * Undefined for other calls, and without times.
   */
  waitedMs({ call, result, atMs }: CallIdentity): number | undefined {
    if (atMs === undefined) return undefined;
    if (this.#lastMs !== undefined && atMs - this.#lastMs >= PAUSE_MS) this.#pausedMs = atMs;
    this.#lastMs = atMs;
    const key = `${call} ${result}`;
    const before = this.#endedMs.get(key);
    this.#endedMs.put(key, atMs);
    return before !== undefined && this.#pausedMs > before ? atMs - before : undefined;
  }

  clear(): void {
    this.#endedMs.clear();
    this.#lastMs = undefined;
    this.#pausedMs = Number.NEGATIVE_INFINITY;
  }
}
