import type { Expected } from './paired-bet.js';

/** Pairs of "no difference" that are added to those of a problem. Infinity expects nothing. */
const WEIGHTS = [Number.POSITIVE_INFINITY, 1, 4] as const;

interface Seen {
  sum: number;
  pairs: number;
}

/**
 * Expects the difference of each problem from its earlier pairs. Problems whose versions differ every time, or never, then
 * vary no more: only surprises are evidence. Uses the weight that has expected best so far.
 */
export class ExpectedDifference {
  readonly #shareOf: (unit: string) => number;
  readonly #seen = new Map<string, Seen>();
  /** Squared errors of each weight. */
  readonly #errors = WEIGHTS.map(() => 0);

  /** @param shareOf Returns the chance that a draw has a problem, or a group of them. */
  constructor(shareOf: (unit: string) => number) {
    this.#shareOf = shareOf;
  }

  /** Returns the expectation for the next pair, if it is of this problem. Uses earlier pairs only. */
  of(problemId: string): Expected {
    const weight = WEIGHTS[this.#errors.indexOf(Math.min(...this.#errors))] ?? Number.POSITIVE_INFINITY;
    if (weight === Number.POSITIVE_INFINITY) return { shift: 0, largestShift: 0 };
    let [mean, lowest, highest] = [0, 0, 0];
    for (const [unit, seen] of this.#seen) {
      const one = expected(seen, weight);
      mean += this.#shareOf(unit) * one;
      lowest = Math.min(lowest, one);
      highest = Math.max(highest, one);
    }
    return {
      shift: mean - expected(this.#seen.get(problemId), weight),
      largestShift: Math.max(Math.abs(mean - lowest), Math.abs(mean - highest)),
    };
  }

  /** Learns from a pair. */
  learn(problemId: string, difference: number): void {
    const seen = this.#seen.get(problemId) ?? { sum: 0, pairs: 0 };
    for (const [index, weight] of WEIGHTS.entries())
      this.#errors[index] = (this.#errors[index] ?? 0) + (difference - expected(seen, weight)) ** 2;
    this.#seen.set(problemId, { sum: seen.sum + difference, pairs: seen.pairs + 1 });
  }
}

function expected(seen: Seen | undefined, weight: number): number {
  return seen === undefined || weight === Number.POSITIVE_INFINITY ? 0 : seen.sum / (seen.pairs + weight);
}
