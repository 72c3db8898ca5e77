import type { Issue, Severity } from '../contract/issue.js';
import type { Impact } from '../contract/pattern.js';

/** What a failure of each severity counts, in failed tasks of medium severity. */
export const SEVERITY_WEIGHT: Readonly<Record<Severity, number>> = { low: 0.5, medium: 1, high: 2, critical: 4 };

/** What one failed task is worth in time and money, to put all three into one number. */
export interface ImpactRates {
  /** Default 5 minutes. */
  readonly msPerFailure: number;
  /** Default half a dollar. */
  readonly usdPerFailure: number;
}
export const IMPACT_RATES: ImpactRates = { msPerFailure: 300_000, usdPerFailure: 0.5 };

export interface Losses {
  /** Failed tasks. */
  readonly failures: number;
  /** Failed tasks and lost quality, each times the weight of its severity. */
  readonly weighted: number;
  readonly lostMs: number;
  readonly lostUsd: number;
}

/** One number in failed tasks of medium severity. Successes do not enter it, so logging more of them changes nothing. */
export function scoreImpact(losses: Losses, rates: ImpactRates = IMPACT_RATES): Impact {
  const { failures, weighted, lostMs, lostUsd } = losses;
  const score = weighted + lostMs / rates.msPerFailure + lostUsd / rates.usdPerFailure;
  return { score, failures, lostMs, lostUsd };
}

const HIGH: ReadonlySet<Issue> = new Set([
  // Nothing works until somebody acts.
  'auth',
  'quota_exceeded',
  'model_not_found',
  // What the agent knew or promised is gone.
  'session_reset',
  'compaction_lost_context',
  'wal_miss',
]);
const LOW: ReadonlySet<Issue> = new Set(['slow_response', 'over_confirmation', 'model_fallback']);

/** How bad an issue is when nobody said. */
export function usualSeverity(issue: Issue): Severity {
  if (HIGH.has(issue)) return 'high';
  return LOW.has(issue) ? 'low' : 'medium';
}
