import { headersOf, readStatedQuota } from '../classify/stated-quota.js';
import { LoopError } from '../contract/errors.js';
import type { Prompts } from '../contract/text.js';
import { isThenable } from '../lib/promises.js';
import { type AttemptedTask, CANCELLED, callWork, describeEnd, guardFor, isCancelledBy, readError } from './attempt.js';
import { AttemptLog } from './attempt-log.js';
import type { AttemptTimeout } from './attempt-timeout.js';
import type { BreakerLimits, BreakerPermit } from './breaker.js';
import type { EnclosingTask } from './capture.js';
import { discard, findFlaw, type RejectedResult } from './check.js';
import type { Failure } from './failure.js';
import type { HostAnswer } from './host-functions.js';
import type { TaskSignal } from './host-signals.js';
import { type InnerFailure, InnerFailures, wasRetriedInside } from './inner-failures.js';
import type { Limits } from './limits.js';
import type { TimeLimit } from './loop-limits.js';
import type { ModelState } from './model-state.js';
import { orderModels } from './models.js';
import { nextAttempt, type Retries } from './next-attempt.js';
import type { TaskEnd } from './open-task.js';
import type { Measures } from './options.js';
import type { RunParts } from './parts.js';
import { retriesFor } from './retry.js';
import { isStream, type StreamEnd, watchStream } from './stream.js';
import { readTimeout, shorter } from './time-limits.js';
import { Waits } from './waits.js';

/** Result of an attempt that was not accepted as the task's answer. */
type Failed<Value> =
  | { readonly kind: 'rejected'; readonly value: Value; readonly failure: RejectedResult }
  | { readonly kind: 'error'; readonly error: unknown; readonly failure: Failure };

/** Why an attempt did not start: it was not admitted, or the setting that allowed it was taken back. */
type Refused<Value> =
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'withdrawn'; readonly failed: Failed<Value> };

/** A stream that is never read releases its place in the limits after this time. */
const MAX_HOLD_MS = 600_000;

const NO_MODELS: readonly string[] = [];
const NO_TIME_LIMIT: TimeLimit = { timeoutMs: 0, statedMs: 0 };
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
  readonly #waits: Waits;
  readonly #startedMs: number;
  /** Time-out of the task; 0 means none. */
  readonly #limitMs: number;
  #models: readonly string[] = NO_MODELS;
  #position = 0;
  #calls = 0;
  #delayMs = 0;
  #permit: BreakerPermit = 'pass';
  readonly #attempts: AttemptLog;
  #retries: Retries = NO_RETRIES;
  /** Cleared at the end, so that tasks that start the next one do not keep all before them in memory. */
  #around: EnclosingTask | undefined;
  /** Follows the host's signal; created when something first waits for it. */
  #stop: TaskSignal | undefined;
  #inner: InnerFailures | undefined;

  constructor(parts: RunParts, task: AttemptedTask<Value>, around?: EnclosingTask) {
    this.#parts = parts;
    this.#task = task;
    this.#around = around;
    this.#waits = new Waits(parts, task.started, task.name);
    this.#startedMs = task.started.startedMs;
    this.#attempts = new AttemptLog(this.#startedMs);
    this.#limitMs = shorter(this.#limits.taskMs, readTimeout(task.options.timeoutMs, parts.report));
  }

  get id(): string {
    return this.#task.started.id;
  }

  get prompts(): Prompts {
    return this.#task.started.prompts;
  }

  get isCancelled(): boolean {
    return isCancelledBy(this.#task.options.signal) || this.#around?.isCancelled === true;
  }

  innerFailed(inner: InnerFailure): void {
    this.#inner ??= new InnerFailures();
    this.#inner.add(inner);
  }

  /** Takes the quota that a response to the current attempt states. Other headers are ignored. */
  readHeaders(headers: unknown): void {
    const quota = headers === undefined ? undefined : readStatedQuota(headers, this.#parts.clock.now());
    if (quota !== undefined) this.#state().limiter.learn(quota);
  }

  get #limits(): Limits {
    return this.#waits.limits;
  }

  async run(): Promise<Value> {
    const { classify, host, acceptedAnswers } = this.#parts;
    const { options } = this.#task;
    this.#models = this.#order(options.models);
    let state = this.#state();
    state.budget.countTask();
    let failed: Failed<Value> | undefined;
    for (;;) {
      const refused = this.#mustWait ? await this.#wait(state, failed) : this.#admit(state);
      const end = this.#endAfter(refused, state, failed);
      if (end !== undefined) return this.#finish(end);
      if (refused !== undefined) {
        state = this.#state();
        continue;
      }
      const permit = this.#permit;
      dropAnswer(failed);
      const startMs = this.#nextStartMs();
      this.#attempts.begin(state.limiter.active);
      const guard = guardFor(this.#parts, this.#task, this.#timeLimit(startMs), this.#signal());
      this.#inner?.clear();
      try {
        const value = await callWork(this.#task, this.#models[this.#position], ++this.#calls, guard);
        this.readHeaders(headersOf(value));
        const found = findFlaw(value, options, classify, host, acceptedAnswers);
        const failure = isThenable(found) ? await found : found;
        if (failure === undefined) return this.#accept(value, state, permit, startMs, guard);
        failed = { kind: 'rejected', value, failure };
      } catch (error) {
        failed = { kind: 'error', error, failure: this.#read(error) };
      }
      this.#settle(state, permit, startMs, failed.failure);
      if (!this.#mayContinue(failed.failure, failed)) return this.#finish(failed);
      state = this.#state();
    }
  }

  #order(models: readonly string[] = NO_MODELS): readonly string[] {
    if (models.length < 2) return models;
    const { clock, random } = this.#parts;
    const { name, started, options } = this.#task;
    const nowMs = clock.monotonic();
    const isResting = (model: string) =>
      this.#parts.models.of(name, model, options.quota).isResting(nowMs, this.#limits.breaker);
    return this.#parts.choices.order(name, orderModels(models, started.policy, random, isResting), isResting);
  }

  #state(position = this.#position): ModelState {
    const { name, options } = this.#task;
    return this.#parts.models.of(name, this.#models[position], options.quota);
  }

  #read(error: unknown): Failure {
    return readError(error, this.isCancelled, this.#task.options.signal, this.#parts.classify);
  }

  #signal(): AbortSignal | undefined {
    const { signal } = this.#task.options;
    if (signal !== undefined) this.#stop ??= this.#parts.signals.follow(signal);
    return this.#stop?.signal;
  }

  get #mustWait(): boolean {
    return this.#delayMs > 0 || this.#limits.gate !== undefined;
  }

  /** Waits for the back-off, then in the queue of the model. Returns why the attempt may not start. */
  async #wait(state: ModelState, failed: Failed<Value> | undefined): Promise<Refused<Value> | undefined> {
    const signal = this.#signal();
    try {
      if (failed !== undefined && this.#delayMs > 0) {
        const isDue = await this.#waits.pause(this.#delayMs, failed.failure, this.#retry(failed.failure), signal);
        if (!isDue) return { kind: 'withdrawn', failed };
      }
      await this.#waits.enter(state, this.#limitMs && Math.max(1, this.#leftMs()), signal);
    } catch (error) {
      return { kind: 'error', error };
    }
    return this.#enterBreaker(state);
  }

  /** Starts an attempt that nothing has to wait for. Returns why it may not start. */
  #admit(state: ModelState): Refused<Value> | undefined {
    const { signal } = this.#task.options;
    if (signal?.aborted) return { kind: 'error', error: signal.reason };
    this.#waits.pass(state.limiter);
    return this.#enterBreaker(state);
  }

  #enterBreaker(state: ModelState): Refused<Value> | undefined {
    const limits: BreakerLimits | undefined = this.#limits.breaker;
    const { breaker } = state;
    this.#permit = 'pass';
    if (limits === undefined || !breaker.isOpen) return undefined;
    const permit = breaker.enter(this.#parts.clock.monotonic(), limits);
    if (permit !== undefined) {
      this.#permit = permit;
      return undefined;
    }
    this.#waits.leave(state);
    const name = this.#models[this.#position] ?? this.#task.name;
    const message = `${name} keeps failing (${breaker.issue}) and is not asked for now`;
    return { kind: 'error', error: new LoopError('breaker-open', message) };
  }

  #nextStartMs(): number {
    const isFirst = this.#calls === 0 && this.#limits.gate === undefined;
    return isFirst ? this.#startedMs : this.#parts.clock.monotonic();
  }

  #timeLimit(startMs: number): TimeLimit {
    const attemptMs = this.#waits.attemptMs(this.#retries.timeout ?? 0);
    // After a blocked event loop, an attempt may start when the limit of its task is over.
    const leftMs = this.#limitMs && Math.max(1, this.#limitMs - (startMs - this.#startedMs));
    const timeoutMs = shorter(attemptMs, leftMs);
    if (timeoutMs === 0) return NO_TIME_LIMIT;
    if (timeoutMs === attemptMs) {
      return { timeoutMs, statedMs: attemptMs, owner: this.#waits.ownerOf('timeout.attemptMs') };
    }
    const isOfCall = this.#limitMs === this.#task.options.timeoutMs;
    const stated = { timeoutMs, statedMs: this.#limitMs };
    return isOfCall ? { ...stated, isOfCall } : { ...stated, owner: this.#waits.ownerOf('timeout.taskMs') };
  }

  #leftMs(): number {
    return this.#limitMs - (this.#parts.clock.monotonic() - this.#startedMs);
  }

  /** Chooses the next attempt. Returns false if there is none. */
  #mayContinue(failure: Failure | undefined, failed?: Failed<Value>): boolean {
    const { started, options } = this.#task;
    this.#waits.refresh();
    const next = nextAttempt(
      failure,
      {
        policy: this.#waits.policy,
        mayRepeat: started.mayRepeat,
        isCancelled: options.signal?.aborted === true || this.isCancelled,
        calls: this.#calls,
        isRetriedInside: this.#isRetriedInside(failed),
        mostDelayMs: failure === undefined ? 0 : this.#waits.mostDelayMs(failure, this.#retry(failure) + 1),
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
      this.#retries = { ...this.#retries, [failure.category]: this.#retry(failure) + 1 };
    }
    return true;
  }

  /** Returns the number of retries after this kind of failure. */
  #retry({ category }: Failure): number {
    return this.#retries[category] ?? 0;
  }

  /** Returns the result of a task whose attempt did not start; undefined if it did, or another model may be called. */
  #endAfter(
    refused: Refused<Value> | undefined,
    state: ModelState,
    failed: Failed<Value> | undefined,
  ): Failed<Value> | undefined {
    if (refused === undefined) return undefined;
    if (refused.kind === 'error') {
      return this.#mayContinue(undefined) ? undefined : this.#notAdmitted(refused.error, state, failed);
    }
    return this.#mayContinue(refused.failed.failure, refused.failed) ? undefined : refused.failed;
  }

  /** Returns the result of a task that was not admitted: its last attempt's result, if it made one. */
  #notAdmitted(error: unknown, state: ModelState, failed: Failed<Value> | undefined): Failed<Value> {
    if (failed !== undefined && !this.#task.options.signal?.aborted) return failed;
    this.#attempts.waited(this.#parts.clock.monotonic());
    const failure = this.#read(error);
    const isOpen = LoopError.is(error) && error.code === 'breaker-open';
    return { kind: 'error', error, failure: isOpen ? { ...failure, issue: state.breaker.issue } : failure };
  }

  /** Records how an attempt ended, in the model state and for the outcome. */
  #settle(state: ModelState, permit: BreakerPermit, startMs: number, failure: Failure | undefined): void {
    const nowMs = this.#parts.clock.monotonic();
    // First update the model state, then admit waiting attempts.
    state.settle(permit, failure, { startMs, nowMs }, this.#limits.breaker);
    this.#waits.leave(state);
    if (this.#calls === 1 && this.#models.length > 1 && failure !== CANCELLED) {
      this.#parts.choices.count(this.#task.name, this.#models[0], failure !== undefined);
    }
    this.#attempts.add(startMs, nowMs, this.#models[this.#position], failure);
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
    const { clock } = this.#parts;
    let holds = true;
    const releasePlace = () => {
      holds = false;
      this.#waits.leave(state);
    };
    const cancelTimer =
      this.#limits.gate === undefined ? undefined : clock.after(MAX_HOLD_MS, releasePlace, { background: true });
    const onEnd = (end: StreamEnd) => {
      guard?.release();
      cancelTimer?.();
      if (!holds) this.#waits.pass(state.limiter); // its place was already released
      const failure = end && this.#read(end.error);
      this.#settle(state, permit, startMs, failure);
      if (end === undefined || failure === undefined) this.#end(SUCCESS, undefined);
      else this.#end(describeEnd(end.error, failure), failure);
    };
    return watchStream(value, { signal: guard?.signal, onEnd });
  }

  #finish(failed: Failed<Value>): Value | Promise<Value> {
    const { failure } = failed;
    if (failed.kind === 'error') {
      this.#tellAround(failed);
      this.#end(describeEnd(failed.error, failure), failure);
      throw failed.error;
    }
    const { error } = failed.failure;
    return this.#endMeasured(failed.value, { success: false, issues: [failure.issue], error }, failure);
  }

  /** Returns whether an inner task or an SDK had retried what failed, so that it has an owner further in. */
  #isRetriedInside(failed: Failed<Value> | undefined): boolean {
    if (failed?.kind !== 'error') return false;
    if (this.#inner === undefined) return wasRetriedInside(failed.error);
    return this.#inner.own(this.#task.name, failed.error, failed.failure);
  }

  #tellAround(failed: Extract<Failed<Value>, { kind: 'error' }>): void {
    const around = this.#around;
    const { error, failure } = failed;
    if (around?.innerFailed === undefined || failure === CANCELLED) return;
    const { name: task, started } = this.#task;
    const hadRetries = started.mayRepeat !== false && retriesFor(failure.category, started.policy) > 0;
    around.innerFailed({ task, error, failure, isRetried: hadRetries || this.#isRetriedInside(failed) });
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
    this.#stop?.release();
    this.#around = undefined;
    const { list: attempts, endedMs } = this.#attempts;
    const durationMs = endedMs - this.#startedMs;
    const end: { -readonly [Name in keyof TaskEnd]: TaskEnd[Name] } =
      how === SUCCESS ? { success: true, durationMs } : { ...how, durationMs };
    const model = how.model ?? this.#models[this.#position];
    if (model !== undefined) end.model = model;
    if (attempts !== undefined) end.attempts = attempts;
    this.#waits.end(durationMs, failure !== undefined);
    started.end(end);
    const { onEnd } = options;
    if (onEnd === undefined) return;
    const report = { id: started.id, success: end.success, attempts: attempts ?? [] };
    this.#parts.host.notify('run.onEnd', () =>
      onEnd(failure === undefined ? report : { ...report, issue: failure.issue }),
    );
  }
}

/** Discards an answer that was not accepted, because the next attempt replaces it. */
function dropAnswer<Value>(failed: Failed<Value> | undefined): void {
  if (failed?.kind === 'rejected') discard(failed.value);
}
