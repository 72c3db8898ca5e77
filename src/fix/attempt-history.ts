import type { Change } from '../contract/change.js';
import type { Fix } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { Lesson } from '../contract/lesson.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import { callByCall } from '../lib/statistics.js';
import type { ChangeKinds } from './change-kinds.js';

/** Maximum attempts on one pattern within `ATTEMPT_WINDOW_MS`. */
const MAX_ATTEMPTS = 3;
const ATTEMPT_WINDOW_MS = 30 * 24 * 3_600_000;

/** A confirmed fix that was rolled back may be tried again after a day: the alarm may have been false. */
const AGAIN_AFTER_MS = 24 * 3_600_000;

/**
 * Returns whether this change was tried for the pattern without helping, and it is too early to try it again. A change
 * without a useful effect may have one after another fix for the same pattern was confirmed.
 */
export function isTooSoonToRetry(
  change: Change,
  lessons: readonly Lesson[],
  nowMs: number,
  kinds: ChangeKinds,
): boolean {
  const helpedMs = lastHelpedMs(lessons);
  return lessons.some(
    ({ result, set, atMs }) =>
      result !== 'helped' &&
      !(isUndecided(result) && atMs < helpedMs) &&
      kinds.isAlike(change, set) &&
      ageMs(atMs, nowMs) < restsFor(result),
  );
}

/** Returns the age of a lesson. One from the future was dated by a wrong clock: its distance counts, not its sign. */
function ageMs(atMs: number, nowMs: number): number {
  return Math.abs(nowMs - atMs);
}

/** Returns when a fix for the pattern was last confirmed. */
function lastHelpedMs(lessons: readonly Lesson[]): number {
  const helped = lessons.map(({ atMs, result }) => (result === 'helped' ? atMs : Number.NEGATIVE_INFINITY));
  return Math.max(...helped);
}

function isUndecided(result: Lesson['result']): boolean {
  return result === 'no-effect' || result === 'inconclusive';
}

/** Returns how long a result blocks the same change. An undecided trial blocks it for 30 days, a failed one always. */
function restsFor(result: Lesson['result']): number {
  if (result === 'stopped-helping') return AGAIN_AFTER_MS;
  return result === 'inconclusive' ? ATTEMPT_WINDOW_MS : Number.POSITIVE_INFINITY;
}

/** Factor by which failures must rise before models are compared again. */
const CHANGED = 1.5;

/**
 * Returns whether a verdict on model choice is outdated: tasks that want the same model fail clearly more often now
 * than control did then. Providers change their models, so such a verdict applies only to its time.
 */
export function isOverturned(
  { fixId, set, result }: Lesson,
  fixes: Pick<ReadonlyMap<FixId, Fix>, 'get'>,
  { models }: Pick<TaskStatistics, 'models'>,
): boolean {
  if (result !== 'no-effect' && result !== 'harmed' && result !== 'inconclusive') return false;
  const fix = Object.keys(set).every((name) => name.startsWith('model.')) ? fixes.get(fixId) : undefined;
  const figures = fix?.verdict && 'figures' in fix.verdict ? fix.verdict.figures : undefined;
  const now = models.find(({ model }) => model === fix?.change.scope.model)?.wantedLately;
  if (!figures || !now) return false;
  const { tasks, failures } = figures.control;
  return tasks > 0 && callByCall(now).low > CHANGED * (failures / tasks);
}

/**
 * Returns whether the pattern has used up its attempts for now, including running ones. Each attempt that helped allows
 * the next ones: what is left of the pattern has other settings in force.
 */
export function isExhausted(lessons: readonly Lesson[], nowMs: number, running: number): boolean {
  const helpedMs = lastHelpedMs(lessons);
  const recent = lessons.filter(
    ({ atMs, result }) =>
      result !== 'rejected' && result !== 'helped' && atMs >= helpedMs && ageMs(atMs, nowMs) < ATTEMPT_WINDOW_MS,
  );
  return recent.length + running >= MAX_ATTEMPTS;
}
