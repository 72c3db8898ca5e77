import type { Clock } from '../contract/clock.js';

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** 2026-01-01T00:00:00Z: a plausible time that is the same in every run. */
const DEFAULT_START_MS = 1_767_225_600_000;

/** Clock that only moves when a test advances it. */
export class ManualClock implements Clock {
  /** If true, the wall clock stops while timers and `monotonic` continue, as on a machine with a broken clock. */
  isStuck = false;
  #nowMs: number;
  #elapsedMs = 0;
  /** In the order they were set, which is also the order among timers due at the same time. */
  readonly #timers = new Set<Timer>();

  constructor(startMs = DEFAULT_START_MS) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
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

  /** Number of pending timers; 0 after a clean `close()`. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Advances by `ms` and runs due timers in order. Lets promises settle before the first timer and after each. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#elapsedMs + ms;
    await settled();
    for (let next = this.#nextDue(endMs); next !== undefined; next = this.#nextDue(endMs)) {
      this.#timers.delete(next);
      this.#pass(Math.max(0, next.dueMs - this.#elapsedMs));
      next.run();
      await settled();
    }
    this.#pass(endMs - this.#elapsedMs);
  }

  /** Sets the wall clock, as a person or a time server does. Runs no timers and does not change `monotonic`. */
  set(nowMs: number): void {
    this.#nowMs = nowMs;
  }

  #pass(ms: number): void {
    this.#elapsedMs += ms;
    if (!this.isStuck) this.#nowMs += ms;
  }

  #nextDue(endMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs <= endMs && (next === undefined || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }
}

/** Waits one iteration of the event loop. Every promise that needs no timer or I/O has then settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
