import type { Attempt } from '../contract/outcome.js';
import type { Failure } from './failure.js';

/** Attempts of one task, as its outcome lists them. A task that succeeds immediately lists none. */
export class AttemptLog {
  /** End of the last attempt, or of the wait for one that did not start. */
  endedMs: number;
  #attempts: Attempt[] | undefined;
  #inFlight = 0;

  constructor(startedMs: number) {
    this.endedMs = startedMs;
  }

  get list(): readonly Attempt[] | undefined {
    return this.#attempts;
  }

  /** Notes how many calls of the model run as an attempt begins, with itself. */
  begin(inFlight: number): void {
    this.#inFlight = inFlight;
  }

  /** Adds an attempt that ended. */
  add(startMs: number, endMs: number, model: string | undefined, failure: Failure | undefined): void {
    const delayMs = startMs - this.endedMs;
    this.endedMs = endMs;
    if (failure === undefined && this.#attempts === undefined && delayMs === 0) return;
    this.#attempts ??= [];
    this.#attempts.push({
      delayMs,
      durationMs: endMs - startMs,
      success: failure === undefined,
      ...(model !== undefined && { model }),
      ...(failure !== undefined && { issue: failure.issue, inFlight: this.#inFlight }),
    });
  }

  /** Notes that the task waited for an attempt that did not start. */
  waited(untilMs: number): void {
    this.endedMs = untilMs;
  }
}
