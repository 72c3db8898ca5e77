import type { BenchRuns, ProblemResult } from '../contract/bench-run.js';
import type { Problem } from './problem.js';
import type { ProblemRunner, Variant } from './problem-runner.js';

/** Runs problems and keeps the results: a run that an interrupted program has finished is not repeated. */
export class KeptRuns {
  readonly #suite: ProblemRunner;
  readonly #id: string;
  readonly #runs: BenchRuns;
  readonly #maxUsd: number;
  /** Results of an interrupted program, by draw and version. */
  readonly #known = new Map<string, ProblemResult>();
  #spentUsd = 0;
  /** Cost of the most expensive run so far, which each run in progress may cost; undefined before the first one. */
  #highestUsd: number | undefined;
  /** Runs that are reserved and have not ended. */
  #pending = 0;
  #waiting: (() => void)[] = [];

  /** `id` is the same for the same comparison. `maxUsd` limits the cost of all its runs. */
  constructor(
    suite: ProblemRunner,
    { id, runs, maxUsd }: { readonly id: string; readonly runs: BenchRuns; readonly maxUsd: number },
  ) {
    this.#suite = suite;
    this.#id = id;
    this.#runs = runs;
    this.#maxUsd = maxUsd;
  }

  /** Reads the finished runs. */
  async load(): Promise<void> {
    for (const { draw, version, result } of await this.#runs.load(this.#id)) {
      this.#known.set(`${draw}:${version}`, result);
      this.#pay(result);
    }
  }

  /**
   * Reserves the runs of a draw that are not finished. Returns whether they stay within the budget, if every run costs as
   * much as the most expensive one. Until the cost of one is known, one draw is reserved at a time.
   */
  reserve(draw: number, versions: readonly number[]): boolean {
    const count = versions.filter((version) => !this.#known.has(`${draw}:${version}`)).length;
    if (count > 0 && this.#maxUsd < Number.POSITIVE_INFINITY) {
      if (this.#highestUsd === undefined && this.#pending > 0) return false;
      if (this.#spentUsd + (this.#pending + count) * (this.#highestUsd ?? 0) > this.#maxUsd) return false;
    }
    this.#pending += count;
    return true;
  }

  /** Resolves when a reserved run ends; undefined if there is none. */
  nextEnd(): Promise<void> | undefined {
    if (this.#pending === 0) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Returns the result of one version in one reserved draw; resolves when a new one is stored. */
  async result(problem: Problem, draw: number, version: number, variant?: Variant): Promise<ProblemResult> {
    const known = this.#known.get(`${draw}:${version}`);
    if (known) return known;
    try {
      const result = await this.#suite.run(problem, variant);
      this.#pay(result);
      await this.#runs.save({ comparison: this.#id, draw, version, result });
      return result;
    } finally {
      this.#pending--;
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  #pay({ costUsd = 0 }: ProblemResult): void {
    this.#spentUsd += costUsd;
    this.#highestUsd = Math.max(this.#highestUsd ?? 0, costUsd);
  }
}
