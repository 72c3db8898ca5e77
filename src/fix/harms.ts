import type { Policy, Settings } from '../contract/settings.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import { whole } from '../lib/text.js';

/** Multiple of the slowest success below which a time limit could cut work that would succeed. */
export const TIMES_SLOWEST = 1.5;
const DAY_MS = 86_400_000;

type NumberSetting = { readonly [Name in keyof Policy]: Policy[Name] extends number ? Name : never }[keyof Policy];

/**
 * Returns how settings could cut or refuse work that succeeds without them, or let tasks queue without end, by the
 * recorded tasks. Returns undefined if they do not. What may be harmed so is a person's decision.
 */
export function harmOf(set: Settings, policy: Policy, task: TaskStatistics): string | undefined {
  const stricter = (name: NumberSetting) => stricterValue(set[name], policy[name]);
  const timeMs = Math.min(stricter('timeout.attemptMs'), stricter('timeout.taskMs'));
  const places = stricter('limit.concurrency');
  const spacingMs = set['limit.spacingMs'] ?? 0;
  return (
    cuts(timeMs, task) ??
    queuesForPlaces(places, task) ??
    queuesForSpacing(spacingMs > policy['limit.spacingMs'] ? spacingMs : 0, task) ??
    refuses(set, policy)
  );
}

/** Returns a limit that is stricter than the present one; infinity if there is none. 0 means no limit. */
function stricterValue(value = 0, present: number): number {
  return value > 0 && (present === 0 || value < present) ? value : Number.POSITIVE_INFINITY;
}

function cuts(limitMs: number, { successMs }: TaskStatistics): string | undefined {
  if (!Number.isFinite(limitMs) || successMs === undefined) return undefined;
  const { p99, max = p99, count = 0 } = successMs;
  if (limitMs >= TIMES_SLOWEST * max) return undefined;
  const slowest = `the slowest of ${whole(count)} recorded successes took ${whole(max)} ms`;
  if (limitMs >= max) return `${slowest}, which is close to that`;
  return `${slowest}, and the limit would have cut at most ${Math.ceil((limitMs >= p99 ? 0.01 : 0.1) * count)} of them`;
}

/** By Little's law, tasks that arrive faster than the places become free wait without end. */
function queuesForPlaces(places: number, task: TaskStatistics): string | undefined {
  const { perDay, successMs } = task;
  if (!Number.isFinite(places) || successMs === undefined) return undefined;
  const needed = placesNeeded(task);
  if (places >= needed) return undefined;
  return `${whole(perDay)} tasks a day, half of them longer than ${whole(successMs.p50)} ms and a tenth longer than ${whole(successMs.p90)} ms, need ${Math.ceil(needed)} places, so tasks would queue without end`;
}

/**
 * Returns the places that the tasks of a provider need at the same time (Little's law). The mean duration is taken from the
 * middle between the median and the 90th percentile, which is above the mean of the usual durations.
 */
export function placesNeeded({ perDay, successMs }: TaskStatistics): number {
  return successMs === undefined ? Number.POSITIVE_INFINITY : ((perDay / DAY_MS) * (successMs.p50 + successMs.p90)) / 2;
}

function queuesForSpacing(spacingMs: number, { perDay }: TaskStatistics): string | undefined {
  if (spacingMs * perDay <= DAY_MS) return undefined;
  return `${whole(perDay)} tasks a day come every ${whole(DAY_MS / perDay)} ms, so tasks would queue without end`;
}

/** A breaker or a shorter queue refuses calls without asking the provider. */
function refuses(set: Settings, policy: Policy): string | undefined {
  const breaks = (['breaker.failures', 'breaker.ratio'] as const).find((name) =>
    Number.isFinite(stricterValue(set[name], policy[name])),
  );
  if (breaks !== undefined) return `${breaks} refuses calls that could succeed`;
  const queue = set['limit.queue'];
  return queue !== undefined && queue < policy['limit.queue'] ? 'limit.queue refuses more tasks' : undefined;
}
