import type { GuardName } from './guards.js';
import type { Gain, PairedEvidence } from './paired-bet.js';
import type { Regression } from './regressions.js';

/** Conclusion of a comparison. */
export type Conclusion =
  | {
      readonly kind: 'better';
      readonly why: 'mean';
      /** Problems not checked for regressions, because a limit was reached. */
      readonly unchecked?: number;
    }
  | { readonly kind: 'no-useful-difference'; readonly why: 'mean' }
  | { readonly kind: 'worse'; readonly why: 'mean' }
  /** Some problems, which the baseline solved every time, are never solved now. */
  | { readonly kind: 'worse'; readonly why: 'regression'; readonly regressions: readonly Regression[] }
  | { readonly kind: 'worse'; readonly why: 'guard'; readonly guard: GuardName }
  | { readonly kind: 'inconclusive'; readonly why: 'max-pairs' | 'max-usd' | 'stopped' | 'other-won' | 'recorded' };

/** Result of a comparison of a candidate with the baseline. */
export type Comparison = Conclusion & {
  /** Name of the candidate. */
  readonly candidate: string;
  readonly evidence: PairedEvidence;
  /** e-value that `better` needs: 1 / alpha, times the number of candidates. */
  readonly needed: number;
  readonly gain: Gain;
  /** Mean scores over the pairs, 0 to 1. */
  readonly scores: { readonly baseline: number; readonly candidate: number };
};
