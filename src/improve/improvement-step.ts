import type { Comparison, Variant } from '../bench/index.js';
import type { Proposal, ScoredProposal } from './proposal.js';

/** Finished step of an improvement, with the cost of its runs. */
export type ImprovementStep =
  /** The draft was measured, and candidates were proposed. */
  | {
      readonly kind: 'proposed';
      readonly round: number;
      /** Mean score of the draft on the open half, 0 to 1. */
      readonly score: number;
      readonly proposals: readonly Proposal[];
      readonly costUsd: number;
    }
  /** The candidates were scored. */
  | {
      readonly kind: 'scored';
      readonly round: number;
      readonly tried: readonly ScoredProposal[];
      readonly draft: Variant;
      readonly costUsd: number;
    }
  /** The draft was compared with the best version. */
  | ({ readonly kind: 'decided'; readonly costUsd: number } & Round);

/** End of a round. */
export interface Round {
  readonly round: number;
  /** Best version with the candidates that were chosen. */
  readonly draft: Variant;
  /** Comparison with the best version on the held-out half. Absent if no candidate scored more than the draft. */
  readonly comparison?: Comparison;
  readonly isKept: boolean;
}
