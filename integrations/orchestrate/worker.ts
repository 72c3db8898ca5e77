import type { Json, Policy, Prompts } from 'rsi-loop';
import type { Amount, WorstCase } from 'rsi-loop/oversee';
import type { TaskMessage } from './run-state.js';

/** Attempt of a task, as plain JSON that threads, processes and other machines understand. */
export interface TaskCall {
  readonly run: string;
  readonly id: string;
  readonly worker: string;
  /** Number of the attempt, from 1, over all processes. */
  readonly attempt: number;
  /**
   * The same for each attempt of the task. Pass it to services as idempotency key: a process may be killed after an
   * effect and before its receipt, and the task then runs again.
   */
  readonly key: string;
  readonly input: Json;
  /** Results of the tasks in `after`, by id. */
  readonly results: Readonly<Record<string, Json>>;
  /** Errors of the tasks in `after`, by id. Empty unless `afterFailure` is `run`. */
  readonly errors: Readonly<Record<string, string>>;
  /** Content of the event that the task waited for. */
  readonly event?: Json;
  /** Model to call, if the task lists any. */
  readonly model?: string;
  readonly policy: Policy;
  /** Rules for this task, as plain text. */
  readonly advice: readonly string[];
  /** Your named texts, in the version for this task. */
  readonly prompts: Prompts;
  /** Largest amount that the attempt may spend. */
  readonly worst?: Amount;
}

/** Functions of an attempt. */
export interface TaskHost {
  /** Aborted by a time-out, a cancellation and the stop of the run. */
  readonly signal: AbortSignal;
  /**
   * Makes one call inside the budget of the run: see `spend` of `rsi-loop/oversee`.
   * @throws LoopError `budget-exceeded` before the call, if a limit does not cover it.
   */
  spend<Result>(
    worst: WorstCase,
    work: (signal: AbortSignal) => Result | PromiseLike<Result>,
    measure?: (result: Result) => Amount,
  ): Promise<Result>;
  /**
   * Sends JSON to another task of the run. A message to a task that has not begun waits for it.
   * @throws LoopError `invalid-input` for a task that does not exist or has ended.
   */
  send(to: string, body: Json): Promise<void>;
  /**
   * Resolves with the next message to this task; `from` waits for those of one task. Each attempt gets all of them.
   * @throws LoopError `stopped` if no task is left that could send one.
   */
  receive(from?: string): Promise<TaskMessage>;
}

/** Attempt of a task, as its worker sees it. */
export type TaskContext = TaskCall & TaskHost;

/** Does tasks: returns JSON, `undefined` for none, and throws to fail. */
export type WorkerFunction = (task: TaskContext) => unknown;

/** Result of an attempt. */
export interface WorkerResult {
  readonly result: unknown;
  /** Amount that the attempt spent, if its worker did not call `spend`. */
  readonly used?: Amount;
}

/** Workers outside this thread. */
export interface WorkerPool {
  /** Tasks at the same time. */
  readonly count: number;
  /**
   * Whether an attempt goes on when this process is killed. The next process calls `run` with the same attempt again,
   * and gets the result of the first call.
   */
  readonly keepsAttempts?: boolean;
  /** Runs an attempt. Rejects with the error of the worker, or if the worker died. */
  run(call: TaskCall, host: TaskHost): Promise<WorkerResult>;
  /** Ends idle workers. Those in use go on, and the next call starts new ones. */
  close(): Promise<void>;
}

/** Code that does tasks: a function of this process, or a pool of processes. */
export type Worker = WorkerFunction | WorkerPool;
