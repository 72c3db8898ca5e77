import type { JsonObject } from '../contract/json.js';
import type { Policy } from '../contract/settings.js';
import type { Prompts } from '../contract/text.js';
import { AttemptTimeout } from './attempt-timeout.js';
import type { OpenTask } from './begin.js';
import { discard } from './check.js';
import { type Classify, type Failure, readFailure } from './failure.js';
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

/** Returns what stops an attempt: its time-out (0 means none) or the host; `undefined` if nothing can. */
export function guardFor<Value>(
  parts: RunParts,
  task: AttemptedTask<Value>,
  timeoutMs: number,
): AttemptTimeout<Value> | undefined {
  const { signal } = task.options;
  if (timeoutMs <= 0 && signal === undefined) return undefined;
  return new AttemptTimeout<Value>(parts.clock, task.name, timeoutMs, signal, (value) => dropLate(parts, task, value));
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

/** Reads the failure of an attempt. Every error after the host cancelled means that it cancelled. */
export function readError(error: unknown, signal: AbortSignal | undefined, classify: Classify): Failure {
  return signal?.aborted ? CANCELLED : readFailure(error, classify);
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
