import type { Problem, Variant } from '../bench/index.js';

/** Candidate with the reason why it should be better. */
export interface Proposal {
  /** Texts and settings that change; the others stay as they are in the draft. */
  readonly variant: Variant;
  /** Why it should help, in a sentence. It is kept, and shown beside the measured gain. */
  readonly hypothesis: string;
  /** Gain of the mean score that the proposer expects, e.g. 0.1 for ten points. */
  readonly expectedGain?: number;
}

/** Candidate with its score. */
export interface ScoredProposal extends Proposal {
  readonly round: number;
  /** Mean score on the open half, 0 to 1. It selects candidates; it proves nothing. */
  readonly score: number;
  /** Whether it became part of the draft. */
  readonly isChosen: boolean;
}

/** Problem of the open half that is not always solved. */
export interface FailedProblem {
  readonly problem: Problem;
  /** Mean score, 0 to 1. */
  readonly score: number;
  /** Error of the last run that ended with one. */
  readonly error?: string;
}

/** Everything that a proposer sees. It contains nothing of the held-out half. */
export interface ProposalRequest {
  /** From 1. */
  readonly round: number;
  /** Version that candidates change: the best one, with the candidates of this round that were chosen. */
  readonly draft: Variant;
  /** Mean score of the draft on the open half, 0 to 1. */
  readonly score: number;
  /** The worst problems first. */
  readonly failures: readonly FailedProblem[];
  /** Earlier candidates and their scores, oldest first: no need to try them again. */
  readonly tried: readonly ScoredProposal[];
  readonly signal: AbortSignal;
}

/** Proposes candidates: a function of yours, or one that asks a model. None ends the draft. */
export type Propose = (request: ProposalRequest) => readonly Proposal[] | Promise<readonly Proposal[]>;
