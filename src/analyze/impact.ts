import type { Issue, Severity } from '../contract/issue.js';
import type { Impact } from '../contract/pattern.js';

/** Weight of a failure per severity, in failed tasks of medium severity. */
export const SEVERITY_WEIGHT: Readonly<Record<Severity, number>> = { low: 0.5, medium: 1, high: 2, critical: 4 };

/** Value of one failed task in time and money, used to combine all three into one number. */
export interface ImpactRates {
  /** Default 5 minutes. */
  readonly msPerFailure: number;
  /** Default 0.50 USD. */
  readonly usdPerFailure: number;
}
export const IMPACT_RATES: ImpactRates = { msPerFailure: 300_000, usdPerFailure: 0.5 };

export interface Losses {
  /** Number of failed tasks. */
  readonly failures: number;
  /** Failed tasks and lost quality, each multiplied by the weight of its severity. */
  readonly weighted: number;
  readonly lostMs: number;
  readonly lostUsd: number;
}

/**
 * Returns the impact as one number, in failed tasks of medium severity. Successes do not affect it, so logging more of
 * them changes nothing.
 */
export function scoreImpact(losses: Losses, rates: ImpactRates = IMPACT_RATES): Impact {
  const { failures, weighted, lostMs, lostUsd } = losses;
  const score = weighted + lostMs / rates.msPerFailure + lostUsd / rates.usdPerFailure;
  return { score, failures, lostMs, lostUsd };
}

const HIGH: ReadonlySet<Issue> = new Set([
  // Blocks all work until a person acts.
  'auth',
  'quota_exceeded',
  'model_not_found',
  // The agent lost its knowledge or commitments.
  'session_reset',
  'compaction_lost_context',
  'wal_miss',
]);
const LOW: ReadonlySet<Issue> = new Set(['slow_response', 'over_confirmation', 'model_fallback']);

/** Returns the default severity of an issue. */
export function usualSeverity(issue: Issue): Severity {
  if (HIGH.has(issue)) return 'high';
  return LOW.has(issue) ? 'low' : 'medium';
}
