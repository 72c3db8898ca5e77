import type { JsonObject, Lesson } from '../records.js';
import type { RuleComparison } from './compare-rules.js';

/** Attempts on one pattern within `ATTEMPT_WINDOW_MS` before it is left alone. */
const MAX_ATTEMPTS = 3;
const ATTEMPT_WINDOW_MS = 30 * 24 * 3_600_000;

/** What was confirmed before and taken back may be tried again after a day: the alarm may have been false. */
const AGAIN_AFTER_MS = 24 * 3_600_000;

/** Whether this was tried for this pattern, did not help, and asking again now would be asking the same. */
export function wasTriedInVain(
  set: JsonObject,
  lessons: readonly Lesson[],
  nowMs: number,
  rules: RuleComparison,
): boolean {
  return lessons.some(
    (lesson) =>
      lesson.result !== 'helped' && isAlike(set, lesson.set, rules) && nowMs - lesson.atMs < restsFor(lesson.result),
  );
}

/** What nobody could decide may be asked again when the month is over; what did not help was shown not to help. */
function restsFor(result: Lesson['result']): number {
  if (result === 'stopped-helping') return AGAIN_AFTER_MS;
  return result === 'unproven' ? ATTEMPT_WINDOW_MS : Number.POSITIVE_INFINITY;
}

/** Whether the pattern had its share of attempts for now. */
export function isExhausted(lessons: readonly Lesson[], nowMs: number): boolean {
  const recent = lessons.filter(({ atMs, result }) => result !== 'refused' && nowMs - atMs < ATTEMPT_WINDOW_MS);
  return recent.length >= MAX_ATTEMPTS;
}

/** Whether two changes ask for the same: the same settings, with numbers within a quarter of each other. */
function isAlike(one: JsonObject, other: JsonObject, rules: RuleComparison): boolean {
  if (typeof one.rule === 'string' && typeof other.rule === 'string') return rules.saysTheSame(one.rule, other.rule);
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => {
    const [a, b] = [one[name], other[name]];
    if (typeof a !== 'number' || typeof b !== 'number') return JSON.stringify(a) === JSON.stringify(b);
    return Math.abs(a - b) <= 0.25 * Math.max(Math.abs(a), Math.abs(b));
  });
}
