import type { ErrorCategory } from '../contract/issue.js';
import type { Policy } from '../contract/settings.js';
import type { Random } from '../lib/random.js';
import type { BreakerLimits } from './breaker.js';
import { type Failure, NO_FALLBACK } from './failure.js';
import type { ModelState } from './model-state.js';
import { backoffMs, retriesFor } from './retry.js';

/** State of a task that decides about its next attempt. */
export interface TaskState {
  readonly policy: Policy;
  readonly mayRepeat: boolean | undefined;
  readonly isCancelled: boolean;
  /** Calls so far. */
  readonly calls: number;
  /** Whether something inside the call already retried what failed. */
  readonly isRetriedInside?: boolean;
  /** Longest wait before another call of the same model. */
  readonly mostDelayMs?: number;
  /** Retries so far, by category of the failure. */
  readonly retries: Retries;
  /** Time left of the task's time-out; infinity without one. */
  readonly leftMs: number;
  readonly nowMs: number;
  /** Position of the current model among the models of the task. */
  readonly position: number;
  readonly models: number;
  readonly modelAt: (position: number) => ModelState;
  readonly breaker: BreakerLimits | undefined;
}

export type Retries = { readonly [Category in ErrorCategory]?: number };

export type NextAttempt = {
  /** Position of the model to call. */
  readonly position: number;
  readonly delayMs: number;
  readonly kind: 'retry' | 'fallback';
  /** True if it counts against the model's retry budget. */
  readonly isExtra: boolean;
};

/** Maximum calls of one task, regardless of settings: a hard stop for a series of different errors. */
const MAX_CALLS = 16;

/**
 * Returns the next attempt after a failure, or `undefined` if there is none. Without a `failure` the current model did
 * not admit the task. Changes nothing.
 */
export function nextAttempt(failure: Failure | undefined, task: TaskState, random: Random): NextAttempt | undefined {
  if (task.calls > 0 && task.mayRepeat === false) return undefined;
  if (task.isCancelled || task.calls >= MAX_CALLS || task.leftMs <= 0) return undefined;
  return (failure && retry(failure, task, random)) ?? fallBack(failure, task);
}

/** Calls the same model again, if the policy, the time, the breaker and the budget allow it. */
function retry(failure: Failure, task: TaskState, random: Random): NextAttempt | undefined {
  const { policy, calls, position, nowMs } = task;
  if (
    failure.permanent ||
    task.isRetriedInside ||
    (task.retries[failure.category] ?? 0) >= retriesFor(failure.category, policy)
  ) {
    return undefined;
  }
  const model = task.modelAt(position);
  const askedMs = Math.max(failure.retryAfterMs ?? 0, model.resetInMs(nowMs));
  const delayMs = backoffMs(calls, askedMs, policy, random);
  if (delayMs === undefined || delayMs >= task.leftMs || delayMs > (task.mostDelayMs ?? delayMs)) return undefined;
  if (task.breaker !== undefined && !model.breaker.admits(nowMs + delayMs)) return undefined;
  return model.allowsExtra(failure) ? { kind: 'retry', position, delayMs, isExtra: true } : undefined;
}

/** Moves to the next model that may be called. A resting model needs an extra attempt from its retry budget. */
function fallBack(failure: Failure | undefined, task: TaskState): NextAttempt | undefined {
  if (!task.policy['model.fallback'] || (failure !== undefined && NO_FALLBACK.has(failure.category))) return undefined;
  for (let position = task.position + 1; position < task.models; position++) {
    const model = task.modelAt(position);
    if (task.breaker !== undefined && !model.breaker.admits(task.nowMs)) continue;
    const isExtra = task.calls > 0 && model.isResting(task.nowMs, task.breaker);
    if (isExtra && !model.allowsExtra(failure)) continue;
    return { kind: 'fallback', position, delayMs: 0, isExtra };
  }
  return undefined;
}
