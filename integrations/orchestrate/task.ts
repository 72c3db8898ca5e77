import type { ErrorCategory, Json } from 'rsi-loop';
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

/** Retries of a task by its run. They are no traffic of a model that the loop has to protect, so its budgets allow all of them. */
export interface TaskRetries {
  /** Retries after the first attempt, 1 to 100. */
  readonly limit: number;
  /** Wait before the first retry, in milliseconds. It doubles up to an hour. A longer wait that the error states holds. Default 1,000. */
  readonly backoffMs?: number;
  /** Classes of errors that are retried. Default: all that may pass, such as `server_error`, `network` and `timeout`. */
  readonly on?: readonly ErrorCategory[];
}

/** Event from outside that a task waits for, such as the answer of a person. */
export interface TaskEvent {
  readonly name: string;
  /** Time after the tasks before it within which the event must come, in milliseconds. Without it, the task waits always. */
  readonly withinMs?: number;
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
  /** Time-out of all attempts together, in milliseconds; with `retries`, of each attempt. The policy may set a shorter one. */
  readonly timeoutMs?: number;
  /**
   * Whether the worker may be called twice. `false`: it is never retried, and fails if a killed process had begun it.
   * Default: retried if the loop allows it, and called again with the same key after a kill.
   */
  readonly idempotent?: boolean;
  /**
   * Retries by the run, which also survive a kill. Each attempt is then a task of the loop of its own, and the loop
   * neither retries it nor falls back to another model. Default: the retries of the loop's policy.
   */
  readonly retries?: TaskRetries;
  /** Time between the end of the tasks before it and its begin, in milliseconds. Default 0. */
  readonly delayMs?: number;
  /** Event without which the task does not begin. The wait takes no worker, and survives a kill. */
  readonly event?: TaskEvent;
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
  /** Retries that were used up, of those in `retries`. */
  readonly retried: number;
  /** Epoch milliseconds before which a waiting task does not begin. */
  readonly notBeforeMs?: number | undefined;
  /** Epoch milliseconds at which the last task before it had ended. */
  readonly readyMs?: number | undefined;
  /** Epoch milliseconds of the last attempt. */
  readonly beganMs?: number | undefined;
  readonly endedMs?: number | undefined;
}
