import type { Clock } from '../../src/contract/clock.js';

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** A clock that a life moves, without waiting for promises: a life that does waits for them when it looks. */
export class LifeClock implements Clock {
  readonly #timers = new Set<Timer>();
  #elapsedMs = 0;
  #startMs: number;

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  now(): number {
    return this.#startMs + this.#elapsedMs;
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { dueMs: this.#elapsedMs + Math.max(0, delayMs), run };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  pass(ms: number): void {
    this.#elapsedMs += ms;
    for (const timer of this.#timers) {
      if (timer.dueMs > this.#elapsedMs) continue;
      this.#timers.delete(timer);
      timer.run();
    }
  }

  /** Sets the wall clock alone, as a person or a time server does. */
  jump(ms: number): void {
    this.#startMs += ms;
  }
}
