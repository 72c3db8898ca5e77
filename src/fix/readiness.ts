import type { Change } from '../contract/change.js';
import type { ReadinessFacts } from '../contract/change-kind.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import { isAgentSource } from '../lib/agent-sources.js';
import type { RepeatRules } from '../lib/repeat.js';
import type { ChangeKinds } from './change-kinds.js';

/** Outcomes in sessions, and session tasks started through the loop, needed before advice can be tried. */
export const MIN_IN_SESSIONS = 5;
export const MIN_ADVISED = 3;
/** Outcomes that a task with several models needs before a setting is proposed: the choice of model comes first. */
const MIN_OUTCOMES_WITH_MODELS = 60;

/** Returns the number of session tasks started through the loop, over all tasks. Only those can be given advice. */
export function countAdvised(tasks: ReadonlyMap<string, TaskStatistics>): number {
  let advised = 0;
  for (const task of tasks.values()) advised += task.advised;
  return advised;
}

/** Returns whether a task's settings are never read while its sessions take advice. Then only a rule can help. */
export function isAdviceOnly({ task, advised }: { readonly task: TaskStatistics; readonly advised: number }): boolean {
  return task.managed === 0 && advised >= MIN_ADVISED && task.inSessions >= MIN_IN_SESSIONS;
}

/**
 * Returns whether no such task is started through the loop and none can be: its calls are captured, or made by the
 * program of a coding agent.
 */
export function isOnlyWatched({ captured, managed }: TaskStatistics, sources: readonly string[] = []): boolean {
  return managed === 0 && (captured > 0 || (sources.length > 0 && sources.every(isAgentSource)));
}

/** Returns whether a task has several models and few outcomes: the choice of model comes before any setting. */
export function isTooEarly({ models, outcomes }: TaskStatistics): boolean {
  return models.length > 1 && outcomes < MIN_OUTCOMES_WITH_MODELS;
}

/**
 * Returns what has to happen before this change can be tried: a step of the host, or an answer whether tasks may
 * repeat.
 */
export function whatFixNeeds(
  change: Change,
  facts: ReadinessFacts,
  { kinds, repeats }: { readonly kinds: ChangeKinds; readonly repeats: RepeatRules },
): string | undefined {
  const missing = kinds.of(change).needs?.(change, facts);
  const question = facts.task && repeats.question(kinds.settings(change), facts.task);
  // The message combines both: one line of code adds what is missing and answers the question.
  return missing !== undefined && question !== undefined
    ? `${missing}, with idempotent: true if they may run twice`
    : (missing ?? question);
}
