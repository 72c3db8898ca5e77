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
  readonly #problems: number;
  readonly #seen = new Map<string, Seen>();
  /** Squared errors of each weight. */
  readonly #errors = WEIGHTS.map(() => 0);

  /** @param problems Number of problems that are drawn, each with the same probability. */
  constructor(problems: number) {
    this.#problems = problems;
  }

  /** Returns the expectation for the next pair, if it is of this problem. Uses earlier pairs only. */
  of(problemId: string): Expected {
    const weight = WEIGHTS[this.#errors.indexOf(Math.min(...this.#errors))] ?? Number.POSITIVE_INFINITY;
    if (weight === Number.POSITIVE_INFINITY) return { shift: 0, largestShift: 0 };
    let [sum, lowest, highest] = [0, 0, 0];
    for (const seen of this.#seen.values()) {
      const one = expected(seen, weight);
      sum += one;
      lowest = Math.min(lowest, one);
      highest = Math.max(highest, one);
    }
    const mean = sum / this.#problems;
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
