/** Limits for undecided trials: after this many failures (and tasks), or sessions, only promising trials continue. */
export const ENOUGH_FAILURES = 150;
export const ENOUGH_TASKS = 1_000;
export const ENOUGH_SESSIONS = 300;
/** Limit for blocks. A block can at most double the e-value, however many failures it has. */
export const ENOUGH_BLOCKS = 120;

/** Maximum length of a trial in days. Rules get longer, as sessions are fewer than tasks. */
export const POLICY_DAYS = 30;
export const RULE_DAYS = 60;

export const DAY_MS = 86_400_000;

/**
 * Returns how much longer a test at `alpha` may take than one at 1 in 20. The log e-value grows about linearly with
 * data.
 */
export function patienceOf(alpha: number): number {
  return Math.max(1, Math.log(1 / alpha) / Math.log(20));
}
