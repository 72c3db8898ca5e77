import type { Change } from './change.js';
import type { FixId, OutcomeId } from './ids.js';
import type { Issue } from './issue.js';
import type { AtMost } from './task-statistics.js';
import type { Trial, UnitKind } from './trial.js';
import type { TrialFigures, Verdict } from './verdict.js';

/** Place of a fix on its way from proposal to verdict. */
export type FixStatus =
  | 'proposed'
  | 'approved'
  | 'trial'
  | 'confirmed'
  | 'rejected'
  | 'rolled-back'
  | 'applied-unverified'
  | 'reopened'
  | 'superseded'
  | 'expired'
  | 'void';

/** Last decision about a fix, or what it waits for. */
export type Decision =
  | { readonly kind: 'approved'; readonly by: string; readonly atMs: number; readonly reason?: string }
  | { readonly kind: 'rejected'; readonly by: string; readonly atMs: number; readonly reason: string }
  | { readonly kind: 'waiting'; readonly sinceMs: number };

/** Decision maker in entries that no person caused. */
export const AUTO = 'auto';

/** Returns whether a person, or code of the host that decides for one, approved the fix. */
export function isApprovedByPerson({ decision }: Pick<Fix, 'decision'>): boolean {
  return decision.kind === 'approved' && decision.by !== AUTO;
}

/** Facts about the failures before a trial, from which its length is forecast. */
export interface ForecastInput {
  /** Share of in-scope tasks that currently fail with the targeted failure, 0 to 1. */
  readonly rate: number;
  /** Share of in-scope tasks that fail for any reason. Default `rate`. */
  readonly failing?: number;
  /** The test bets only on tasks whose first attempt failed this way, so other failures do not matter. */
  readonly isTriggered?: boolean;
  /** Tasks in scope per day. */
  readonly perDay: number;
  /** Length of the observation, in days. Below one day the forecast omits days. */
  readonly observedDays: number;
  readonly unit: UnitKind;
}

/** Sample size needed to show that the fix halves the failure rate, at the current rate and volume. */
export type Forecast =
  /** `days` is absent until one whole day has been observed. */
  | { readonly kind: 'testable'; readonly tasks: number; readonly days?: number }
  /** `weeks`: time until a verdict at this volume; absent if less than a day was observed. */
  | { readonly kind: 'not-testable'; readonly reason: string; readonly weeks?: number };

/** A change proposed for a pattern. */
export interface Fix {
  readonly id: FixId;
  readonly patternId: string;
  readonly task: string;
  readonly issue: Issue;
  /** Setting or file that the fix changes: `retries.network` for `api_call`, or `AGENTS` for a rule in that file. */
  readonly target: string;
  readonly change: Change;
  /** Unit that a trial of this fix must randomise. */
  readonly unit: UnitKind;
  /** For fixes of slow or costly tasks: limits above which a trial also counts a task as failed. */
  readonly atMost?: AtMost;
  readonly status: FixStatus;
  /** Within fixed bounds and derived from numbers: may be applied without a person. */
  readonly safe: boolean;
  /** Why the fix proposes this change, in one sentence with the numbers it is based on. */
  readonly reason: string;
  /** For rules: some of the outcomes that led to the proposal. */
  readonly evidence?: readonly OutcomeId[];
  /** For rules: the model that worded it. Absent if the text came from a template. */
  readonly wordedBy?: string;
  /** For rules: confidence that this is the cause and the remedy, 0 to 1. */
  readonly confidence?: number;
  /** For rules: the effect to expect if it helps, in one sentence. */
  readonly expectedEffect?: string;
  /** For texts of a model: sentences that a person should read with care, each with the reason. */
  readonly marks?: readonly string[];
  /** For rules: existing rules of the same file that seem to ask for the opposite, quoted. */
  readonly contradicts?: readonly string[];
  /** File that currently contains the change, for kinds that write one, such as rules. */
  readonly written?: { readonly path: string; readonly atMs: number };
  readonly forecast: Forecast;
  /** Step the host must take before this fix can be tried. */
  readonly needs?: string;
  /** 1 for the first trial on these failures. Attempt j is tested at alpha / (j (j + 1)) at most. */
  readonly attempt: number;
  readonly proposedMs: number;
  readonly changedMs: number;
  readonly decision: Decision;
  readonly trial?: Trial;
  readonly verdict?: Verdict;
  /** End of the newest trial that ended without a verdict. Stays when the fix is proposed again. */
  readonly trialEnd?: TrialEnd;
}

/** End of a trial without a verdict: a person, a freeze or the loop ended it, with the evidence up to then. */
export interface TrialEnd {
  readonly atMs: number;
  readonly by: string;
  readonly reason: string;
  readonly figures?: TrialFigures;
  readonly trial?: Trial;
}

/** Fix whose change is of one kind. */
export type FixOf<C extends Change = Change> = Fix & { readonly change: C };
