import type { OutcomeId } from '../contract/ids.js';
import type { Issue } from '../contract/issue.js';
import type { Attempt, TokenUse } from '../contract/outcome.js';
import type { Policy } from '../contract/settings.js';
import type { BeginOptions } from './begin.js';

/** What the host's function is given for each attempt. */
export interface RunContext<Model extends string | undefined = string | undefined> {
  /** The model to ask, where the caller listed any. */
  readonly model: Model;
  /** Aborts when the attempt is stopped: by its time-out, the task's, or the host. Made when it is first read. */
  readonly signal: AbortSignal;
  /** 1 for the first. */
  readonly attempt: number;
  /** The settings in force, e.g. `input.maxTokens`. */
  readonly policy: Policy;
  /** Behavioural rules for this task and its session, each in its own words. */
  readonly advice: readonly string[];
}

/** What an answer cost and how good it was. */
export interface Measures {
  readonly tokens?: TokenUse;
  readonly costUsd?: number;
  /** 1 to 5. */
  readonly quality?: number;
  /** The model that answered, where it is not the one asked. */
  readonly model?: string;
}

export interface RunOptions<Value> extends Omit<BeginOptions, 'model'> {
  /**
   * Models the function can ask, best first. The first is asked unless the policy or its health speaks against it.
   * Several of them say that the function may be called again, with the next model, when a call fails.
   */
  readonly models?: readonly string[];
  /** Cancels the task. */
  readonly signal?: AbortSignal;
  /** Time-out of the whole task in milliseconds; the policy may set a shorter one. */
  readonly timeoutMs?: number;
  /**
   * Whether the function may be called twice for one task. Default: only if the loop's `idempotent`, several `models`,
   * your own `retries.*` or a person's answer say so.
   */
  readonly idempotent?: boolean;
  /**
   * Whether the answer is good enough: `false` or a reason makes it a failure. The value comes back all the same. A promise
   * is awaited for 30 seconds at most. A check that throws or rejects is reported and counts as passed.
   */
  readonly accept?: (value: Value) => boolean | string | PromiseLike<boolean | string>;
  /** Whether the answer is empty; awaited as `accept` is. Default: `isEmptyAnswer`. */
  readonly isEmpty?: (value: Value) => boolean | PromiseLike<boolean>;
  /** Reads tokens, cost and quality from the answer; awaited as `accept` is. */
  readonly measure?: (value: Value) => Measures | PromiseLike<Measures>;
  /** Receives how the task ended, with its attempts. Not awaited; a failure is reported. */
  readonly onEnd?: (end: RunEnd) => unknown;
}

/** How a task ended, for its host. */
export interface RunEnd {
  /** The id its outcome carries. */
  readonly id: OutcomeId;
  readonly success: boolean;
  /** What went wrong. */
  readonly issue?: Issue;
  /** Empty when the first attempt succeeded without waiting, or when none was made. */
  readonly attempts: readonly Attempt[];
}

export type RunOptionsWithModels<Value> = RunOptions<Value> & { readonly models: readonly [string, ...string[]] };

export type Work<Value, Model extends string | undefined = string | undefined> = (
  context: RunContext<Model>,
) => Value | PromiseLike<Value>;
