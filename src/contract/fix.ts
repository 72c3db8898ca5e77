import type { Change } from './change.js';
import type { FixId, OutcomeId } from './ids.js';
import type { Issue } from './issue.js';
import type { AtMost } from './task-statistics.js';
import type { Trial, UnitKind } from './trial.js';
import type { Verdict } from './verdict.js';

export type FixStatus =
  | 'proposed'
  | 'approved'
  | 'trial'
  | 'confirmed'
  | 'refused'
  | 'rolled-back'
  | 'applied-unverified'
  | 'reopened'
  | 'superseded'
  | 'expired';

export type Decision =
  | { readonly kind: 'approved'; readonly by: string; readonly atMs: number; readonly reason?: string }
  | { readonly kind: 'refused'; readonly by: string; readonly atMs: number; readonly reason: string }
  | { readonly kind: 'waiting'; readonly sinceMs: number };

/** What it takes to show that the fix halves the failure rate, at the current rate and volume. */
export type Forecast =
  /** `days` is absent until a whole day was observed. */
  | { readonly kind: 'testable'; readonly tasks: number; readonly days?: number }
  | { readonly kind: 'not-testable'; readonly reason: string };

/** A change proposed for a pattern. */
export interface Fix {
  readonly id: FixId;
  readonly patternId: string;
  readonly task: string;
  readonly issue: Issue;
  /** What it changes, e.g. `retries.network` for `api_call`, or `AGENTS` for a rule in that file. */
  readonly target: string;
  readonly change: Change;
  /** What a trial of it has to randomise. */
  readonly unit: UnitKind;
  /** For fixes of slow or costly tasks: what a trial of it counts as failed besides failures. */
  readonly atMost?: AtMost;
  readonly status: FixStatus;
  /** Inside fixed bounds and chosen from numbers: may be applied without a person. */
  readonly safe: boolean;
  /** Why this change, in one sentence with the numbers it was chosen from. */
  readonly reason: string;
  /** For rules: some of the outcomes it was proposed for. */
  readonly evidence?: readonly OutcomeId[];
  /** For rules: the model whose words it has; absent where a template gave them. */
  readonly wordedBy?: string;
  /** For rules: how sure the proposal is that this is the cause and the remedy, 0 to 1. */
  readonly confidence?: number;
  /** For rules: what should be seen when it helps, in one sentence. */
  readonly expectedEffect?: string;
  /** For rules: rules of its file that seem to ask for the opposite, in their own words. */
  readonly contradicts?: readonly string[];
  /** For rules: where it stands in a file of the agent's now. */
  readonly written?: { readonly path: string; readonly atMs: number };
  readonly forecast: Forecast;
  /** What the host has to do before this fix can be tried. */
  readonly needs?: string;
  /** 1 for the first trial on these failures; attempt j is tested at alpha / (j (j + 1)) at most. */
  readonly attempt: number;
  readonly proposedMs: number;
  readonly changedMs: number;
  readonly decision: Decision;
  readonly trial?: Trial;
  readonly verdict?: Verdict;
}
