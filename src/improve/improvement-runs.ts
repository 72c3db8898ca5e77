import type { ProblemScores } from '../bench/baseline.js';
import { compare } from '../bench/compare.js';
import type { Comparison } from '../bench/comparison.js';
import { MemoryRuns } from '../bench/memory-runs.js';
import type { Problem } from '../bench/problem.js';
import type { Variant } from '../bench/problem-runner.js';
import type { Suite } from '../bench/suite.js';
import { nearestLimit } from './budget.js';
import { CountedRuns } from './counted-runs.js';
import type { ImproveProgress, ImproveSettings } from './improve-options.js';
import type { Ended } from './improvement-step.js';

const MAX_PAIRS = 700;
const CONCURRENCY = 4;

/** Place of runs in an improvement. Runs at another place draw other problems and orders. */
export interface RunPlace {
  readonly step: ImproveProgress['step'];
  readonly round: number;
  /** Finished steps of the draft. */
  readonly steps: number;
}

/** Score of a version on the open half. */
export interface OpenScore {
  /** Mean, 0 to 1. */
  readonly score: number;
  readonly runs: number;
  /** The worst first. */
  readonly problems: readonly ProblemScores[];
}

const PHASES: readonly RunPlace['step'][] = ['measured', 'scored', 'drafted', 'decided'];

/** Runs versions on both halves of a benchmark, within the budget. */
export class ImprovementRuns {
  readonly counted: CountedRuns;
  readonly #open: Suite;
  readonly #heldOut: Suite;
  readonly #settings: ImproveSettings;
  readonly #signal: AbortSignal;
  #progress: Omit<ImproveProgress, 'done' | 'spent'> = { step: 'measured', round: 1, of: 0 };

  /** @throws LoopError `invalid-input` for a suite without two halves. */
  constructor(suite: Suite, settings: ImproveSettings) {
    this.#open = suite.half('open');
    this.#heldOut = suite.half('held-out');
    this.#settings = settings;
    const { runs = new MemoryRuns(), budget, signal } = settings;
    this.counted = new CountedRuns(runs, { budget, clock: suite.clock, onRun: () => this.#report() });
    this.#signal = signal ? AbortSignal.any([signal, this.counted.over]) : this.counted.over;
  }

  get openProblems(): readonly Problem[] {
    return this.#open.problems;
  }

  get problemCounts(): { readonly open: number; readonly heldOut: number } {
    return { open: this.#open.problems.length, heldOut: this.#heldOut.problems.length };
  }

  /** Runs every problem of the open half, if the budget allows it. Returns why not. `versions` is for the progress. */
  async score(variant: Variant, place: RunPlace, repeats = 1, versions = 1): Promise<OpenScore | Ended> {
    const { step, round } = place;
    const runs = repeats * this.#open.problems.length;
    this.#progress = { step, round, of: versions * runs };
    const over = this.#tooShort(runs);
    if (over) return over;
    const measured = await this.#open.baseline({ ...this.#limits(place), repeats, variant });
    const { stopped, score, problems } = measured;
    if (stopped === undefined) return { score: score.value, runs: score.of, problems };
    return stopped === 'max-usd' ? 'max-usd' : this.#stopped;
  }

  /** Compares two versions on the held-out half. Returns why the comparison stopped, if the same call can continue it. */
  async prove(
    draft: Variant,
    baseline: Variant,
    { alpha, ...place }: RunPlace & { readonly alpha: number },
  ): Promise<Comparison | Ended> {
    const { comparison: limits } = this.#settings;
    const pairs = Math.min(limits?.maxPairs ?? MAX_PAIRS, Math.floor(this.#runsLeft / 2));
    const over = this.#tooShort(2);
    if (over) return over;
    this.#progress = { step: place.step, round: place.round, of: 2 * pairs };
    const comparison = await compare(this.#heldOut, draft, {
      ...limits,
      ...this.#limits(place),
      maxPairs: pairs,
      baseline,
      alpha,
    });
    return comparison.kind === 'inconclusive' && comparison.why === 'stopped' ? this.#stopped : comparison;
  }

  /** Limit of the budget of which less than this share is left after some more runs. */
  limitNear(share: number, moreRuns = 0): Ended | undefined {
    const { spent } = this.counted;
    const nearest = nearestLimit(this.#settings.budget, spent);
    const used = (nearest?.used ?? 0) * (1 + moreRuns / Math.max(1, spent.runs));
    return nearest && used >= 1 - share ? `max-${nearest.limit}` : undefined;
  }

  /** Returns the limit that leaves too little for so many runs, or for the cost of those that start at the same time. */
  #tooShort(runs: number): Ended | undefined {
    if (runs > this.#runsLeft) return 'max-runs';
    const { concurrency = CONCURRENCY } = this.#settings;
    return this.#usdLeft < Math.max(2, concurrency) * this.counted.runUsd ? 'max-usd' : undefined;
  }

  get #usdLeft(): number {
    return (this.#settings.budget.usd ?? Number.POSITIVE_INFINITY) - this.counted.spent.usd;
  }

  get #runsLeft(): number {
    return (this.#settings.budget.runs ?? Number.POSITIVE_INFINITY) - this.counted.spent.runs;
  }

  /** Why runs were stopped by a signal: the caller's, or that of the budget. */
  get #stopped(): Ended {
    return this.#settings.signal?.aborted ? 'stopped' : (this.limitNear(0) ?? 'stopped');
  }

  #limits({ step, round, steps }: RunPlace) {
    const { concurrency = CONCURRENCY, seed } = this.#settings;
    return {
      seed: seed * 100_000_000 + round * 10_000 + steps * PHASES.length + PHASES.indexOf(step),
      runs: this.counted,
      maxUsd: Math.max(Number.MIN_VALUE, this.#usdLeft),
      concurrency,
      signal: this.#signal,
    };
  }

  #report(): void {
    const { spent, stepRuns: done } = this.counted;
    this.#settings.onProgress?.({ ...this.#progress, done, spent });
  }
}
