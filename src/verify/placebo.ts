import type { Placebo } from '../contract/verdict.js';

/** Ends of tasks, the oldest first. */
export type TimedEnd = { readonly atMs: number; readonly success: boolean };

export interface PlaceboInput {
  /** When the change was made. */
  readonly changedMs: number;
  /** How much time before and after a moment is compared. */
  readonly windowMs: number;
}

/** A moment is comparable if it looked at least this bad, measured by the rate before the change. */
const AS_BAD = 0.8;
/** Tasks a window must hold to speak of a rate. */
const MIN_TASKS = 10;
/** Moments tried per window, so that short stretches are found; neighbours overlap and are not independent. */
const STEPS_PER_WINDOW = 4;
const MAX_MOMENTS = 2_000;

/**
 * For changes that could not be randomised. Fixes are made when things are bad, and bad stretches end by themselves; so
 * what matters is not how far failures fell, but how much farther than they usually do. Shows, proves nothing.
 */
export function placebo(ends: readonly TimedEnd[], { changedMs, windowMs }: PlaceboInput): Placebo {
  const failures = new Failures(ends);
  const nothing = { moments: 0, asFarByItself: 1 };
  const before = failures.rate(changedMs - windowMs, changedMs);
  const first = ends[0];
  if (before === undefined || before === 0 || !first || !(windowMs > 0)) return nothing;
  const after = failures.rate(changedMs, changedMs + windowMs);
  const observed = after === undefined ? {} : { observed: after / before };

  const falls: number[] = [];
  const stepMs = Math.max(windowMs / STEPS_PER_WINDOW, (changedMs - first.atMs) / MAX_MOMENTS);
  // What came after a moment must lie before the change, or the change would be compared with itself.
  for (let atMs = changedMs - windowMs; atMs - windowMs >= first.atMs; atMs -= stepMs) {
    const bad = failures.rate(atMs - windowMs, atMs);
    const then = failures.rate(atMs, atMs + windowMs);
    if (bad !== undefined && then !== undefined && bad > 0 && bad >= AS_BAD * before) falls.push(then / bad);
  }
  if (falls.length === 0) return { ...nothing, ...observed };
  falls.sort((a, b) => a - b);
  const at = (share: number) => falls[Math.floor(share * (falls.length - 1))] ?? 1;
  return {
    ...observed,
    byItself: { low: at(0.25), middle: at(0.5), high: at(0.75) },
    moments: falls.length,
    asFarByItself: after === undefined ? 1 : falls.filter((fall) => fall <= after / before).length / falls.length,
  };
}

/** Failure rates of any stretch of time, from running sums. */
class Failures {
  readonly #ends: readonly TimedEnd[];
  /** Failures among the first so many ends. */
  readonly #sums: Uint32Array;

  constructor(ends: readonly TimedEnd[]) {
    this.#ends = ends;
    this.#sums = new Uint32Array(ends.length + 1);
    for (const [index, { success }] of ends.entries()) {
      this.#sums[index + 1] = (this.#sums[index] ?? 0) + (success ? 0 : 1);
    }
  }

  /** From the first moment up to but not including the second; undefined for too few tasks. */
  rate(fromMs: number, toMs: number): number | undefined {
    const from = this.#firstAt(fromMs);
    const to = this.#firstAt(toMs);
    if (to - from < MIN_TASKS) return undefined;
    return ((this.#sums[to] ?? 0) - (this.#sums[from] ?? 0)) / (to - from);
  }

  #firstAt(atMs: number): number {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ends[middle]?.atMs ?? 0) < atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
