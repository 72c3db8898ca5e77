import type { ProblemResult } from '../contract/bench-run.js';

/** Problem that the baseline solved every time and the candidate never. */
export interface Regression {
  readonly problemId: string;
  /** Runs of each version. */
  readonly runs: number;
}

/** Runs of each version that a regression needs. By chance, 5 of 5 before and 0 of 5 now has a probability below 0.1 %. */
export const RUNS_NEEDED = 5;
/** Scores from which a problem counts as solved, and up to which as failed. */
const SOLVED = 0.99;
const FAILED = 0.01;

interface Tally {
  runs: number;
  solvedBefore: number;
  failedNow: number;
}

/** Runs per problem, of which each version solved some. */
export class ProblemTallies {
  readonly #tallies = new Map<string, Tally>();

  add(baseline: ProblemResult, candidate: ProblemResult): void {
    const tally = this.#tallies.get(candidate.problemId) ?? { runs: 0, solvedBefore: 0, failedNow: 0 };
    this.#tallies.set(candidate.problemId, tally);
    tally.runs++;
    if (baseline.score >= SOLVED) tally.solvedBefore++;
    if (candidate.score <= FAILED) tally.failedNow++;
  }

  /** Returns whether more runs could show that this problem regressed, because none has shown the opposite. */
  isOpen(problemId: string): boolean {
    const tally = this.#tallies.get(problemId);
    if (!tally) return true;
    const { runs, solvedBefore, failedNow } = tally;
    return runs < RUNS_NEEDED && solvedBefore === runs && failedNow === runs;
  }

  [Symbol.iterator](): IterableIterator<[string, Readonly<Tally>]> {
    return this.#tallies.entries();
  }
}

/** Returns the problems that regressed. They block a candidate even if its mean is higher. */
export function findRegressions(tallies: ProblemTallies): readonly Regression[] {
  return [...tallies]
    .filter(
      ([, { runs, solvedBefore, failedNow }]) => runs >= RUNS_NEEDED && solvedBefore === runs && failedNow === runs,
    )
    .map(([problemId, { runs }]) => ({ problemId, runs }));
}
