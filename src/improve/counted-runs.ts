import type { BenchRun, BenchRuns, ProblemResult } from '../contract/bench-run.js';
import type { Clock } from '../contract/clock.js';
import { type Budget, NOTHING_SPENT, nearestLimit, type Spent, sumOf } from './budget.js';

const MS_PER_MINUTE = 60_000;

/** Runs with what they use, including the runs of an interrupted program. */
export class CountedRuns implements BenchRuns {
  readonly #runs: BenchRuns;
  readonly #budget: Budget;
  readonly #clock: Clock;
  readonly #onRun: () => void;
  readonly #over = new AbortController();
  /** Spent in the finished steps, and in the step in progress. */
  #finished: Spent = NOTHING_SPENT;
  #step: Spent = NOTHING_SPENT;
  #countedToMs: number;
  #highestUsd = 0;
  /** Comparisons whose earlier runs are counted. */
  readonly #loaded = new Set<string>();

  constructor(
    runs: BenchRuns,
    { budget, clock, onRun }: { readonly budget: Budget; readonly clock: Clock; readonly onRun: () => void },
  ) {
    this.#runs = runs;
    this.#budget = budget;
    this.#clock = clock;
    this.#onRun = onRun;
    this.#countedToMs = clock.monotonic();
  }

  get spent(): Spent {
    return sumOf(this.#finished, this.#step);
  }

  /** Cost that one more run may have: that of the most expensive run, and at least the mean. */
  get runUsd(): number {
    const { usd, runs } = this.spent;
    return Math.max(this.#highestUsd, usd / Math.max(1, runs));
  }

  /** Runs in the step in progress. */
  get stepRuns(): number {
    return this.#step.runs;
  }

  /** Aborted when a limit of the budget is reached. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Returns what the step in progress has spent, and begins the next. */
  endStep(): Spent {
    this.#countTime();
    const spent = this.#step;
    this.#step = NOTHING_SPENT;
    return spent;
  }

  /** Counts a finished step. */
  add(spent: Spent): void {
    this.#finished = sumOf(this.#finished, spent);
    this.#stopIfOver();
  }

  /** Counts the runs of an interrupted program. Their time counts as if they had run one after another. */
  async load(comparison: string): Promise<readonly BenchRun[]> {
    const runs = await this.#runs.load(comparison);
    if (this.#loaded.has(comparison)) return runs;
    this.#loaded.add(comparison);
    for (const { result } of runs) this.#count(result, result.durationMs / MS_PER_MINUTE);
    this.#stopIfOver();
    return runs;
  }

  async save(run: BenchRun): Promise<void> {
    await this.#runs.save(run);
    this.#count(run.result, 0);
    this.#countTime();
    this.#stopIfOver();
    this.#onRun();
  }

  #count({ costUsd = 0, tokens }: ProblemResult, minutes: number): void {
    this.#highestUsd = Math.max(this.#highestUsd, costUsd);
    const used = { runs: 1, usd: costUsd, tokens: (tokens?.input ?? 0) + (tokens?.output ?? 0), minutes };
    this.#step = sumOf(this.#step, used);
  }

  #countTime(): void {
    const nowMs = this.#clock.monotonic();
    this.#step = sumOf(this.#step, { ...NOTHING_SPENT, minutes: (nowMs - this.#countedToMs) / MS_PER_MINUTE });
    this.#countedToMs = nowMs;
  }

  #stopIfOver(): void {
    if ((nearestLimit(this.#budget, this.spent)?.used ?? 0) >= 1) this.#over.abort();
  }
}
