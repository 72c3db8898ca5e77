import type { BenchRuns, Budget, CompareOptions, Spent, Variant } from 'rsi-loop/bench';
import { type ImprovementLog, mustBe } from 'rsi-loop/kit';
import type { ImprovementStep } from './improvement-step.js';
import type { Propose } from './proposal.js';

/** Options of `improve`. */
export interface ImproveOptions {
  /** Makes candidates from the failures of the open half. */
  readonly propose: Propose;
  /**
   * Texts, settings and files at the start. With them, changes of the same text by different candidates are combined by
   * sentences and lines. Default: the agent as it is.
   */
  readonly start?: Variant;
  /** Limit on rounds, from 1. Default 10. A round ends with a comparison. */
  readonly rounds?: number;
  /**
   * Steps of a round, from 1: in each, candidates are proposed and run. Default 6. With a `budget` and without `rounds`,
   * a round goes on until two fifths of the budget are left for the comparison and to shorten the draft: this finds the most.
   */
  readonly draftSteps?: number;
  /** Highest share of useless drafts among those that are kept, on average: above 0, below 1. Default 0.05. */
  readonly alpha?: number;
  /** Ends after so many rounds without a gain, from 1. Default 3. */
  readonly patience?: number;
  /** Ends when the best version reaches this mean score on the open half: 0 to 1. Default 1. */
  readonly target?: number;
  /** Limits on all runs. Default: none. */
  readonly budget?: Budget;
  /** Runs of each problem when failures are collected for a proposer, from 1. Default 2. */
  readonly repeats?: number;
  /** Limits of each comparison. */
  readonly comparison?: Pick<CompareOptions, 'maxPairs' | 'usefulGain' | 'guards' | 'losses'>;
  /** Runs at the same time. Default 4. */
  readonly concurrency?: number;
  /** Another seed starts a new improvement. Default 1. */
  readonly seed?: number;
  /** Keeps every run and, with `log`, every step: an interrupted improvement then repeats nothing. Default: in memory. */
  readonly runs?: BenchRuns;
  readonly log?: ImprovementLog<ImprovementStep>;
  /** Ends the improvement after the runs in progress. The same call continues it. */
  readonly signal?: AbortSignal;
  /** Called after each step, when it is stored. */
  readonly onStep?: (step: ImprovementStep) => void;
  /** Called after each run, for example to draw a progress bar. */
  readonly onProgress?: (progress: ImproveProgress) => void;
}

/** Progress of a step. */
export interface ImproveProgress {
  /** Step in progress: `measured` and `scored` run the open half, `decided` the held-out half. */
  readonly step: ImprovementStep['kind'];
  readonly round: number;
  /** Finished runs of the step. */
  readonly done: number;
  /** Runs of the step. A comparison may end earlier. */
  readonly of: number;
  /** Resources used since the beginning. */
  readonly spent: Spent;
}

/** Options with their defaults. */
export type ImproveSettings = ImproveOptions &
  Required<
    Pick<
      ImproveOptions,
      'rounds' | 'draftSteps' | 'alpha' | 'patience' | 'target' | 'budget' | 'repeats' | 'start' | 'seed'
    >
  >;

/** @throws LoopError `invalid-input` for an option out of range. */
export function withDefaults(options: ImproveOptions): ImproveSettings {
  const isWhole = options.budget !== undefined && options.rounds === undefined;
  const settings = {
    rounds: 10,
    draftSteps: isWhole ? Number.MAX_SAFE_INTEGER : 6,
    alpha: 0.05,
    patience: 3,
    target: 1,
    budget: {},
    repeats: 2,
    start: {},
    seed: 1,
    ...options,
  };
  const { rounds, draftSteps, alpha, patience, target } = settings;
  mustBe(Number.isInteger(rounds) && rounds > 0, 'rounds', rounds, 'a whole number from 1');
  mustBe(Number.isInteger(draftSteps) && draftSteps > 0, 'draftSteps', draftSteps, 'a whole number from 1');
  mustBe(Number.isFinite(alpha) && alpha > 0 && alpha < 1, 'alpha', alpha, 'a number above 0 and below 1');
  mustBe(Number.isInteger(patience) && patience > 0, 'patience', patience, 'a whole number from 1');
  mustBe(Number.isFinite(target) && target >= 0 && target <= 1, 'target', target, 'a number from 0 to 1');
  mustBe(
    Number.isInteger(settings.repeats) && settings.repeats > 0,
    'repeats',
    settings.repeats,
    'a whole number from 1',
  );
  return settings;
}
