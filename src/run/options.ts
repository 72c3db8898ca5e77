import type { OutcomeId } from '../contract/ids.js';
import type { Issue } from '../contract/issue.js';
import type { JsonObject } from '../contract/json.js';
import type { Attempt, TokenUse } from '../contract/outcome.js';
import type { Policy } from '../contract/settings.js';
import type { Prompts } from '../contract/text.js';
import type { BeginOptions } from './begin-options.js';

/** Context that the host's function receives for each attempt. */
export interface RunContext<Model extends string | undefined = string | undefined> {
  /** Model to call, if the caller listed any. */
  readonly model: Model;
  /** Aborts when the attempt is stopped by its time-out, the task's time-out or the host. Created when first read. */
  readonly signal: AbortSignal;
  /** Attempt number, from 1. */
  readonly attempt: number;
  /** Settings in force, e.g. `input.maxTokens`. */
  readonly policy: Policy;
  /** Behavioural rules for this task and its session, as plain text. */
  readonly advice: readonly string[];
  /** Data of custom changes and of skills that apply to this task. */
  readonly given: readonly JsonObject[];
  /** Your named texts, in the version for this task or its session. */
  readonly prompts: Prompts;
}

/** Cost and quality of an answer. */
export interface Measures {
  readonly tokens?: TokenUse;
  readonly costUsd?: number;
  /** 1 to 5. */
  readonly quality?: number;
  /** Model that answered, if different from the requested one. */
  readonly model?: string;
}

/** Options of `loop.run`. */
export interface RunOptions<Value> extends Omit<BeginOptions, 'model'> {
  /**
   * Models the function can call, best first. The first is used unless the policy or its health rules it out.
   * Two or more mean that the function may be called again with the next model when a call fails.
   */
  readonly models?: readonly string[];
  /**
   * Quota that the calls use, if the same model has several: a name for your API key or account, never the key itself.
   * Each quota of a model has its own waits, learned rate, breaker and retry budget.
   */
  readonly quota?: string;
  /** Cancels the task. */
  readonly signal?: AbortSignal;
  /** Time-out of the whole task in milliseconds; the policy may set a shorter one. */
  readonly timeoutMs?: number;
  /**
   * Whether the function may be called twice for one task. Default: only if one of these allows it: the loop's
   * `idempotent`, several `models`, your own `retries.*`, or a person's answer.
   */
  readonly idempotent?: boolean;
  /**
   * Checks whether the answer is good enough: `false` or a reason makes it a failure. The task still returns the value.
   * A promise is awaited for at most 30 seconds. A check that throws or rejects is reported and counts as passed.
   */
  readonly accept?: (value: Value) => boolean | string | PromiseLike<boolean | string>;
  /** Checks whether the answer is empty. Awaited like `accept`. Default: `isEmptyAnswer`. */
  readonly isEmpty?: (value: Value) => boolean | PromiseLike<boolean>;
  /** Reads tokens, cost and quality from the answer. Awaited like `accept`. */
  readonly measure?: (value: Value) => Measures | PromiseLike<Measures>;
  /** Receives the result of the task, with its attempts. Not awaited. A failure is reported. */
  readonly onEnd?: (end: RunEnd) => unknown;
}

/** Result of a task, for its host. */
export interface RunEnd {
  /** Id of the outcome. */
  readonly id: OutcomeId;
  readonly success: boolean;
  /** Issue of a failed task. */
  readonly issue?: Issue;
  /** Empty if the first attempt succeeded without waiting, or if no attempt was made. */
  readonly attempts: readonly Attempt[];
}

export type RunOptionsWithModels<Value> = RunOptions<Value> & { readonly models: readonly [string, ...string[]] };

export type Work<Value, Model extends string | undefined = string | undefined> = (
  context: RunContext<Model>,
) => Value | PromiseLike<Value>;
