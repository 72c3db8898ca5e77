import type { GuardName } from './guards.js';
import type { Loss } from './losses.js';
import type { Gain, PairedEvidence } from './paired-bet.js';
import type { BudgetLimit } from './run-purse.js';

/** Problems that a candidate loses although its mean is not lower. */
interface Lost {
  /** Problems that the baseline solved every time, and the candidate never. */
  readonly loses?: readonly Loss[];
  /** Problems not checked for losses, because a limit was reached. */
  readonly unchecked?: number;
}

/** Conclusion of a comparison. */
export type Conclusion =
  /** The mean score is higher, by more than `by` points of the score. `by` is absent for 0. */
  | ({ readonly kind: 'better'; readonly why: 'mean'; readonly by?: number } & Lost)
  /** A loss of `by` or more is excluded. Points of the score: 0 to 1. */
  | ({
      readonly kind: 'not-worse';
      readonly why: 'mean';
      readonly by: number;
      /** A gain of this many points of the score or more is excluded too. Absent if it is not. */
      readonly gainsLessThan?: number;
    } & Lost)
  /** The mean score is lower; with `notWorseBy`, by more than that. */
  | { readonly kind: 'worse'; readonly why: 'mean' }
  /** The mean is not lower, but problems are lost, and `losses` is `block`. */
  | { readonly kind: 'worse'; readonly why: 'losses'; readonly loses: readonly Loss[] }
  | { readonly kind: 'worse'; readonly why: 'guard'; readonly guard: GuardName }
  | { readonly kind: 'unknown'; readonly why: 'max-pairs' | BudgetLimit | 'stopped' | 'other-won' | 'recorded' }
  /** A useful gain is excluded. Whether the candidate loses was not asked (`endsWithoutGain`). */
  | { readonly kind: 'unknown'; readonly why: 'no-useful-gain' }
  /** Ten runs or more were made, and each of them ended with an error. */
  | { readonly kind: 'unknown'; readonly why: 'all-failed'; readonly error: string };

/** Result of a comparison of a candidate with the baseline. */
export type Comparison = Conclusion & {
  /** Name of the candidate. */
  readonly candidate: string;
  readonly evidence: PairedEvidence;
  /** e-value that `better` needs, and `not-worse` with `notWorseBy`: 1 / alpha, times the number of candidates. */
  readonly needed: number;
  readonly gain: Gain;
  /** Mean scores over the pairs, 0 to 1. */
  readonly scores: { readonly baseline: number; readonly candidate: number };
  /** Loss in points of the score that does not matter, 0 to 1, if the question was whether it is not worse. */
  readonly notWorseBy?: number;
};
