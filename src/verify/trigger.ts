import type { Issue } from '../contract/issue.js';
import type { JsonObject } from '../contract/json.js';
import type { Trigger } from '../contract/trial.js';
import type { TaskEnd } from './task-end.js';

/** A time limit acts when it is reached. Clocks and timers differ slightly, so tasks count from slightly earlier. */
const BEFORE_LIMIT = 0.9;

/**
 * Returns the condition under which a settings change can affect a task; undefined if it may act from the beginning.
 * Whether a task meets the condition is settled before the fix can act, so it is independent of the arm
 * (docs/verify.md).
 */
export function triggerOf(set: JsonObject, undo: JsonObject): Trigger | undefined {
  const names = Object.keys(set);
  const failedWith = names.filter((name) => name.startsWith(RETRIES)).map((name): Issue => name.slice(RETRIES.length));
  const limits = [set[LIMIT], undo[LIMIT]].filter((ms): ms is number => typeof ms === 'number' && ms > 0);
  const isKnown = (name: string) => name.startsWith(RETRIES) || name.startsWith(BACK_OFF) || name === LIMIT;
  if (!names.every(isKnown)) return undefined;
  if (!names.includes(LIMIT)) return failedWith.length > 0 ? { failedWith } : undefined;
  // Before the shorter of both limits, every attempt is the same in both arms.
  return limits.length > 0 ? { failedWith, tookMs: Math.min(...limits) * BEFORE_LIMIT } : undefined;
}

const RETRIES = 'retries.';
const BACK_OFF = 'backoff.';
const LIMIT = 'timeout.attemptMs';

/**
 * Returns whether a task met the condition. A task that never ended counts as meeting it: a fix must not gain by losing
 * tasks. A failure that does not list its attempts never meets it, in both arms.
 */
export function isTriggered(end: TaskEnd | undefined, { failedWith, tookMs }: Trigger): boolean {
  if (!end) return true;
  if (end.firstIssue !== undefined && failedWith.includes(end.firstIssue)) return true;
  return tookMs !== undefined && end.firstMs !== undefined && end.firstMs >= tookMs;
}
