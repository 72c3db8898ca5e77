import { type Clock, SystemClock } from 'rsi-loop';

/** Clock of the demo: moves in steps through the simulated past, and like the system clock after `goLive`. */
export class SimulatedClock implements Clock {
  readonly #system = new SystemClock();
  readonly #startMs: number;
  #nowMs: number;
  /** Time of the system's monotonic clock when this clock went live; undefined before. */
  #liveSinceMs: number | undefined;

  constructor(startMs: number) {
    this.#startMs = startMs;
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#liveSinceMs === undefined ? this.#nowMs : this.#nowMs + this.#system.monotonic() - this.#liveSinceMs;
  }

  monotonic(): number {
    return this.now() - this.#startMs;
  }

  after(delayMs: number, run: () => void, options?: { readonly background?: boolean }): () => void {
    return this.#system.after(delayMs, run, options);
  }

  /** Moves forward to a time. Ignores times in the past. */
  moveTo(nowMs: number): void {
    if (this.#liveSinceMs === undefined) this.#nowMs = Math.max(this.#nowMs, nowMs);
  }

  /** Passes time: does nothing once live, because the system clock moves then. */
  pass(ms: number): void {
    this.moveTo(this.#nowMs + ms);
  }

  goLive(): void {
    this.#liveSinceMs ??= this.#system.monotonic();
  }
}
