import type { Placebo } from '../contract/verdict.js';

/** End time and result of a task, oldest first. */
export type TimedEnd = { readonly atMs: number; readonly success: boolean };

export interface PlaceboInput {
  /** Time of the change. */
  readonly changedMs: number;
  /** Length of the compared windows before and after a moment. */
  readonly windowMs: number;
}

/** A moment is comparable if its failure rate was at least this share of the rate before the change. */
const AS_BAD = 0.8;
/** Minimum tasks in a window for a failure rate. */
const MIN_TASKS = 10;
/** Moments tested per window, so that short stretches are found. Neighbours overlap and are not independent. */
const STEPS_PER_WINDOW = 4;
const MAX_MOMENTS = 2_000;

/**
 * Runs a placebo test for changes that could not be randomised. Fixes are usually made in bad stretches, and many bad
 * stretches end without a fix. The test therefore compares the drop in failures with the usual drop after similar
 * stretches. The result is an indication, not proof.
 */
export function placebo(ends: readonly TimedEnd[], { changedMs, windowMs }: PlaceboInput): Placebo {
  const failures = new Failures(ends);
  const nothing = { moments: 0, asFarByItself: 1 };
  const before = failures.rate(changedMs - windowMs, changedMs);
  const first = ends[0];
  if (before === undefined || before === 0 || !first) return nothing;
  const after = failures.rate(changedMs, changedMs + windowMs);
  const observed = after === undefined ? {} : { observed: after / before };

  const falls: number[] = [];
  const stepMs = Math.max(windowMs / STEPS_PER_WINDOW, (changedMs - first.atMs) / MAX_MOMENTS);
  // The window after a moment must lie before the change, or the change would be compared with itself.
  for (let atMs = changedMs - windowMs; atMs - windowMs >= first.atMs; atMs -= stepMs) {
    const bad = failures.rate(atMs - windowMs, atMs);
    const then = failures.rate(atMs, atMs + windowMs);
    if (bad !== undefined && then !== undefined && bad >= AS_BAD * before) falls.push(then / bad);
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

/** Failure rates of any time range, from running sums. */
class Failures {
  readonly #ends: readonly TimedEnd[];
  /** Number of failures among the first `index` ends. */
  readonly #sums: Uint32Array;

  constructor(ends: readonly TimedEnd[]) {
    this.#ends = ends;
    this.#sums = new Uint32Array(ends.length + 1);
    for (const [index, { success }] of ends.entries()) {
      this.#sums[index + 1] = (this.#sums[index] ?? 0) + (success ? 0 : 1);
    }
  }

  /** Returns the rate from `fromMs` up to but excluding `toMs`; undefined for too few tasks. */
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
