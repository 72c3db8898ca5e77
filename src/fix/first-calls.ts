import type { Rate } from '../contract/rate.js';
import type { Policy } from '../contract/settings.js';
import type { ModelStatistics } from '../contract/task-statistics.js';
import { wilsonRate } from '../lib/statistics.js';

/** Failed first calls of one model. */
export interface FirstCalls {
  readonly model: string;
  readonly rate: Rate;
}

/**
 * Returns the first calls of tasks whose callers wanted this model, by the model that was asked first. They compare like
 * with like: the same callers, and no calls that only follow another model's failure.
 */
export function firstCallsOf({ asked = [] }: ModelStatistics): readonly FirstCalls[] {
  return asked.map(({ model, value, of }) => ({ model, rate: wilsonRate(Math.round(value * of), of) }));
}

/** Returns the first calls of every model, over all callers. Without recorded first calls, all calls. */
export function allFirstCalls(models: readonly ModelStatistics[]): readonly FirstCalls[] {
  const sums = new Map<string, { failed: number; of: number }>();
  for (const { asked = [] } of models) {
    for (const { model, value, of } of asked) {
      const before = sums.get(model) ?? { failed: 0, of: 0 };
      sums.set(model, { failed: before.failed + Math.round(value * of), of: before.of + of });
    }
  }
  if (sums.size === 0) return models;
  return [...sums].map(([model, { failed, of }]) => ({ model, rate: wilsonRate(failed, of) }));
}

/**
 * Returns whether a trial of the order counts tasks that needed a second call as failed. With a fallback, the order hardly
 * changes how a task ends. It changes what the task costs.
 */
export function countsFirstCalls({ asked, listedBeside }: ModelStatistics, policy: Policy): boolean {
  return asked !== undefined && listedBeside.length > 0 && policy['model.fallback'];
}
