import { LoopError } from '../contract/errors.js';
import type { JsonObject } from '../contract/json.js';
import type { Policy } from '../contract/settings.js';
import type { Prompts } from '../contract/text.js';
import { isObject } from '../lib/is-object.js';
import { AttemptTimeout } from './attempt-timeout.js';
import { discard } from './check.js';
import { type Classify, type Failure, readFailure } from './failure.js';
import { isLimit, type TimeLimit } from './loop-limits.js';
import type { OpenTask, TaskEnd } from './open-task.js';
import type { RunContext, RunOptions, Work } from './options.js';
import type { RunParts } from './parts.js';

/** Task as each of its attempts needs it. */
export interface AttemptedTask<Value> {
  readonly name: string;
  readonly started: OpenTask;
  readonly work: Work<Value>;
  readonly options: RunOptions<Value>;
}

export const CANCELLED: Failure = { issue: 'cancelled', category: 'cancelled' };
/** The work ended itself, or the host's signal did after a time: no person cancelled it. */
const GAVE_UP: Failure = { issue: 'timeout', category: 'timeout', isAbort: true };

/** Returns what stops an attempt: its time limit or the host; `undefined` if nothing can. */
export function guardFor<Value>(
  parts: RunParts,
  task: AttemptedTask<Value>,
  limit: TimeLimit,
  signal: AbortSignal | undefined,
): AttemptTimeout<Value> | undefined {
  if (limit.timeoutMs <= 0 && signal === undefined) return undefined;
  return new AttemptTimeout<Value>(parts.clock, task.name, limit, signal, (value) => dropLate(parts, task, value));
}

/** Calls the host's function. `number` counts the calls of this task from 1. */
export function callWork<Value>(
  { started, work }: AttemptedTask<Value>,
  model: string | undefined,
  number: number,
  guard: AttemptTimeout<Value> | undefined,
): Value | PromiseLike<Value> {
  const call = new Call(model, number, started, guard);
  return guard === undefined ? work(call) : guard.run(work, call);
}

/**
 * Reads the failure of an attempt. Every error after the host cancelled means that it cancelled. An abort that no signal
 * of the host explains is a time-out: work that stops itself does so after a time.
 */
export function readError(
  error: unknown,
  isCancelled: boolean,
  signal: AbortSignal | undefined,
  classify: Classify,
): Failure {
  if (isCancelled) return CANCELLED;
  if (signal?.aborted) return GAVE_UP;
  const failure = readFailure(error, classify);
  return failure.isAbort ? GAVE_UP : failure;
}

/** Returns whether a signal was aborted, but not by `AbortSignal.timeout`. */
export function isCancelledBy(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && !isTimeoutError(signal.reason);
}

function isTimeoutError(reason: unknown): boolean {
  try {
    return isObject(reason) && reason.name === 'TimeoutError';
  } catch {
    return false; // a reason that throws when read
  }
}

/** Describes a failed task for its outcome. */
export function describeEnd(error: unknown, failure: Failure): TaskEnd {
  if (failure === CANCELLED) return { success: false, issues: ['cancelled'], error: 'cancelled by the host' };
  if (isLimit(error)) return { success: false, issues: ['loop_limit'], error };
  // Name the issue only if it says more than the error: for the loop's own errors, and for aborts.
  return LoopError.is(error) || failure.isAbort
    ? { success: false, issues: [failure.issue], error }
    : { success: false, error };
}

/** Reports and discards a value that the work returned after it was stopped. */
function dropLate<Value>({ report }: RunParts, { name, started }: AttemptedTask<Value>, value: Value): void {
  discard(value);
  const message = `${name} (${started.id}) gave a value after it had been stopped: it was dropped`;
  report({ where: 'run.late', message });
}

/** Context that the host's function receives. */
class Call<Value> implements RunContext {
  readonly model: string | undefined;
  readonly attempt: number;
  readonly policy: Policy;
  readonly advice: readonly string[];
  readonly given: readonly JsonObject[];
  readonly prompts: Prompts;
  readonly #guard: AttemptTimeout<Value> | undefined;
  #signal: AbortSignal | undefined;

  constructor(model: string | undefined, attempt: number, started: OpenTask, guard: AttemptTimeout<Value> | undefined) {
    this.model = model;
    this.attempt = attempt;
    this.policy = started.policy;
    this.advice = started.advice;
    this.given = started.given;
    this.prompts = started.prompts;
    this.#guard = guard;
  }

  get signal(): AbortSignal {
    if (this.#guard !== undefined) return this.#guard.signal;
    this.#signal ??= new AbortController().signal; // nothing can stop this attempt
    return this.#signal;
  }
}
