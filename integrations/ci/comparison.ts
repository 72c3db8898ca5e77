import type { Entry, History, PastRun } from './history.js';
import { type Judgement, judge } from './judge-test.js';
import type { RunInfo } from './run-info.js';

/** Number of earlier runs that results are compared with. */
export interface Compared {
  /** Earlier runs of the branch, and of the base branch. */
  readonly branchRuns: number;
  readonly baseRuns: number;
}

export interface ComparedTest extends Judgement {
  /** When the present row of failures began, and the commit of its first run; absent if it begins now. */
  readonly sinceMs?: number;
  readonly sinceCommit?: string;
  /** True if the last result on the base branch is a failure; absent on the base branch itself. */
  readonly failsOnBase?: boolean;
}

/**
 * Comparison of one run with the past. The past of a branch is its own runs, and before its first run those of the base
 * branch, where it came from.
 */
export class Comparison {
  readonly #history: History;
  readonly #run: Pick<RunInfo, 'branch' | 'base'>;
  readonly #atMs: number;
  readonly #forkMs: number;
  readonly compared: Compared;

  constructor(history: History, run: Pick<RunInfo, 'branch' | 'base'>, atMs: number) {
    this.#history = history;
    this.#run = run;
    this.#atMs = atMs;
    this.#forkMs = Math.min(atMs, history.firstRunMs(run.branch));
    const runs = history.runsBefore(atMs);
    const baseRuns = run.branch === run.base ? 0 : (runs.get(run.base) ?? 0);
    this.compared = { branchRuns: runs.get(run.branch) ?? 0, baseRuns };
  }

  /** Classifies a result; undefined if the test passes as it did. */
  judge(key: number, now: Entry): ComparedTest | undefined {
    if (now.passed && now.failedAttempts === 0 && !this.#history.hasFailed(key)) return undefined;
    const all = this.#history.of(key).filter(({ run }) => run.atMs <= this.#atMs && run.report !== now.run.report);
    const past = all.filter(({ run }) => this.#isPast(run));
    const beside = all.filter(
      ({ run }) => !this.#isPast(run) && run.commit === now.run.commit && run.commit !== undefined,
    );
    const judged = judge(now, past, beside);
    if (!judged) return undefined;
    const first = judged.streak > 1 && !now.passed ? past.at(1 - judged.streak) : undefined;
    return {
      ...judged,
      ...(first && { sinceMs: first.run.atMs, ...(first.run.commit && { sinceCommit: first.run.commit }) }),
      ...this.#onBase(all),
    };
  }

  #isPast({ branch, atMs }: PastRun): boolean {
    if (atMs >= this.#atMs) return false;
    return branch === this.#run.branch || (branch === this.#run.base && atMs < this.#forkMs);
  }

  #onBase(all: readonly Entry[]): Pick<ComparedTest, 'failsOnBase'> {
    const { branch, base } = this.#run;
    const last = branch === base ? undefined : all.findLast(({ run }) => run.branch === base);
    return last ? { failsOnBase: !last.passed } : {};
  }
}
