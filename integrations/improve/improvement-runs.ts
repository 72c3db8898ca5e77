import {
  type BenchRun,
  type BenchRuns,
  type Comparison,
  compare,
  MemoryRuns,
  type Problem,
  type ProblemScores,
  RunPurse,
  type Suite,
  type Variant,
} from 'rsi-loop/bench';
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
  readonly purse: RunPurse;
  readonly #open: Suite;
  readonly #heldOut: Suite;
  readonly #settings: ImproveSettings;
  readonly #kept: BenchRuns;
  #progress: Omit<ImproveProgress, 'done' | 'spent'> = { step: 'measured', round: 1, of: 0 };

  /** @throws LoopError `invalid-input` for a suite without two halves. */
  constructor(suite: Suite, settings: ImproveSettings) {
    this.#open = suite.half('open');
    this.#heldOut = suite.half('held-out');
    this.#settings = settings;
    this.purse = new RunPurse(settings.budget, suite.clock);
    const { runs = new MemoryRuns() } = settings;
    this.#kept = {
      load: (comparison) => runs.load(comparison),
      save: async (run: BenchRun) => {
        await runs.save(run);
        this.#report();
      },
    };
  }

  get openProblems(): readonly Problem[] {
    return this.#open.problems;
  }

  get problemCounts(): { readonly open: number; readonly heldOut: number } {
    return { open: this.#open.problems.length, heldOut: this.#heldOut.problems.length };
  }

  /**
   * Runs every problem of the open half, if the budget allows it. Returns why not. A new version that fails every run is
   * stopped early and scores 0. `versions` is for the progress.
   */
  async score(variant: Variant, place: RunPlace, repeats = 1, versions = 1): Promise<OpenScore | Ended> {
    const { step, round } = place;
    const runs = repeats * this.#open.problems.length;
    this.#progress = { step, round, of: versions * runs };
    const over = this.#tooShort(runs);
    if (over) return over;
    const measured = await this.#open.baseline({ ...this.#limits(place), repeats, variant });
    const { stopped, score, problems } = measured;
    const isOwnFault = stopped === 'all-failed' && step === 'scored';
    return stopped === undefined || isOwnFault ? { score: score.value, runs: score.of, problems } : stopped;
  }

  /** Compares two versions on the held-out half. Returns why the comparison stopped, if the same call can continue it. */
  async prove(
    draft: Variant,
    baseline: Variant,
    { alpha, betterBy, ...place }: RunPlace & { readonly alpha: number; readonly betterBy: number },
  ): Promise<Comparison | Ended> {
    const { comparison: limits } = this.#settings;
    const pairs = limits?.maxPairs ?? MAX_PAIRS;
    const over = this.#tooShort(2);
    if (over) return over;
    this.#progress = { step: place.step, round: place.round, of: Math.min(2 * pairs, this.#runsLeft) };
    const comparison = await compare(this.#heldOut, draft, {
      ...limits,
      ...this.#limits(place),
      endsWithoutGain: true,
      baseline,
      alpha,
      betterBy,
      ...(betterBy > 0 && { usefulGain: Math.max(betterBy, limits?.usefulGain ?? 0) }),
    });
    return endOf(comparison) ?? comparison;
  }

  /** Limit of the budget of which less than this share is left after some more runs. */
  limitNear(share: number, moreRuns = 0): Ended | undefined {
    const { spent } = this.purse;
    const nearest = this.purse.nearestLimit();
    const used = (nearest?.used ?? 0) * (1 + moreRuns / Math.max(1, spent.runs));
    return nearest && used >= 1 - share ? `max-${nearest.limit}` : undefined;
  }

  /** Returns the limit that leaves too little for so many runs, or for the cost of those that start at the same time. */
  #tooShort(runs: number): Ended | undefined {
    if (runs > this.#runsLeft) return 'max-runs';
    const { concurrency = CONCURRENCY } = this.#settings;
    return this.#usdLeft < Math.max(2, concurrency) * this.purse.largestUsd ? 'max-usd' : undefined;
  }

  get #usdLeft(): number {
    return (this.#settings.budget.usd ?? Number.POSITIVE_INFINITY) - this.purse.spent.usd;
  }

  get #runsLeft(): number {
    return (this.#settings.budget.runs ?? Number.POSITIVE_INFINITY) - this.purse.spent.runs;
  }

  #limits({ step, round, steps }: RunPlace) {
    const { concurrency = CONCURRENCY, seed, signal } = this.#settings;
    return {
      seed: seed * 100_000_000 + round * 10_000 + steps * PHASES.length + PHASES.indexOf(step),
      runs: this.#kept,
      budget: this.purse,
      concurrency,
      ...(signal && { signal }),
    };
  }

  #report(): void {
    const { spent, part } = this.purse;
    const done = part.runs;
    this.#settings.onProgress?.({ ...this.#progress, done, spent });
  }
}

/** Returns why a comparison ended, if the same call continues it later: with a raised budget, or once runs work again. */
function endOf(comparison: Comparison): Ended | undefined {
  if (comparison.kind !== 'unknown') return undefined;
  switch (comparison.why) {
    case 'max-usd':
    case 'max-runs':
    case 'max-tokens':
    case 'max-minutes':
    case 'stopped':
    case 'all-failed':
      return comparison.why;
    default:
      return undefined;
  }
}
