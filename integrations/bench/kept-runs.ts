import { isObject, mustBe, showValue } from 'rsi-loop/kit';
import type { BenchRuns, ProblemResult } from './bench-run.js';
import type { Problem } from './problem.js';
import type { ProblemRunner, Variant } from './problem-runner.js';
import type { BudgetLimit, RunPurse } from './run-purse.js';

/** Runs after which a benchmark stops, if each of them ended with an error. */
const FAILED_RUNS = 10;

/** Runs problems and keeps the results: a run that an interrupted program has finished is not repeated. */
export class KeptRuns {
  readonly #suite: ProblemRunner;
  readonly #id: string;
  readonly #runs: BenchRuns;
  readonly #purse: RunPurse;
  /** Results of an interrupted program, by draw and version. */
  readonly #known = new Map<string, ProblemResult>();
  #made = 0;
  /** Error of the last run that this program made, while no run has ended without one. */
  #failure: string | undefined = '';
  #refused: BudgetLimit | undefined;

  /** `id` is the same for the same comparison. `purse` pays for its runs. */
  constructor(
    suite: ProblemRunner,
    { id, runs, purse }: { readonly id: string; readonly runs: BenchRuns; readonly purse: RunPurse },
  ) {
    this.#suite = suite;
    this.#id = id;
    this.#runs = runs;
    this.#purse = purse;
  }

  /** Limit that refused the last reservation. */
  get refused(): BudgetLimit | undefined {
    return this.#refused;
  }

  /** Error of the last run, if there were ten or more and each of them failed with one. */
  get failure(): string | undefined {
    return this.#made >= FAILED_RUNS ? this.#failure : undefined;
  }

  /** Reads the finished runs. */
  async load(): Promise<void> {
    const stored = await this.#runs.load(this.#id);
    mustBe(Array.isArray(stored), 'runs', `a place whose load() gave ${showValue(stored)}`, 'one that gives a list');
    for (const { draw, version, result } of stored) this.#known.set(`${draw}:${version}`, result);
    this.#purse.countStored(
      this.#id,
      stored.map(({ result }) => result),
    );
  }

  /** Reserves the runs of draws that are not finished. Returns whether the budget covers all of them. */
  reserve(draws: readonly number[], versions: readonly number[]): boolean {
    const runs = draws.flatMap((draw) => versions.filter((version) => !this.#known.has(`${draw}:${version}`)));
    this.#refused = this.#purse.reserve(runs.length);
    return this.#refused === undefined;
  }

  /** Resolves when a reserved run ends; undefined if there is none. */
  nextEnd(): Promise<void> | undefined {
    return this.#purse.nextEnd();
  }

  /** Returns the result of one version in one reserved draw; resolves when a new one is stored. */
  async result(problem: Problem, draw: number, version: number, variant?: Variant): Promise<ProblemResult> {
    const known = this.#known.get(`${draw}:${version}`);
    if (known) return known;
    let ended: ProblemResult | undefined;
    try {
      ended = await this.#suite.run(problem, variant);
      mustBe(isObject(ended), 'suite', `one whose run() gave ${showValue(ended)}`, 'one that gives a result');
      this.#note(ended);
    } finally {
      // A paid run counts, also if it cannot be stored.
      this.#purse.settle(ended);
    }
    await this.#runs.save({ comparison: this.#id, draw, version, result: ended });
    return ended;
  }

  #note({ error }: ProblemResult): void {
    this.#made++;
    if (this.#failure !== undefined) this.#failure = error;
  }
}
