import type { ProblemResult } from './bench-run.js';

/** Problem that the baseline solved every time and the candidate never. */
export interface Loss {
  readonly problemId: string;
  /** Runs of each version. */
  readonly runs: number;
}

/** Fewest runs of each version that show a loss. */
const FEWEST_RUNS = 5;
/** Chance that any problem is named by luck, over all problems. */
const ALPHA = 0.05;
/** Scores from which a problem counts as solved, and up to which as failed. */
const SOLVED = 0.99;
const FAILED = 0.01;

interface Tally {
  runs: number;
  solvedBefore: number;
  failedNow: number;
}

/**
 * Runs per problem, of which each version solved some. If the versions solve a problem alike, the baseline solves it `runs`
 * times and the candidate never with a chance of at most 1 / 4 ** runs. So the runs that a loss needs grow with the number
 * of problems, and all of them together name one by luck in at most 5 % of comparisons.
 */
export class ProblemTallies {
  readonly #tallies = new Map<string, Tally>();
  /** Runs of each version that show a loss. */
  readonly runsNeeded: number;

  /** @param problems Number of problems of the benchmark. */
  constructor(problems: number) {
    this.runsNeeded = Math.max(FEWEST_RUNS, Math.ceil(Math.log(problems / ALPHA) / Math.log(4)));
  }

  add(baseline: ProblemResult, candidate: ProblemResult): void {
    const tally = this.#tallies.get(candidate.problemId) ?? { runs: 0, solvedBefore: 0, failedNow: 0 };
    this.#tallies.set(candidate.problemId, tally);
    tally.runs++;
    if (baseline.score >= SOLVED) tally.solvedBefore++;
    if (candidate.score <= FAILED) tally.failedNow++;
  }

  /** Returns whether more runs could show that this problem is lost, because none has shown the opposite. */
  isOpen(problemId: string): boolean {
    const tally = this.#tallies.get(problemId);
    return !tally || (tally.runs < this.runsNeeded && isLost(tally));
  }

  /** Problems that are lost. */
  get losses(): readonly Loss[] {
    return [...this.#tallies]
      .filter(([, tally]) => tally.runs >= this.runsNeeded && isLost(tally))
      .map(([problemId, { runs }]) => ({ problemId, runs }));
  }
}

function isLost({ runs, solvedBefore, failedNow }: Tally): boolean {
  return solvedBefore === runs && failedNow === runs;
}
