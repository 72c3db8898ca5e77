import { headersOf, readStatedQuota } from '../classify/stated-quota.js';
import { LoopError } from '../contract/errors.js';
import type { Attempt } from '../contract/outcome.js';
import type { Prompts } from '../contract/text.js';
import { isThenable } from '../lib/promises.js';
import { type AttemptedTask, CANCELLED, callWork, guardFor, readError } from './attempt.js';
import { type AttemptTimeout, pause } from './attempt-timeout.js';
import type { TaskEnd } from './begin.js';
import type { BreakerLimits, BreakerPermit } from './breaker.js';
import type { EnclosingTask } from './capture.js';
import { discard, findFlaw, type RejectedResult } from './check.js';
import type { Failure } from './failure.js';
import type { HostAnswer } from './host-functions.js';
import type { Limits } from './limits.js';
import type { ModelState } from './model-state.js';
import { orderModels } from './models.js';
import { nextAttempt, type Retries } from './next-attempt.js';
import type { Measures } from './options.js';
import type { RunParts } from './parts.js';
import type { Report } from './problem.js';
import { isStream, type StreamEnd, watchStream } from './stream.js';

/** Result of an attempt that was not accepted as the task's answer. */
type Failed<Value> =
  | { readonly kind: 'rejected'; readonly value: Value; readonly failure: RejectedResult }
  | { readonly kind: 'error'; readonly error: unknown; readonly failure: Failure };

/** A stream that is never read releases its place in the limits after this time. */
const MAX_HOLD_MS = 600_000;

const NO_MODELS: readonly string[] = [];
const NO_RETRIES: Retries = {};
const SUCCESS: TaskEnd = { success: true };
const NOTHING_MEASURED: Measures = {};
const MEASURES: HostAnswer<Measures> = {
  // The observer reads each field and reports the invalid ones.
  read: (value) => (typeof value === 'object' && value !== null ? (value as Measures) : undefined),
  expected: '{ tokens, costUsd, quality, model }',
  fallback: NOTHING_MEASURED,
};

/** Run of one task: attempts at its models, until one succeeds or none is left. */
export class TaskRun<Value> implements EnclosingTask {
  readonly #parts: RunParts;
  readonly #task: AttemptedTask<Value>;
  readonly #limits: Limits;
  readonly #startedMs: number;
  /** Time-out of the task; 0 means none. */
  readonly #limitMs: number;
  #models: readonly string[] = NO_MODELS;
  #position = 0;
  #calls = 0;
  #delayMs = 0;
  /** End of the last attempt. */
  #sinceMs: number;
  #attempts: Attempt[] | undefined;
  #retries: Retries = NO_RETRIES;

  constructor(parts: RunParts, task: AttemptedTask<Value>) {
    this.#parts = parts;
    this.#task = task;
    this.#limits = parts.limits.of(task.started.policy);
    this.#startedMs = task.started.startedMs;
    this.#sinceMs = this.#startedMs;
    this.#limitMs = shorter(this.#limits.taskMs, readTimeout(task.options.timeoutMs, parts.report));
  }

  get id(): string {
    return this.#task.started.id;
  }

  get prompts(): Prompts {
    return this.#task.started.prompts;
  }

  /** Takes the quota that a response to the current attempt states. Other headers are ignored. */
  readHeaders(headers: unknown): void {
    const quota = headers === undefined ? undefined : readStatedQuota(headers, this.#parts.clock.now());
    if (quota !== undefined) this.#state().limiter.learn(quota);
  }

  async run(): Promise<Value> {
    const { classify, host } = this.#parts;
    const { options } = this.#task;
    const { signal } = options;
    this.#models = this.#order(options.models);
    let state = this.#state();
    state.budget.countTask();
    let failed: Failed<Value> | undefined;
    for (;;) {
      let permit: BreakerPermit | undefined;
      try {
        if (signal?.aborted) throw signal.reason;
        if (this.#delayMs > 0 || this.#limits.gate !== undefined) await this.#wait(state);
        else state.limiter.pass();
        permit = this.#enterBreaker(state);
      } catch (error) {
        if (!this.#mayContinue(undefined)) return this.#finish(this.#notAdmitted(error, state, failed));
        state = this.#state();
        continue;
      }
      if (failed?.kind === 'rejected') discard(failed.value);
      const startMs = this.#nextStartMs();
      const guard = guardFor(this.#parts, this.#task, this.#timeoutMs(startMs));
      try {
        const value = await callWork(this.#task, this.#models[this.#position], ++this.#calls, guard);
        this.readHeaders(headersOf(value));
        const found = findFlaw(value, options, classify, host);
        const failure = isThenable(found) ? await found : found;
        if (failure === undefined) return this.#accept(value, state, permit, startMs, guard);
        failed = { kind: 'rejected', value, failure };
      } catch (error) {
        failed = { kind: 'error', error, failure: readError(error, signal, classify) };
      }
      this.#settle(state, permit, startMs, failed.failure);
      if (!this.#mayContinue(failed.failure)) return this.#finish(failed);
      state = this.#state();
    }
  }

  #order(models: readonly string[] = NO_MODELS): readonly string[] {
    if (models.length < 2) return models;
    const { clock, random } = this.#parts;
    const { name, started, options } = this.#task;
    const nowMs = clock.monotonic();
    return orderModels(models, started.policy, random, (model) =>
      this.#parts.models.of(name, model, options.quota).isResting(nowMs, this.#limits.breaker),
    );
  }

  #state(position = this.#position): ModelState {
    const { name, options } = this.#task;
    return this.#parts.models.of(name, this.#models[position], options.quota);
  }

  /** Waits for the back-off, then in the queue of the model. */
  async #wait(state: ModelState): Promise<void> {
    const { signal } = this.#task.options;
    if (this.#delayMs > 0) await pause(this.#parts.clock, this.#delayMs, signal);
    if (this.#limits.gate === undefined) state.limiter.pass();
    else await state.limiter.enter(this.#limits.gate, this.#limitMs && Math.max(1, this.#leftMs()), signal);
  }

  #enterBreaker({ breaker, limiter }: ModelState): BreakerPermit {
    const limits: BreakerLimits | undefined = this.#limits.breaker;
    if (limits === undefined || !breaker.isOpen) return 'pass';
    const permit = breaker.enter(this.#parts.clock.monotonic(), limits);
    if (permit !== undefined) return permit;
    limiter.leave();
    const name = this.#models[this.#position] ?? this.#task.name;
    throw new LoopError('breaker-open', `${name} keeps failing (${breaker.issue}) and is not asked for now`);
  }

  #nextStartMs(): number {
    const isFirst = this.#calls === 0 && this.#limits.gate === undefined;
    return isFirst ? this.#startedMs : this.#parts.clock.monotonic();
  }

  /** Returns the time-out of an attempt that starts now; 0 means none. */
  #timeoutMs(startMs: number): number {
    // After a blocked event loop, an attempt may start when the limit of its task is over.
    return shorter(this.#limits.attemptMs, this.#limitMs && Math.max(1, this.#limitMs - (startMs - this.#startedMs)));
  }

  #leftMs(): number {
    return this.#limitMs - (this.#parts.clock.monotonic() - this.#startedMs);
  }

  /** Chooses the next attempt. Returns false if there is none. */
  #mayContinue(failure: Failure | undefined): boolean {
    const { started, options } = this.#task;
    const next = nextAttempt(
      failure,
      {
        policy: started.policy,
        mayRepeat: started.mayRepeat,
        isCancelled: options.signal?.aborted === true,
        calls: this.#calls,
        retries: this.#retries,
        leftMs: this.#limitMs === 0 ? Number.POSITIVE_INFINITY : this.#leftMs(),
        nowMs: this.#parts.clock.monotonic(),
        position: this.#position,
        models: this.#models.length,
        modelAt: (position) => this.#state(position),
        breaker: this.#limits.breaker,
      },
      this.#parts.random,
    );
    this.#delayMs = next?.delayMs ?? 0;
    if (next === undefined) return false;
    this.#position = next.position;
    const state = this.#state();
    if (next.isExtra) state.takeExtra(failure);
    if (next.kind === 'fallback') state.budget.countTask();
    else if (failure !== undefined) {
      this.#retries = { ...this.#retries, [failure.category]: (this.#retries[failure.category] ?? 0) + 1 };
    }
    return true;
  }

  /** Returns the result of a task that was not admitted: its last attempt's result, if it made one. */
  #notAdmitted(error: unknown, state: ModelState, failed: Failed<Value> | undefined): Failed<Value> {
    const { signal } = this.#task.options;
    if (failed !== undefined && !signal?.aborted) return failed;
    this.#sinceMs = this.#parts.clock.monotonic();
    const failure = readError(error, signal, this.#parts.classify);
    const isOpen = LoopError.is(error) && error.code === 'breaker-open';
    return { kind: 'error', error, failure: isOpen ? { ...failure, issue: state.breaker.issue } : failure };
  }

  /** Records how an attempt ended, in the model state and for the outcome. */
  #settle(state: ModelState, permit: BreakerPermit, startMs: number, failure: Failure | undefined): void {
    const nowMs = this.#parts.clock.monotonic();
    const delayMs = startMs - this.#sinceMs;
    this.#sinceMs = nowMs;
    // First update the model state, then admit waiting attempts.
    state.settle(permit, failure, { startMs, nowMs }, this.#limits.breaker);
    state.limiter.leave();
    if (failure === undefined && this.#attempts === undefined && delayMs === 0) return;
    const model = this.#models[this.#position];
    this.#attempts ??= [];
    this.#attempts.push({
      delayMs,
      durationMs: nowMs - startMs,
      success: failure === undefined,
      ...(model !== undefined && { model }),
      ...(failure !== undefined && { issue: failure.issue }),
    });
  }

  /** Returns an answer to the host. The task of a stream ends when the stream ends. */
  #accept(
    value: Value,
    state: ModelState,
    permit: BreakerPermit,
    startMs: number,
    guard: AttemptTimeout<Value> | undefined,
  ): Value | Promise<Value> {
    if (isStream(value)) return this.#handOver(value, state, permit, startMs, guard);
    this.#settle(state, permit, startMs, undefined);
    if (this.#task.options.measure !== undefined) return this.#endMeasured(value, SUCCESS, undefined);
    this.#end(SUCCESS, undefined);
    return value;
  }

  #handOver(
    value: Value,
    state: ModelState,
    permit: BreakerPermit,
    startMs: number,
    guard: AttemptTimeout<Value> | undefined,
  ): Value {
    const { clock, classify } = this.#parts;
    let holds = true;
    const letGo = () => {
      holds = false;
      state.limiter.leave();
    };
    const cancelTimer =
      this.#limits.gate === undefined ? undefined : clock.after(MAX_HOLD_MS, letGo, { background: true });
    const onEnd = (end: StreamEnd) => {
      guard?.release();
      cancelTimer?.();
      if (!holds) state.limiter.pass(); // its place was already released
      const failure = end && readError(end.error, this.#task.options.signal, classify);
      this.#settle(state, permit, startMs, failure);
      if (end === undefined || failure === undefined) this.#end(SUCCESS, undefined);
      else this.#end(describe(end.error, failure), failure);
    };
    return watchStream(value, { signal: guard?.signal, onEnd });
  }

  #finish(failed: Failed<Value>): Value | Promise<Value> {
    const { failure } = failed;
    if (failed.kind === 'error') {
      this.#end(describe(failed.error, failure), failure);
      throw failed.error;
    }
    const { error } = failed.failure;
    return this.#endMeasured(failed.value, { success: false, issues: [failure.issue], error }, failure);
  }

  /** Ends the task with the host's measures. Returns a promise only if the host's function returned one. */
  #endMeasured(value: Value, how: TaskEnd, failure: Failure | undefined): Value | Promise<Value> {
    const { measure } = this.#task.options;
    const end = (measures: Measures) => {
      this.#end({ ...how, ...measures }, failure);
      return value;
    };
    const measured = measure ? this.#parts.host.ask('run.measure', () => measure(value), MEASURES) : NOTHING_MEASURED;
    return isThenable(measured) ? measured.then(end) : end(measured);
  }

  #end(how: TaskEnd, failure: Failure | undefined): void {
    const { started, options } = this.#task;
    const durationMs = this.#sinceMs - this.#startedMs;
    const end: { -readonly [Name in keyof TaskEnd]: TaskEnd[Name] } =
      how === SUCCESS ? { success: true, durationMs } : { ...how, durationMs };
    const model = how.model ?? this.#models[this.#position];
    if (model !== undefined) end.model = model;
    if (this.#attempts !== undefined) end.attempts = this.#attempts;
    started.end(end);
    const { onEnd } = options;
    if (onEnd === undefined) return;
    const report = { id: started.id, success: end.success, attempts: this.#attempts ?? [] };
    this.#parts.host.notify('run.onEnd', () =>
      onEnd(failure === undefined ? report : { ...report, issue: failure.issue }),
    );
  }
}

function describe(error: unknown, failure: Failure): TaskEnd {
  if (failure === CANCELLED) return { success: false, issues: ['cancelled'], error: 'cancelled by the host' };
  // Name the issue only if it says more than the error: for the loop's own errors.
  return LoopError.is(error) ? { success: false, issues: [failure.issue], error } : { success: false, error };
}

/** Returns the shorter of two limits, where 0 means none. */
function shorter(one: number, other: number): number {
  return one > 0 && other > 0 ? Math.min(one, other) : Math.max(one, other);
}

function readTimeout(timeoutMs: number | undefined, report: Report): number {
  if (timeoutMs === undefined || timeoutMs === 0) return 0;
  if (timeoutMs > 0 && Number.isFinite(timeoutMs)) return timeoutMs;
  report({ where: 'run.timeoutMs', message: `timeoutMs is ${timeoutMs}: it was ignored; give milliseconds above 0` });
  return 0;
}
