import type { Json } from 'rsi-loop';
import type { TaskSpec } from './task.js';

/** State of a run. `stopped` and `running` runs can be continued; the others have ended. */
export type RunStatus = 'running' | 'stopped' | 'done' | 'failed' | 'cancelled';

/** Step of a run. A process that continues a run reads all of them, and repeats nothing that they say is done. */
export type RunStep = StepBody & {
  /** Epoch milliseconds. */
  readonly atMs: number;
};

/** Content of one step of a run. */
export type StepBody =
  /** The first step. */
  | { readonly kind: 'started'; readonly name: string; readonly tasks: readonly TaskSpec[] }
  /** Another process continues the run. */
  | { readonly kind: 'resumed' }
  /** A run that has ended is run again: what failed, and what was skipped because of it. */
  | { readonly kind: 'retried' }
  /**
   * The planner answered: for the whole run, for a goal, or after the failure of a task. `replaces` are the tasks that do
   * not run, with the failed one. `problem` says why there is no plan.
   */
  | {
      readonly kind: 'planned';
      readonly for?: string;
      readonly tasks: readonly TaskSpec[];
      readonly replaces?: readonly string[];
      readonly problem?: string;
    }
  /** A worker is about to be called. Without a later step of the task, its effect is in doubt. */
  | { readonly kind: 'began'; readonly task: string; readonly attempt: number }
  /** Receipt: the effect happened, and this is its result. */
  | { readonly kind: 'done'; readonly task: string; readonly attempt: number; readonly result: Json }
  /** The attempt failed, and the next one begins at this time, in epoch milliseconds. */
  | {
      readonly kind: 'retrying';
      readonly task: string;
      readonly attempt: number;
      readonly error: string;
      readonly notBeforeMs: number;
    }
  /** No further attempt is made. */
  | { readonly kind: 'failed'; readonly task: string; readonly attempt: number; readonly error: string }
  /** The task before it that did not succeed. */
  | { readonly kind: 'skipped'; readonly task: string; readonly because: string }
  /** A task with its parts or, without `task`, the whole run. `request` is the id of a request from outside. */
  | {
      readonly kind: 'cancelled';
      readonly task?: string;
      readonly by: string;
      readonly reason: string;
      readonly request?: string;
    }
  /** Event from outside. The first one of a name counts. `request` is the id of the request that brought it. */
  | {
      readonly kind: 'event';
      readonly name: string;
      readonly body: Json;
      readonly by: string;
      readonly request?: string;
    }
  /** Message of one task to another. */
  | { readonly kind: 'sent'; readonly from: string; readonly to: string; readonly body: Json }
  /** The last step, unless the run is continued. */
  | { readonly kind: 'ended'; readonly status: Exclude<RunStatus, 'running'>; readonly why?: string };

/** Request to a run, from another process. */
export type RunRequest = CancelRequest | EventRequest;

/** Event for the tasks that wait for it, now or later. */
export interface EventRequest {
  readonly id: string;
  readonly event: string;
  readonly body: Json;
  readonly by: string;
}

/** Decision to end a run or one of its tasks. */
export interface CancelRequest {
  readonly id: string;
  /** Absent: the whole run. */
  readonly task?: string;
  readonly by: string;
  readonly reason: string;
}

/** Right to run the tasks of a run, which one process has at a time. */
export interface RunClaim {
  release(): Promise<void>;
}

/** Place where runs are kept. */
export interface RunStore {
  /** Returns the ids of all runs. */
  list(): Promise<readonly string[]>;
  /** Returns the steps of a run, oldest first; none if there is no such run. */
  load(run: string): Promise<readonly RunStep[]>;
  /** Resolves when this step and all before it are as durable as the store can make it. Steps keep the order of the calls. */
  add(run: string, step: RunStep): Promise<void>;
  /**
   * Claims a run for this process.
   * @throws LoopError `store-conflict` naming the process that has it.
   */
  claim(run: string): Promise<RunClaim>;
  /** Stores a request for the process that has the run, or for the next one. */
  request(run: string, request: RunRequest): Promise<void>;
  /** Returns all requests for a run. */
  requests(run: string): Promise<readonly RunRequest[]>;
  /** Folder for files beside the run, such as what it spent. */
  readonly folder?: string;
  close(): Promise<void>;
}
