import type { Pattern } from '../../contract/pattern.js';
import { SETTINGS } from '../../contract/settings.js';
import type { TaskStatistics } from '../../contract/task-statistics.js';
import { LIMIT_OF_CALL } from '../../lib/limit-of-call.js';
import { normalQuantile } from '../../lib/statistics.js';
import { shareOf, whole } from '../../lib/text.js';
import type { CatalogEntry } from '../candidate.js';

const LIMITS = ['timeout.attemptMs', 'timeout.taskMs'] as const;
/** Share of all tasks that the new limit should leave time for, estimated from the observed durations. */
const SHARE = 0.998;
/** Successes this close to the limit show that it cuts off calls that would have ended. Hanging calls leave a gap. */
const CLOSE = 0.5;
/** Smallest and largest factor by which one step raises a limit. Durations beyond the old limit are a guess. */
const LEAST_TIMES = 1.5;
const MOST_TIMES = 8;

/**
 * Raises a time limit that cuts off calls that would have ended. Durations beyond the limit are not observed.
 * They are estimated by a log-normal distribution through the observed quantiles of all tasks.
 */
export const longerTimeLimit: CatalogEntry = {
  name: 'longer-time-limit',
  match: (pattern) => pattern.kind === 'failure' && pattern.issue === 'timeout',
  propose(pattern, { policy, task: { successMs } }) {
    if (!successMs) return [];
    const cutting = LIMITS.filter((name) => policy[name] > 0 && successMs.p90 >= CLOSE * policy[name]);
    if (cutting.length === 0) return [];
    const neededMs = neededFor(successMs, Math.min(0.9, pattern.rate.value));
    const set = Object.fromEntries(cutting.map((name) => [name, longer(name, policy[name], neededMs)]));
    const words = Object.entries(set).map(
      ([name, ms]) => `${name} ${policy[name as (typeof LIMITS)[number]]} to ${ms} ms`,
    );
    return [
      {
        set,
        safe: true,
        reason: `timeout ends ${shareOf(pattern.rate)} tasks, and successes reach close to the limit (one in ten takes over ${whole(successMs.p90)} ms): the limit cuts off calls that would end. Raise ${words.join(' and ')}`,
      },
    ];
  },
};

/**
 * Returns what to tell the host about a `timeoutMs` that cuts off calls that would have ended: only the caller can raise
 * it. Undefined if there is no such limit.
 */
export function describeTightCallLimit(
  { issue, rate, examples }: Pattern,
  { task, successMs }: TaskStatistics,
): string | undefined {
  const said = issue === 'timeout' ? examples.find((text) => text.endsWith(LIMIT_OF_CALL)) : undefined;
  const limitMs = Number(/(?<!\d)(\d{1,15}) ms \(/.exec(said ?? '')?.[1]);
  if (!successMs || !(successMs.p90 >= CLOSE * limitMs)) return undefined;
  const neededMs = longer('timeout.taskMs', limitMs, neededFor(successMs, Math.min(0.9, rate.value)));
  return `the timeoutMs of loop.run(${JSON.stringify(task)}) ends ${shareOf(rate)} tasks, and one in ten successes takes over ${whole(successMs.p90)} ms: it cuts off calls that would end. Pass ${neededMs} instead of ${limitMs}: the loop never changes what a caller passes`;
}

/**
 * Returns the time that is needed. Successes are the fastest `1 - cut` of all tasks, so their quantiles are lower
 * quantiles of all tasks.
 */
function neededFor({ p50, p90 }: { readonly p50: number; readonly p90: number }, cut: number): number {
  const [half, most] = [normalQuantile(0.5 * (1 - cut)), normalQuantile(0.9 * (1 - cut))];
  const spread = Math.log(Math.max(p90, p50 + 1) / Math.max(1, p50)) / (most - half);
  return Math.max(1, p50) * Math.exp(spread * (normalQuantile(SHARE) - half));
}

function longer(name: (typeof LIMITS)[number], presentMs: number, neededMs: number): number {
  const rule = SETTINGS[name];
  const mostMs = Math.min(MOST_TIMES * presentMs, rule.type === 'number' ? rule.max : presentMs);
  return Math.ceil(Math.min(mostMs, Math.max(LEAST_TIMES * presentMs, neededMs)) / 100) * 100;
}
