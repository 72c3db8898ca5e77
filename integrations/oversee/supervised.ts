import type { Policy } from 'rsi-loop';
import type { Amount } from './amount.js';
import type { ChildProcess, SpawnOptions } from './process-groups.js';
import type { WatchedCall } from './progress-watch.js';
import type { ProcessLimits } from './run-processes.js';

/** Limits of one run and its children together. */
export interface Budget extends Amount {
  /** Longest duration, in minutes. */
  readonly minutes?: number;
}

/** Most that a call may use. What it leaves out is estimated by the largest call of its kind so far. */
export interface WorstCase extends Amount {
  /** Tool or model of the call. Default: the name of the task. */
  readonly kind?: string;
}

/** Limits of one run, its children and its processes together. */
export interface RunBudget extends Budget, ProcessLimits {
  /** Runs inside each other, also in processes that they start: 1 allows children, 2 children of children. */
  readonly depth?: number;
}

/** Options of one run. */
export interface RunOptions {
  readonly session?: string;
  /** Stops the run when it is aborted. */
  readonly signal?: AbortSignal;
  /** Limits of this run, in addition to those of the runs around it. */
  readonly budget?: RunBudget;
}

/** Work that a run supervises. */
export type Work<Result> = (run: Supervised) => Result | PromiseLike<Result>;

/** Supervised run, as its work sees it. */
export interface Supervised {
  /** Aborted when the run is stopped. Its reason is the error that the run rejects with. */
  readonly signal: AbortSignal;
  /** Settings in force for this task. */
  readonly policy: Policy;
  /** Rules for this session. */
  readonly advice: readonly string[];
  /**
   * Makes one call inside the budget. `worst` is reserved before it. `measure` returns what the call used; without it, the
   * reserved amount counts.
   * @throws LoopError `budget-exceeded` before the call, if a limit does not cover it.
   */
  spend<Result>(
    worst: WorstCase,
    work: (signal: AbortSignal) => Result | PromiseLike<Result>,
    measure?: (result: Result) => Amount,
  ): Promise<Result>;
  /** Reports a call of a tool or a model that has ended to the watch. */
  note(call: WatchedCall): void;
  /**
   * Announces a wait for something outside, such as a build or a person. Until `work` ends, and for `upToMs` at the most,
   * the watch takes silence and repeated results for patience. Limits still hold.
   */
  wait<Result>(
    what: string,
    options: { readonly upToMs: number },
    work: () => Result | PromiseLike<Result>,
  ): Promise<Result>;
  /** Runs a part of the work as a task of its own, inside the budget of this one, which ends after it. */
  child<Result>(task: string, work: Work<Result>, options?: Omit<RunOptions, 'session'>): Promise<Result>;
  /**
   * Starts a process that leads its own group. A stop ends the whole group: SIGTERM first, SIGKILL after the grace time. What
   * goes on after it gets the grace time too, and is then killed and reported.
   */
  spawn(command: string, args: readonly string[], options?: SpawnOptions): ChildProcess;
  /** Returns the hints since the last call, for the agent's next message. */
  hints(): readonly string[];
  /** Returns what is left of the budget, in the resources that it limits. */
  left(): Amount;
  /** Returns the amount of all calls that have ended, with those of children. */
  spent(): Required<Amount>;
}
