import type { Json } from 'rsi-loop';
import type { Amount } from 'rsi-loop/oversee';

interface PlannedTask {
  /** Unique in the run. Parts of a goal get its id as prefix: `goal/part`. */
  readonly id: string;
  /** Tasks that must end first. */
  readonly after?: readonly string[];
  /**
   * Effect of a task in `after` that does not succeed. `skip` (default) skips this task too; `run` runs it with the
   * errors, for example to clean up.
   */
  readonly afterFailure?: 'skip' | 'run';
  /** Ready tasks with a higher priority begin first, equal ones in the order of the plan. Default 0. */
  readonly priority?: number;
}

/** Task that a worker does. Plain JSON, so that a run can be stored and continued. */
export interface WorkerTask extends PlannedTask {
  /** Name of the worker in `workers`. */
  readonly worker: string;
  /** Name of the task in the loop, whose policy applies. Default: the name of the worker. */
  readonly task?: string;
  /** JSON for the worker. It is stored as it is: leave secrets out. */
  readonly input?: Json;
  /** Models that the worker may call, best first. Two or more let the loop fall back to the next one. */
  readonly models?: readonly string[];
  /** Time-out of all attempts together, in milliseconds; the policy may set a shorter one. */
  readonly timeoutMs?: number;
  /**
   * Whether the worker may be called twice. `false`: it is never retried, and fails if a killed process had begun it.
   * Default: retried if the loop allows it, and called again with the same key after a kill.
   */
  readonly idempotent?: boolean;
  /** Largest amount that an attempt may spend. It is reserved before the attempt, for workers on other machines. */
  readonly worst?: Amount;
}

/** Part of the work that the planner divides into tasks when it is ready. */
export interface GoalTask extends PlannedTask {
  readonly goal: string;
}

/** Task of a graph: work for a named worker, or a goal to plan for. */
export type TaskSpec = WorkerTask | GoalTask;

export function isGoal(spec: TaskSpec): spec is GoalTask {
  return 'goal' in spec;
}

/**
 * `waiting` for other tasks or a worker, `running`, or ended. `skipped`: a task before it did not succeed. `replaced`: the
 * planner replaced it after a failure.
 */
export type TaskStatus = 'waiting' | 'running' | 'done' | 'failed' | 'skipped' | 'cancelled' | 'replaced';

/** State of a task in a run. */
export interface TaskState {
  readonly spec: TaskSpec;
  readonly status: TaskStatus;
  /** Attempts that were begun, over all processes. */
  readonly attempts: number;
  /** Goal that it is a part of. */
  readonly parent?: string | undefined;
  /** Result of a task that is done. */
  readonly result?: Json | undefined;
  /** Error of a failed task, or why it was skipped, cancelled or replaced. Without secrets. */
  readonly error?: string | undefined;
  /** Epoch milliseconds of the last attempt. */
  readonly beganMs?: number | undefined;
  readonly endedMs?: number | undefined;
}
