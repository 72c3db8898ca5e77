import type { Change } from '../contract/change.js';
import type { Fix } from '../contract/fix.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import type { RepeatRules } from '../lib/repeat.js';

/** Tasks that must have read their policy before a changed policy can be tried on them. */
const MIN_MANAGED = 20;
/** Outcomes in sessions, and session tasks started through the loop, needed before a rule can be tried. */
const MIN_IN_SESSIONS = 5;
const MIN_ADVISED = 3;

/** Returns whether enough tasks read their policy to try a changed policy on them. */
export function isReady(task: TaskStatistics | undefined): boolean {
  return task !== undefined && task.managed >= MIN_MANAGED;
}

/** Returns the number of session tasks started through the loop, over all tasks. Only those can be given advice. */
export function countAdvised(tasks: ReadonlyMap<string, TaskStatistics>): number {
  let advised = 0;
  for (const task of tasks.values()) advised += task.advised;
  return advised;
}

/** Returns whether a task's settings are never read while its sessions take advice. Then only a rule can help. */
export function isAdviceOnly(task: TaskStatistics, advised: number): boolean {
  return task.managed === 0 && advised >= MIN_ADVISED && task.inSessions >= MIN_IN_SESSIONS;
}

/** Returns what the host has to do before a fix for this task can be tried; `undefined` if nothing is missing. */
export function whatItNeeds(
  kind: Fix['change']['kind'],
  task: TaskStatistics | undefined,
  advised: number,
  sources: readonly string[] = [],
): string | undefined {
  const name = JSON.stringify(task?.task ?? '');
  if (kind === 'policy') {
    return isReady(task) ? undefined : `call loop.run(${name}, ...) so that its tasks read their policy`;
  }
  if (advised < MIN_ADVISED) {
    // If the agent is not the host's own code, its hooks start each session.
    if (sources.includes('claude-code')) {
      return 'run rsi install claude: its hooks begin each session and give the agent its rules, so that a trial can hand out this one';
    }
    return 'call loop.begin(task, { session }) when a session begins and give its advice to the agent, so that a trial can hand out the rule';
  }
  if ((task?.inSessions ?? 0) >= MIN_IN_SESSIONS) return undefined;
  return `record ${name} with its session, so that a trial can tell what the rule does`;
}

/**
 * Returns what has to happen before this change can be tried: a step of the host, or an answer whether tasks may
 * repeat.
 */
export function whatFixNeeds(
  change: Change,
  task: TaskStatistics | undefined,
  { repeats, advised, sources }: { repeats: RepeatRules; advised: number; sources?: readonly string[] | undefined },
): string | undefined {
  const missing = whatItNeeds(change.kind, task, advised, sources);
  const question = task && repeats.question(change, task);
  // The message combines both: one line of code adds what is missing and answers the question.
  return missing !== undefined && question !== undefined
    ? `${missing}, with idempotent: true if they may run twice`
    : (missing ?? question);
}
