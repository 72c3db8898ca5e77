/** Undecided after so many failures (and tasks), or so many sessions, a trial goes on only while it looks promising. */
export const ENOUGH_FAILURES = 150;
export const ENOUGH_TASKS = 1_000;
export const ENOUGH_SESSIONS = 300;
/** A block can at best double the capital, however many failures it has, so blocks are given a number of their own. */
export const ENOUGH_BLOCKS = 120;

/** Days a trial may take: longer for rules, as sessions are fewer than tasks. */
export const POLICY_DAYS = 30;
export const RULE_DAYS = 60;

export const DAY_MS = 86_400_000;

/** How much longer than a test at 1 in 20 one may take that must reach more: evidence grows with the logarithm. */
export function patienceOf(alpha: number): number {
  return Math.max(1, Math.log(1 / alpha) / Math.log(20));
}
