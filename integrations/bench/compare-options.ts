import { mustBe } from 'rsi-loop/kit';
import type { BenchRuns } from './bench-run.js';
import type { GuardRatios } from './guards.js';
import { MemoryRuns } from './memory-runs.js';
import type { Variant } from './problem-runner.js';
import type { Budget, RunPurse } from './run-purse.js';

/** Options of `compare`. */
export interface CompareOptions {
  /** Version that candidates are compared with. Default: the agent as it is. */
  readonly baseline?: Variant;
  /** Highest chance of calling a useless candidate better: above 0, below 1. All candidates share it. Default 0.05. */
  readonly alpha?: number;
  /** Smallest mean gain that matters, in points of the score: above 0, below 1. Default 0.05. */
  readonly usefulGain?: number;
  /** Limit on pairs of runs per candidate. Default 700. */
  readonly maxPairs?: number;
  /** Limit on the cost of all runs, in US dollars, if runs state their cost. Default: the suite's. */
  readonly maxUsd?: number;
  /** Limits on dollars, runs, tokens and minutes, or a purse that several benchmarks share. Default: none. */
  readonly budget?: Budget | RunPurse;
  /**
   * Loss that does not matter, in points of the score: above 0, below 1. The question is then whether a candidate is not
   * worse by that much, for example a cheaper model or a shorter prompt. Default: the question is whether it is better.
   */
  readonly notWorseBy?: number;
  /** Gain that `better` must exceed, in points of the score: from 0, below 1. Default 0. */
  readonly betterBy?: number;
  /** Whether a problem that is lost is only reported, or makes a candidate `worse`. Default `report`. */
  readonly losses?: 'report' | 'block';
  /** Ends once a useful gain is excluded, without asking whether it is a loss. Default false. */
  readonly endsWithoutGain?: boolean;
  /** Runs at the same time. Default 4. */
  readonly concurrency?: number;
  /** Determines which problems are drawn and in which order the versions run. Default 1. */
  readonly seed?: number;
  /** Highest mean cost, tokens, duration and turns of a candidate, as a multiple of the baseline's. Default 1.5 each. */
  readonly guards?: GuardRatios;
  /**
   * Keeps results, so that an interrupted comparison resumes without repeating a run. Default: in memory. After a change
   * of the agent itself, give another seed, so that its old results are not used.
   */
  readonly runs?: BenchRuns;
  /** Ends the comparison after the runs in progress. */
  readonly signal?: AbortSignal;
  /** Called after each draw that was counted, with their number so far. */
  readonly onDraw?: (draws: number) => void;
}

/** Options with their defaults. */
export type CompareSettings = CompareOptions &
  Required<Pick<CompareOptions, 'alpha' | 'usefulGain' | 'maxPairs' | 'concurrency' | 'seed' | 'runs' | 'guards'>>;

/** @throws LoopError `invalid-input` for an option out of range. */
export function withDefaults(options: CompareOptions): CompareSettings {
  const settings = {
    alpha: 0.05,
    usefulGain: 0.05,
    maxPairs: 700,
    concurrency: 4,
    seed: 1,
    guards: {},
    ...options,
    runs: options.runs ?? new MemoryRuns(),
  };
  const { alpha, usefulGain, notWorseBy = usefulGain, betterBy = 0, maxPairs, concurrency } = settings;
  for (const [name, value] of Object.entries({ alpha, usefulGain, notWorseBy }))
    mustBe(Number.isFinite(value) && value > 0 && value < 1, name, value, 'a number above 0 and below 1');
  mustBe(
    Number.isFinite(betterBy) && betterBy >= 0 && betterBy < 1,
    'betterBy',
    betterBy,
    'a number from 0 and below 1',
  );
  mustBe(Number.isFinite(settings.seed), 'seed', settings.seed, 'a number');
  mustBe(Number.isInteger(maxPairs) && maxPairs > 0, 'maxPairs', maxPairs, 'a whole number from 1');
  mustBe(Number.isInteger(concurrency) && concurrency > 0, 'concurrency', concurrency, 'a whole number from 1');
  return settings;
}
