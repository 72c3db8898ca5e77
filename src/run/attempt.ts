import type { JsonObject } from '../contract/json.js';
import type { Policy } from '../contract/settings.js';
import { isThenable } from '../lib/promises.js';
import { AttemptTimeout } from './attempt-timeout.js';
import type { OpenTask } from './begin.js';
import { discard, findFlaw, type RejectedResult } from './check.js';
import { type Classify, type Failure, readFailure } from './failure.js';
import type { RunContext, RunOptions, Work } from './options.js';
import type { RunParts } from './parts.js';

/** Task as each of its attempts needs it. */
export interface AttemptedTask<Value> {
  readonly name: string;
  readonly begun: OpenTask;
  readonly work: Work<Value>;
  readonly options: RunOptions<Value>;
}

/** Result of one attempt. */
export type AttemptEnd<Value> =
  | { readonly kind: 'value'; readonly value: Value; readonly guard: AttemptTimeout<Value> | undefined }
  | { readonly kind: 'rejected'; readonly value: Value; readonly failure: RejectedResult }
  | { readonly kind: 'error'; readonly error: unknown; readonly failure: Failure };

export const CANCELLED: Failure = { issue: 'cancelled', category: 'cancelled' };

/** Calls the host's function once and checks its answer. Never rejects. `timeoutMs` 0 means no time-out. */
export async function attempt<Value>(
  parts: RunParts,
  task: AttemptedTask<Value>,
  {
    model,
    number,
    timeoutMs,
  }: { readonly model: string | undefined; readonly number: number; readonly timeoutMs: number },
): Promise<AttemptEnd<Value>> {
  const { work, options, begun } = task;
  const { signal } = options;
  const guard =
    timeoutMs > 0 || signal !== undefined
      ? new AttemptTimeout<Value>(parts.clock, task.name, timeoutMs, signal, (value) => dropLate(parts, task, value))
      : undefined;
  const call = new Call(model, number, begun, guard);
  try {
    const value = guard === undefined ? await work(call) : await guard.run(work, call);
    const found = findFlaw(value, options, parts.classify, parts.host);
    const failure = isThenable(found) ? await found : found;
    return failure === undefined ? { kind: 'value', value, guard } : { kind: 'rejected', value, failure };
  } catch (error) {
    return { kind: 'error', error, failure: readError(error, signal, parts.classify) };
  }
}

/** Reads the failure of an attempt. Every error after the host cancelled means that it cancelled. */
export function readError(error: unknown, signal: AbortSignal | undefined, classify: Classify): Failure {
  return signal?.aborted ? CANCELLED : readFailure(error, classify);
}

/** Reports and discards a value that the work returned after it was stopped. */
function dropLate<Value>({ report }: RunParts, { name, begun }: AttemptedTask<Value>, value: Value): void {
  discard(value);
  const message = `${name} (${begun.id}) gave a value after it had been stopped: it was dropped`;
  report({ where: 'run.late', message });
}

/** Context that the host's function receives. */
class Call<Value> implements RunContext {
  readonly model: string | undefined;
  readonly attempt: number;
  readonly policy: Policy;
  readonly advice: readonly string[];
  readonly given: readonly JsonObject[];
  readonly #guard: AttemptTimeout<Value> | undefined;
  #signal: AbortSignal | undefined;

  constructor(model: string | undefined, attempt: number, begun: OpenTask, guard: AttemptTimeout<Value> | undefined) {
    this.model = model;
    this.attempt = attempt;
    this.policy = begun.policy;
    this.advice = begun.advice;
    this.given = begun.given;
    this.#guard = guard;
  }

  get signal(): AbortSignal {
    if (this.#guard !== undefined) return this.#guard.signal;
    this.#signal ??= new AbortController().signal; // nothing can stop this attempt
    return this.#signal;
  }
}
