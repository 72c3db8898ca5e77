import type { Clock } from 'rsi-loop';

/** A clock that is moved by hand without waiting for anything. Timers that fall due run when it is moved past them. */
export class SkippingClock implements Clock {
  #nowMs: number;
  #elapsedMs = 0;
  readonly #timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { dueMs: this.#elapsedMs + delayMs, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** How long until the next timer falls due; `Infinity` without one. */
  get nextTimerMs(): number {
    let dueMs = Number.POSITIVE_INFINITY;
    for (const timer of this.#timers) dueMs = Math.min(dueMs, timer.dueMs);
    return Math.max(0, dueMs - this.#elapsedMs);
  }

  skip(ms: number): void {
    this.#nowMs += ms;
    this.#elapsedMs += ms;
    for (const timer of this.#timers) {
      if (timer.dueMs > this.#elapsedMs) continue;
      this.#timers.delete(timer);
      timer.run();
    }
  }
}
