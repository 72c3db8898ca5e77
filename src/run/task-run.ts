import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import type { ErrorCategory } from '../contract/issue.js';
import type { Attempt } from '../contract/outcome.js';
import type { Policy } from '../contract/settings.js';
import { isThenable } from '../lib/promises.js';
import type { Random } from '../lib/random.js';
import { AttemptTimeout, type LateReader, pause } from './attempt-timeout.js';
import type { OpenTask, TaskEnd } from './begin.js';
import type { BreakerLimits, BreakerPermit } from './breaker.js';
import { discard, findFlaw, type RejectedResult } from './check.js';
import { type Classify, type Failure, NO_FALLBACK, readFailure } from './failure.js';
import type { HostAnswer, HostFunctions } from './host-functions.js';
import type { Limits, LimitsByPolicy } from './limits.js';
import type { ModelState, ModelStates } from './model-state.js';
import { orderModels } from './models.js';
import type { Measures, RunContext, RunOptions, Work } from './options.js';
import type { Report } from './problem.js';
import { backoffMs, retriesFor } from './retry.js';
import { isStream, type StreamEnd, watchStream } from './stream.js';

/** Parts that all task runs of a runner share. */
export interface TaskRunParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly classify: Classify;
  readonly report: Report;
  readonly host: HostFunctions;
  readonly lanes: ModelStates;
  readonly plans: LimitsByPolicy;
}

/** Result of the last attempt. */
type Ended<Value> =
  | { readonly kind: 'value'; readonly value: Value; readonly failure: RejectedResult }
  | { readonly kind: 'error'; readonly error: unknown; readonly failure: Failure };

/** Maximum calls of one task, regardless of settings: a hard stop for a series of different errors. */
const MAX_CALLS = 16;
/** A stream that is never read releases its place in the limits after this time. */
const MAX_HOLD_MS = 600_000;

const NO_MODELS: readonly string[] = [];
const SUCCESS: TaskEnd = { success: true };
const NOTHING_MEASURED: Measures = {};
const MEASURES: HostAnswer<Measures> = {
  // The observer reads each field and reports the invalid ones.
  read: (value) => (typeof value === 'object' && value !== null ? (value as Measures) : undefined),
  expected: '{ tokens, costUsd, quality, model }',
  fallback: NOTHING_MEASURED,
};
const CANCELLED: Failure = { issue: 'cancelled', category: 'cancelled' };

/** Run of one task: its models, the attempts so far, and the attempts still allowed. */
export class TaskRun<Value> implements LateReader<Value> {
  readonly #parts: TaskRunParts;
  readonly #task: string;
  readonly #begun: OpenTask;
  readonly #work: Work<Value>;
  readonly #options: RunOptions<Value>;
  readonly #plan: Limits;
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
  #retries: { [Category in ErrorCategory]?: number } | undefined;

  constructor(parts: TaskRunParts, task: string, begun: OpenTask, work: Work<Value>, options: RunOptions<Value>) {
    this.#parts = parts;
    this.#task = task;
    this.#begun = begun;
    this.#work = work;
    this.#options = options;
    this.#plan = parts.plans.of(begun.policy);
    this.#startedMs = begun.startedMs;
    this.#sinceMs = this.#startedMs;
    this.#limitMs = shorter(this.#plan.taskMs, readTimeout(options.timeoutMs, parts.report));
  }

  async run(): Promise<Value> {
    const { clock, classify } = this.#parts;
    const { models, signal } = this.#options;
    if (models !== undefined && models.length > 0) this.#models = this.#order(models);
    let lane = this.#lane();
    lane.budget.countTask();
    let ended: Ended<Value> | undefined;
    for (;;) {
      let pass: BreakerPermit;
      try {
        if (signal?.aborted) throw signal.reason;
        if (this.#delayMs > 0 || this.#plan.gate !== undefined) await this.#wait(lane);
        else lane.limiter.pass();
        pass = this.#plan.breaker === undefined ? 'pass' : this.#enterBreaker(lane, this.#plan.breaker);
      } catch (error) {
        if (!this.#fallBack(undefined)) return this.#finish(this.#unasked(error, lane, ended));
        lane = this.#lane();
        continue;
      }
      if (ended?.kind === 'value') discard(ended.value);
      const startMs = this.#calls === 0 && this.#plan.gate === undefined ? this.#startedMs : clock.monotonic();
      const timeoutMs = shorter(this.#plan.attemptMs, this.#limitMs && this.#limitMs - (startMs - this.#startedMs));
      const guard =
        timeoutMs > 0 || signal !== undefined
          ? new AttemptTimeout<Value>(clock, this.#task, timeoutMs, signal, this)
          : undefined;
      const call = new Call(this.#models[this.#position], ++this.#calls, this.#begun, guard);
      try {
        const value = guard === undefined ? await this.#work(call) : await guard.run(this.#work, call);
        const found = findFlaw(value, this.#options, classify, this.#parts.host);
        const failure = isThenable(found) ? await found : found;
        if (failure === undefined) {
          if (isStream(value)) return this.#handOver(value, lane, pass, startMs, guard);
          this.#settle(lane, pass, startMs, undefined);
          return this.#succeed(value);
        }
        ended = { kind: 'value', value, failure };
      } catch (error) {
        ended = { kind: 'error', error, failure: this.#readError(error) };
      }
      this.#settle(lane, pass, startMs, ended.failure);
      if (!this.#goOn(ended.failure, lane)) return this.#finish(ended);
      lane = this.#lane();
    }
  }

  /** Waits for the back-off, then in the queue of the model. */
  async #wait(lane: ModelState): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#options;
    if (this.#delayMs > 0) await pause(clock, this.#delayMs, signal);
    if (this.#plan.gate === undefined) lane.limiter.pass();
    else await lane.limiter.enter(this.#plan.gate, this.#limitMs && Math.max(1, this.#leftMs()), signal);
  }

  #enterBreaker(lane: ModelState, limits: BreakerLimits): BreakerPermit {
    if (!lane.breaker.isOpen) return 'pass';
    const pass = lane.breaker.enter(this.#parts.clock.monotonic(), limits);
    if (pass !== undefined) return pass;
    lane.limiter.leave();
    const name = this.#models[this.#position] ?? this.#task;
    throw new LoopError('breaker-open', `${name} keeps failing (${lane.breaker.issue}) and is not asked for now`);
  }

  /** Chooses the next attempt after a failure. Returns false if there is none. */
  #goOn(failure: Failure, lane: ModelState): boolean {
    this.#delayMs = 0;
    return this.#retry(failure, lane) || this.#fallBack(failure);
  }

  #mayCall(): boolean {
    if (this.#calls > 0 && this.#begun.mayRepeat === false) return false;
    if (this.#options.signal?.aborted || this.#calls >= MAX_CALLS) return false;
    return this.#limitMs === 0 || this.#leftMs() > 0;
  }

  #retry(failure: Failure, lane: ModelState): boolean {
    const { clock, random } = this.#parts;
    const { policy } = this.#begun;
    if (failure.permanent) return false;
    const done = this.#retries?.[failure.category] ?? 0;
    if (done >= retriesFor(failure.category, policy) || !this.#mayCall()) return false;
    const nowMs = clock.monotonic();
    const askedMs = Math.max(failure.retryAfterMs ?? 0, lane.resetInMs(nowMs));
    const delayMs = backoffMs(this.#calls, askedMs, policy, random);
    if (delayMs === undefined || (this.#limitMs > 0 && delayMs >= this.#leftMs())) return false;
    if (this.#plan.breaker !== undefined && !lane.breaker.admits(nowMs + delayMs)) return false;
    if (!lane.takeExtra(failure)) return false;
    this.#retries ??= {};
    this.#retries[failure.category] = done + 1;
    this.#delayMs = delayMs;
    return true;
  }

  /** Moves to the next model that may be called. A resting model needs an extra attempt from its retry budget. */
  #fallBack(failure: Failure | undefined): boolean {
    if (!this.#begun.policy['model.fallback'] || !this.#mayCall()) return false;
    if (failure !== undefined && NO_FALLBACK.has(failure.category)) return false;
    const nowMs = this.#parts.clock.monotonic();
    for (let position = this.#position + 1; position < this.#models.length; position++) {
      const lane = this.#parts.lanes.of(this.#task, this.#models[position]);
      const { breaker } = this.#plan;
      if (breaker !== undefined && !lane.breaker.admits(nowMs)) continue;
      if (this.#calls > 0 && lane.isResting(nowMs, breaker) && !lane.takeExtra(failure)) continue;
      this.#position = position;
      this.#delayMs = 0;
      lane.budget.countTask();
      return true;
    }
    return false;
  }

  #order(models: readonly string[]): readonly string[] {
    const { clock, lanes, random } = this.#parts;
    if (models.length === 1) return models;
    const nowMs = clock.monotonic();
    return orderModels(models, this.#begun.policy, random, (model) =>
      lanes.of(this.#task, model).isResting(nowMs, this.#plan.breaker),
    );
  }

  #lane(): ModelState {
    return this.#parts.lanes.of(this.#task, this.#models[this.#position]);
  }

  #leftMs(): number {
    return this.#limitMs - (this.#parts.clock.monotonic() - this.#startedMs);
  }

  #readError(error: unknown): Failure {
    return this.#options.signal?.aborted ? CANCELLED : readFailure(error, this.#parts.classify);
  }

  /** Returns the result of a task that was not admitted: its last attempt's result, if it made one. */
  #unasked(error: unknown, lane: ModelState, ended: Ended<Value> | undefined): Ended<Value> {
    if (ended !== undefined && !this.#options.signal?.aborted) return ended;
    this.#sinceMs = this.#parts.clock.monotonic();
    const failure = this.#readError(error);
    const isOpen = LoopError.is(error) && error.code === 'breaker-open';
    return { kind: 'error', error, failure: isOpen ? { ...failure, issue: lane.breaker.issue } : failure };
  }

  /** Records how an attempt ended, in the model state and for the outcome. */
  #settle(lane: ModelState, pass: BreakerPermit, startMs: number, failure: Failure | undefined): void {
    const nowMs = this.#parts.clock.monotonic();
    const delayMs = startMs - this.#sinceMs;
    this.#sinceMs = nowMs;
    // First update the model state, then admit waiting attempts.
    lane.settle(pass, failure, { startMs, nowMs }, this.#plan.breaker);
    lane.limiter.leave();
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

  /** Returns a stream to the host. The task ends when the stream ends. */
  #handOver(
    value: Value,
    lane: ModelState,
    pass: BreakerPermit,
    startMs: number,
    guard: AttemptTimeout<Value> | undefined,
  ): Value {
    const { clock } = this.#parts;
    let holds = true;
    const letGo = () => {
      holds = false;
      lane.limiter.leave();
    };
    const cancelTimer =
      this.#plan.gate === undefined ? undefined : clock.after(MAX_HOLD_MS, letGo, { background: true });
    const onEnd = (end: StreamEnd) => {
      guard?.release();
      cancelTimer?.();
      if (!holds) lane.limiter.pass(); // its place was already released
      const failure = end && this.#readError(end.error);
      this.#settle(lane, pass, startMs, failure);
      if (end === undefined || failure === undefined) this.#end(SUCCESS, undefined);
      else this.#end(this.#describe(end.error, failure), failure);
    };
    return watchStream(value, { signal: guard?.signal, onEnd });
  }

  /** Reports and discards a value that the work returned after it was stopped. */
  late(value: Value): void {
    discard(value);
    const message = `${this.#task} (${this.#begun.id}) gave a value after it had been stopped: it was dropped`;
    this.#parts.report({ where: 'run.late', message });
  }

  #succeed(value: Value): Value | Promise<Value> {
    if (this.#options.measure === undefined) {
      this.#end(SUCCESS, undefined);
      return value;
    }
    return this.#endMeasured(value, SUCCESS, undefined);
  }

  #finish(ended: Ended<Value>): Value | Promise<Value> {
    const { failure } = ended;
    if (ended.kind === 'error') {
      this.#end(this.#describe(ended.error, failure), failure);
      throw ended.error;
    }
    const { error } = ended.failure;
    return this.#endMeasured(ended.value, { success: false, issues: [failure.issue], error }, failure);
  }

  /** Ends the task with the host's measures. Returns a promise only if the host's function returned one. */
  #endMeasured(value: Value, how: TaskEnd, failure: Failure | undefined): Value | Promise<Value> {
    const { measure } = this.#options;
    const end = (measures: Measures) => {
      this.#end({ ...how, ...measures }, failure);
      return value;
    };
    const measured = measure ? this.#parts.host.ask('run.measure', () => measure(value), MEASURES) : NOTHING_MEASURED;
    return isThenable(measured) ? measured.then(end) : end(measured);
  }

  #describe(error: unknown, failure: Failure): TaskEnd {
    if (failure === CANCELLED) return { success: false, issues: ['cancelled'], error: 'cancelled by the host' };
    // Name the issue only if it says more than the error: for the loop's own errors.
    return LoopError.is(error) ? { success: false, issues: [failure.issue], error } : { success: false, error };
  }

  #end(how: TaskEnd, failure: Failure | undefined): void {
    const durationMs = this.#sinceMs - this.#startedMs;
    const end: { -readonly [Name in keyof TaskEnd]: TaskEnd[Name] } =
      how === SUCCESS ? { success: true, durationMs } : { ...how, durationMs };
    const model = how.model ?? this.#models[this.#position];
    if (model !== undefined) end.model = model;
    if (this.#attempts !== undefined) end.attempts = this.#attempts;
    this.#begun.end(end);
    const { onEnd } = this.#options;
    if (onEnd === undefined) return;
    const told = { id: this.#begun.id, success: end.success, attempts: this.#attempts ?? [] };
    this.#parts.host.notify('run.onEnd', () => onEnd(failure === undefined ? told : { ...told, issue: failure.issue }));
  }
}

/** Context that the host's function receives. */
class Call<Value> implements RunContext {
  readonly model: string | undefined;
  readonly attempt: number;
  readonly policy: Policy;
  readonly advice: readonly string[];
  readonly #guard: AttemptTimeout<Value> | undefined;
  #signal: AbortSignal | undefined;

  constructor(model: string | undefined, attempt: number, begun: OpenTask, guard: AttemptTimeout<Value> | undefined) {
    this.model = model;
    this.attempt = attempt;
    this.policy = begun.policy;
    this.advice = begun.advice;
    this.#guard = guard;
  }

  get signal(): AbortSignal {
    if (this.#guard !== undefined) return this.#guard.signal;
    this.#signal ??= new AbortController().signal; // nothing can stop this attempt
    return this.#signal;
  }
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
