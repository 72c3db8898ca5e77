import type { Budget, BudgetLimit, Comparison, Gain, Spent, Variant } from 'rsi-loop/bench';
import type { VersionDecision } from './decision.js';
import type { Hypothesis } from './hypothesis.js';
import type { Failure, PlannedProposal, ScoredProposal } from './proposal.js';
import type { PlannedVersion, ScoredVersion } from './version.js';

/** Why an improvement ended. `max-…` names the limit of the budget; `all-failed`: every run ended with an error. */
export type Ended = 'rounds' | 'no-gain' | 'no-proposals' | 'target' | 'stopped' | 'all-failed' | BudgetLimit;

/** Finished step of an improvement. Each holds the input of the next, so that an interrupted one repeats none. */
export type ImprovementStep = StepBody & {
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** Resources used by this step. */
  readonly spent: Spent;
};

/** Content of one step of an improvement. */
export type StepBody =
  /** The first step. */
  | {
      readonly kind: 'started';
      readonly suite: string;
      /** Number of problems in each half. */
      readonly problems: { readonly open: number; readonly heldOut: number };
      /** Version at the start. */
      readonly start: Variant;
      readonly rounds: number;
      readonly budget: Budget;
    }
  /** Benchmark and analysis of failures: a version was run on the open half. */
  | {
      readonly kind: 'measured';
      readonly round: number;
      readonly version: ScoredVersion;
      /** The worst problems first. */
      readonly failures: readonly Failure[];
    }
  /** Plan and change: candidates were proposed for the measured version, and versions with them were made. */
  | {
      readonly kind: 'planned';
      readonly round: number;
      readonly proposals: readonly PlannedProposal[];
      readonly versions: readonly PlannedVersion[];
      /** Error of the proposer, if it failed. */
      readonly problem?: string;
    }
  /** Second benchmark: the new versions were run on the open half, and are in the archive. */
  | {
      readonly kind: 'scored';
      readonly round: number;
      readonly tried: readonly ScoredProposal[];
      readonly versions: readonly ScoredVersion[];
    }
  /** The draft is complete: it has every change that seems to help, or is a kept one without those that do not. */
  | {
      readonly kind: 'drafted';
      readonly round: number;
      readonly version: ScoredVersion;
      /** Id of the version that it is compared with. */
      readonly baseline: string;
      /** Level of the comparison. */
      readonly alpha: number;
      readonly shortens?: Shortening;
    }
  /** Proof and decision: the draft was compared with the best version, and is kept or dropped. */
  | ({ readonly kind: 'decided' } & Round)
  /** A process continues after one that crashed or was killed: the step before is no `ended`. */
  | { readonly kind: 'resumed' }
  /** A version was approved or rejected. This may happen at any time, also from another process. */
  | ({ readonly kind: VersionDecision['kind']; readonly version: string } & Omit<VersionDecision, 'kind' | 'atMs'>)
  /** The last step, until the same improvement is continued. Only decisions follow. */
  | { readonly kind: 'ended'; readonly why: Ended };

/** Attempt to hold the gain of a kept draft with fewer changes. */
export interface Shortening {
  /** Id of the kept draft. */
  readonly version: string;
  /** Gain over the baseline that must be exceeded: what the draft was proven to gain at least. */
  readonly gain: number;
}

/** End of a round. */
export interface Round {
  readonly round: number;
  readonly draft: Variant;
  /** Id of the draft in the archive. */
  readonly version: string;
  /** Id of the version that was best before. */
  readonly baseline: string;
  /** Comparison of the two on the held-out half. Absent if the draft has no change to prove. */
  readonly comparison?: Comparison;
  readonly isKept: boolean;
  /** Set if the draft is a kept one with fewer changes. */
  readonly shortens?: Shortening;
  /** Expected gain beside the measured one. Absent without a comparison. */
  readonly forecast?: Forecast;
}

/** Expected gain of a draft beside the gain on the held-out half. */
export interface Forecast {
  /** Hypotheses of the changes that the version before does not have. */
  readonly hypotheses: readonly EstimatedHypothesis[];
  /** Sum of the expected gains. Absent if a hypothesis has none. */
  readonly expected?: number;
  /** Measured gain with its interval. */
  readonly measured: Gain;
}

/** Hypothesis with the gain that the runs so far suggest. */
export interface EstimatedHypothesis extends Hypothesis {
  /** Gain of this change alone, as the runs so far suggest. It proves nothing. */
  readonly estimatedGain: number;
}
