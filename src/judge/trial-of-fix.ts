import type { Fix } from '../contract/fix.js';
import type { Pattern } from '../contract/pattern.js';
import type { Rate } from '../contract/rate.js';
import type { ModelStatistics, TaskStatistics } from '../contract/task-statistics.js';
import type { Trial } from '../contract/trial.js';
import { statedWaits } from '../fix/stated-waits.js';
import { wilsonRate } from '../lib/statistics.js';
import type { TrialPlace } from '../verify/level.js';
import { planTrial } from '../verify/plan.js';
import type { Components } from './components.js';

/** Inputs for the plan of a trial. */
export interface TrialContext extends Pick<Components, 'kinds' | 'random' | 'alpha' | 'smallestGain' | 'priceOf'> {
  readonly atMs: number;
  readonly patterns: readonly Pattern[];
  readonly tasks: ReadonlyMap<string, TaskStatistics>;
}

/**
 * Plans the trial of an approved fix from the current statistics of its task. The plan is fixed when the trial starts.
 */
export function trialOfFix(fix: Fix, task: TaskStatistics, place: TrialPlace, context: TrialContext): Trial {
  const { kinds, patterns, random, alpha, atMs } = context;
  const { id: fixId, unit, change } = fix;
  const kind = kinds.of(change);
  const settings = kinds.settings(change);
  const model =
    change.scope.model === undefined ? undefined : task.models.find((one) => one.model === change.scope.model);
  const wanted = fix.atMost?.calls === 1 ? firstCallsIn(model?.asked) : model?.wanted;
  const past = (wanted?.of ? wanted : undefined) ?? {
    value: task.failures / task.outcomes,
    of: task.outcomes,
  };
  return planTrial({
    fixId,
    scope: change.scope,
    unit,
    ...(fix.atMost && { atMost: fix.atMost }),
    issue: fix.issue,
    ...(settings && { set: settings }),
    // The pattern's share of a single model's failures is not counted.
    aim: model ? 1 : aimOf(fix, task, patterns),
    trigger: kind.trigger?.(change, task),
    place,
    alpha,
    smallestGain: context.smallestGain(fix),
    priceMs: context.priceOf(fix.task),
    nowMs: atMs,
    tasksPerDay: (task.perDay * past.of) / task.outcomes,
    longestWaitMs: kind.longestWaitMs?.(change, announcedMs(patterns, fix.patternId)) ?? 0,
    past: {
      tasks: past.of,
      failures: Math.round(past.value * past.of),
      ...(change.scope.task !== undefined && { others: countOthers(change.scope.task, context.tasks) }),
    },
    seed: Math.floor(random() * 2 ** 31),
  });
}

/** Returns the rate of failed first calls, whichever model was asked. */
function firstCallsIn(asked: ModelStatistics['asked'] = []): Pick<Rate, 'value' | 'of'> | undefined {
  const of = asked.reduce((sum, one) => sum + one.of, 0);
  return of > 0 ? { value: asked.reduce((sum, one) => sum + one.value * one.of, 0) / of, of } : undefined;
}

/** Returns the outcomes of all task names but one. */
function countOthers(except: string, all: TrialContext['tasks']): { tasks: number; failures: number } {
  let [tasks, failures] = [0, 0];
  for (const one of all.values()) {
    if (one.task === except) continue;
    tasks += one.outcomes;
    failures += one.failures;
  }
  return { tasks, failures };
}

/**
 * Estimates the share of the task's failures with the fix's issue, one standard error below the count. The estimate is
 * low on purpose: too high a value would reject a fix for failures that it does not target.
 */
export function aimOf(fix: Pick<Fix, 'task' | 'issue'>, task: TaskStatistics, patterns: readonly Pattern[]): number {
  const alike = patterns.filter(
    ({ kind, ...one }) => kind === 'failure' && one.task === fix.task && one.issue === fix.issue,
  );
  const failures = alike.reduce((sum, { rate }) => sum + rate.value * rate.of, 0);
  return failures > 0 && failures < task.failures ? wilsonRate(failures, task.failures, 1).low : 1;
}

/** Returns the waits announced by providers, according to the failures kept as examples. */
function announcedMs(patterns: readonly Pattern[], patternId: string): readonly number[] {
  const pattern = patterns.find(({ id }) => id === patternId);
  return pattern ? statedWaits(pattern) : [];
}
