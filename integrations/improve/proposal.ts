import type { Problem, Variant } from 'rsi-loop/bench';
import type { Hypothesis } from './hypothesis.js';
import type { Version } from './version.js';

/** Candidate with the reason why it should be better. */
export interface Proposal extends Hypothesis {
  /** Texts and settings that change; the others stay as they are in the draft. */
  readonly variant: Variant;
}

/** Candidate with the id of its change. */
export interface PlannedProposal extends Proposal {
  /** Id of the change: the same when the same change is proposed for another version. */
  readonly part: string;
}

/** Candidate with its score. */
export interface ScoredProposal extends PlannedProposal {
  readonly round: number;
  /** Id of the version that it was proposed for. */
  readonly parent: string;
  /** Id of the version in which it was first run. That version may contain other changes too. */
  readonly version: string;
  /** Mean score of that version on the open half, 0 to 1. It selects candidates; it proves nothing. */
  readonly score: number;
  /** Error of its worst problem, such as why its code was rejected. */
  readonly error?: string;
  /** Whether the draft contained it after this step. */
  readonly isChosen: boolean;
}

/** Result of one problem of the open half that is not always solved. */
export interface Failure {
  readonly problemId: string;
  /** Mean score, 0 to 1. */
  readonly score: number;
  /** Error of the last run that ended with one. */
  readonly error?: string;
}

/** Problem of the open half that is not always solved. */
export interface FailedProblem extends Omit<Failure, 'problemId'> {
  readonly problem: Problem;
}

/** Everything that a proposer sees. It contains nothing of the held-out half. */
export interface ProposalRequest {
  /** From 1. */
  readonly round: number;
  /**
   * Version that candidates change: the best one in the first step of a round, then mostly the draft, and sometimes
   * another one of the archive, see `chooseParent`.
   */
  readonly draft: Variant;
  /** Mean score of the draft on the open half, 0 to 1. */
  readonly score: number;
  /** The worst problems first. */
  readonly failures: readonly FailedProblem[];
  /** Earlier candidates and their scores, oldest first: no need to try them again. */
  readonly tried: readonly ScoredProposal[];
  /** Every version that was scored, oldest first. */
  readonly archive: readonly Version[];
  readonly signal: AbortSignal;
}

/**
 * Proposes candidates: a function of yours, or one that asks a model, see `proposer`. None ends the draft. A `LoopError`,
 * such as that of a model, ends the draft too, and is kept in the log; any other error ends the improvement.
 */
export type Propose = (request: ProposalRequest) => readonly Proposal[] | Promise<readonly Proposal[]>;
