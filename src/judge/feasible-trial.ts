import type { Fix } from '../contract/fix.js';
import type { Pattern } from '../contract/pattern.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import type { Trial } from '../contract/trial.js';
import { type Feasibility, feasibilityOf } from '../verify/feasibility.js';

export interface FeasibilityContext {
  readonly patterns: readonly Pattern[];
  readonly tasks: ReadonlyMap<string, TaskStatistics>;
}

/** Returns whether this trial can end before its deadline at the volume of its tasks. */
export function feasibilityOfTrial(fix: Fix, trial: Trial, { patterns, tasks }: FeasibilityContext): Feasibility {
  const task = tasks.get(fix.task);
  const { past, aim = 1, alpha, unit, share } = trial;
  if (!task || past.tasks === 0) return { days: 0, shorter: [] };
  const failing = past.failures / past.tasks;
  const pattern = patterns.find(({ id }) => id === fix.patternId);
  // The pattern's own rate is kept where the trial counts more than failures, such as slow tasks. If it counts failed first
  // calls, the past has them: a fallback hides most of them from the pattern.
  const isOfPattern = fix.atMost !== undefined && fix.atMost.calls !== 1;
  const rate = isOfPattern && pattern ? pattern.rate.value : failing * aim;
  return feasibilityOf({
    rate,
    failing: Math.max(rate, failing),
    isTriggered: trial.trigger !== undefined,
    perDay: (task.perDay * past.tasks) / task.outcomes,
    perDayUnlimited: task.perDay,
    observedDays: task.observedDays,
    unit,
    share,
    needed: 1 / alpha,
  });
}
