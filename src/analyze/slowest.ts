import type { Json } from '../contract/json.js';

/** Number of half windows kept: three always contain a whole window. */
const KEPT = 3;

/** Longest duration within a window, accurate to half a window, in three numbers. */
export class Slowest {
  readonly #halfMs: number;
  readonly #halves: Map<number, number>;

  constructor(windowMs: number, kept: SlowestSnapshot = []) {
    this.#halfMs = windowMs / 2;
    this.#halves = new Map(kept);
  }

  add(durationMs: number, atMs: number): void {
    const half = Math.floor(atMs / this.#halfMs);
    if (durationMs <= (this.#halves.get(half) ?? 0)) return;
    this.#halves.set(half, durationMs);
    if (this.#halves.size > KEPT) this.#halves.delete(Math.min(...this.#halves.keys()));
  }

  /** Returns the longest duration; 0 if no outcome in the window has a duration. */
  within(nowMs: number): number {
    const first = Math.floor(nowMs / this.#halfMs) - KEPT + 1;
    let slowest = 0;
    for (const [half, durationMs] of this.#halves) if (half >= first) slowest = Math.max(slowest, durationMs);
    return slowest;
  }

  snapshot(): Json {
    return [...this.#halves];
  }
}

export type SlowestSnapshot = readonly (readonly [number, number])[];
