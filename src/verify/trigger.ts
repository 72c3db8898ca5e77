import type { Issue } from '../contract/issue.js';
import type { JsonObject } from '../contract/json.js';
import type { Trigger } from '../contract/trial.js';
import type { TaskEnd } from './unit-queue.js';

/** A time limit acts when it is reached. Clocks and timers differ a little, so tasks are taken from a little earlier on. */
const BEFORE_LIMIT = 0.9;

/**
 * Returns the condition under which a change of settings can act on a task at all; undefined where it may act from the
 * beginning. The condition is met, or not, before the fix can act, so it says nothing about the arm (docs/verify.md).
 */
export function triggerOf(set: JsonObject, undo: JsonObject): Trigger | undefined {
  const names = Object.keys(set);
  const failedWith = names.filter((name) => name.startsWith(RETRIES)).map((name): Issue => name.slice(RETRIES.length));
  const limits = [set[LIMIT], undo[LIMIT]].filter((ms): ms is number => typeof ms === 'number' && ms > 0);
  const isKnown = (name: string) => name.startsWith(RETRIES) || name.startsWith(BACK_OFF) || name === LIMIT;
  if (!names.every(isKnown)) return undefined;
  if (!names.includes(LIMIT)) return failedWith.length > 0 ? { failedWith } : undefined;
  // Until the shorter of both limits every attempt is the same in both arms.
  return limits.length > 0 ? { failedWith, tookMs: Math.min(...limits) * BEFORE_LIMIT } : undefined;
}

const RETRIES = 'retries.';
const BACK_OFF = 'backoff.';
const LIMIT = 'timeout.attemptMs';

/**
 * Whether a task met the condition. One that never ended counts as if it had: a fix must not gain by letting tasks vanish.
 * A failure that does not list its attempts never does, in both arms.
 */
export function isTriggered(end: TaskEnd | undefined, { failedWith, tookMs }: Trigger): boolean {
  if (!end) return true;
  if (end.firstIssue !== undefined && failedWith.includes(end.firstIssue)) return true;
  return tookMs !== undefined && end.firstMs !== undefined && end.firstMs >= tookMs;
}
