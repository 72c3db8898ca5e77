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
  /** Cost of the most expensive run so far, which each run in progress may cost. */
  #highestUsd = 0;
  #running = 0;

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

  /** Returns the result of one version in one draw; resolves when a new one is stored. */
  async result(problem: Problem, draw: number, version: number, variant?: Variant): Promise<ProblemResult> {
    const known = this.#known.get(`${draw}:${version}`);
    if (known) return known;
    this.#running++;
    const result = await this.#suite.run(problem, variant);
    await this.#runs.save({ comparison: this.#id, draw, version, result });
    this.#running--;
    this.#pay(result);
    return result;
  }

  /** Returns whether `more` runs stay within the budget, if every run costs as much as the most expensive one. */
  canPay(more: number): boolean {
    return this.#spentUsd + (this.#running + more) * this.#highestUsd <= this.#maxUsd;
  }

  #pay({ costUsd = 0 }: ProblemResult): void {
    this.#spentUsd += costUsd;
    this.#highestUsd = Math.max(this.#highestUsd, costUsd);
  }
}
