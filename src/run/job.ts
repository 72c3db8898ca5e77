import { LoopError, type LoopErrorCode } from '../errors.js';
import type { Random } from '../lib/random.js';
import { type Policy, PRESSURE } from '../policy.js';
import type { Clock } from '../ports.js';
import type { Attempt, ErrorCategory, Issue } from '../records.js';
import type { OpenTask, TaskEnd } from './begin.js';
import type { Pass, Sign } from './breaker.js';
import { type Flaw, findFlaw } from './check.js';
import { guardWork, pause, TaskStop } from './guard.js';
import type { Lane, Lanes } from './lane.js';
import { orderModels } from './models.js';
import type { Measures, RunContext, RunOptions, Work } from './options.js';
import type { Plan, Plans } from './plan.js';
import { guarded, type Report } from './problem.js';
import { backoffMs, COOL_DOWN_MS, MAX_COOL_DOWN_MS, NO_FALLBACK, OWN_FAULT, retriesFor } from './retry.js';

/** What all jobs of a runner share. */
export interface JobParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly classify: (error: unknown) => { readonly category: ErrorCategory; readonly retryAfterMs?: number };
  readonly report: Report;
  readonly lanes: Lanes;
  readonly plans: Plans;
}

/** Calls of one task at most, whatever the settings: a last stop against a row of ever different errors. */
const MAX_CALLS = 16;

/** How the last try went, as far as the host will see it. */
type Ended<Value> =
  | { readonly kind: 'value'; readonly value: Value; readonly flaw: Flaw }
  | { readonly kind: 'error'; readonly error: unknown; readonly issue: Issue };

interface Failure {
  readonly issue: Issue;
  readonly category: ErrorCategory;
  readonly retryAfterMs?: number | undefined;
}

/** One task on its way: its models, what was tried, what may still be tried. */
export class Job<Value> {
  readonly #parts: JobParts;
  readonly #task: string;
  readonly #begun: OpenTask;
  readonly #work: Work<Value>;
  readonly #options: RunOptions<Value>;
  readonly #plan: Plan;
  readonly #startedMs: number;
  readonly #limitMs: number;
  #models: readonly string[] = NO_MODELS;
  #position = 0;
  #calls = 0;
  #delayMs = 0;
  #extra = 0;
  #attempts: Attempt[] | undefined;
  #retries: { [Category in ErrorCategory]?: number } | undefined;
  #stop: TaskStop | undefined;

  constructor(parts: JobParts, task: string, begun: OpenTask, work: Work<Value>, options: RunOptions<Value>) {
    this.#parts = parts;
    this.#task = task;
    this.#begun = begun;
    this.#work = work;
    this.#options = options;
    this.#plan = parts.plans.of(begun.policy);
    this.#startedMs = parts.clock.monotonic();
    this.#limitMs = shorter(this.#plan.taskMs, readTimeout(options.timeoutMs, parts.report));
  }

  async run(): Promise<Value> {
    const { lanes, clock, random } = this.#parts;
    const { signal, models } = this.#options;
    if (signal?.aborted) return this.#finish({ kind: 'error', error: signal.reason, issue: 'cancelled' });
    if (models !== undefined && models.length > 0) {
      this.#models = orderModels(models, this.#begun.policy, random, (model) => this.#isResting(model));
    }
    if (this.#limitMs > 0) this.#stop = new TaskStop(clock, this.#limitMs, this.#task, signal);
    const stopSignal = this.#stop?.signal ?? signal;
    const isGuarded = stopSignal !== undefined || this.#plan.attemptMs > 0;
    let ended: Ended<Value> | undefined;
    let waitFromMs = this.#startedMs;
    let lane = lanes.of(this.#task, this.#models[0]);
    lane.budget.countTask();
    for (;;) {
      let pass: Pass | undefined = 'pass';
      try {
        if (this.#delayMs > 0) await pause(clock, this.#delayMs, stopSignal);
        if (this.#plan.gate !== undefined) await lane.limiter.enter(this.#plan.gate, stopSignal);
        else lane.limiter.pass();
        if (this.#plan.breaker !== undefined) pass = this.#enterBreaker(lane);
      } catch (error) {
        if (this.#isStopped() || !this.#goOn(undefined)) return this.#finish(ended ?? this.#unasked(error, lane));
        lane = this.#lane();
        continue;
      }
      const model = this.#models[this.#position];
      const startMs = clock.monotonic();
      this.#calls++;
      let value: Value;
      try {
        const { policy } = this.#begun;
        value = isGuarded
          ? await guardWork((own) => this.#work(new Call(model, this.#calls, policy, own)), {
              clock,
              timeoutMs: this.#plan.attemptMs,
              what: `an attempt at ${this.#task}`,
              signal: stopSignal,
              onLate: () => this.#late(),
            })
          : await this.#work(new Call(model, this.#calls, policy));
      } catch (error) {
        const failure = this.#readError(error);
        this.#settle(lane, pass, startMs, waitFromMs, failure);
        ended = { kind: 'error', error, issue: failure.issue };
        if (!this.#goOn(failure, lane)) return this.#finish(ended);
        waitFromMs = clock.monotonic();
        lane = this.#lane();
        continue;
      }
      const flaw = findFlaw(value, this.#options, this.#parts.report);
      if (flaw === undefined) {
        this.#settle(lane, pass, startMs, waitFromMs, undefined);
        return this.#succeed(value, model);
      }
      const failure: Failure = {
        issue: flaw.issue,
        category: flaw.issue === 'empty_response' ? 'empty_response' : 'unknown',
      };
      this.#settle(lane, pass, startMs, waitFromMs, failure);
      ended = { kind: 'value', value, flaw };
      if (!this.#goOn(failure, lane)) return this.#finish(ended);
      waitFromMs = clock.monotonic();
      lane = this.#lane();
    }
  }
  /** Chooses the next try after a failure, or after the lane refused (no failure); false when there is none. */
  #goOn(failure: Failure | undefined, lane?: Lane): boolean {
    this.#delayMs = 0;
    if (this.#calls >= MAX_CALLS || (this.#calls > 0 && this.#options.idempotent === false) || this.#isStopped()) {
      return false;
    }
    if (failure === undefined || lane === undefined) return this.#fallBack(undefined);
    return this.#retry(failure, lane) || this.#fallBack(failure);
  }

  #retry(failure: Failure, lane: Lane): boolean {
    const { clock, random } = this.#parts;
    const { policy } = this.#begun;
    const done = this.#retries?.[failure.category] ?? 0;
    if (done >= retriesFor(failure.category, policy)) return false;
    const delayMs = backoffMs(this.#extra + 1, failure.retryAfterMs, policy, random);
    const nowMs = clock.monotonic();
    if (delayMs === undefined || !this.#hasTime(nowMs + delayMs)) return false;
    if (this.#plan.breaker !== undefined && !lane.breaker.admits(nowMs + delayMs)) return false;
    if (!lane.budget.take(PRESSURE.has(failure.category))) return false;
    this.#retries ??= {};
    this.#retries[failure.category] = done + 1;
    this.#extra++;
    this.#delayMs = delayMs;
    return true;
  }

  /** Goes on with the next model that may be asked. One that is resting is asked out of its retry budget only. */
  #fallBack(failure: Failure | undefined): boolean {
    if (!this.#begun.policy['model.fallback'] || (failure !== undefined && NO_FALLBACK.has(failure.category))) {
      return false;
    }
    for (let position = this.#position + 1; position < this.#models.length; position++) {
      const model = this.#models[position];
      const lane = this.#parts.lanes.of(this.#task, model);
      if (this.#plan.breaker !== undefined && !lane.breaker.admits(this.#parts.clock.monotonic())) continue;
      const isPressed = failure !== undefined && PRESSURE.has(failure.category);
      if (model !== undefined && this.#isResting(model) && !lane.budget.take(isPressed)) continue;
      this.#position = position;
      lane.budget.countTask();
      return true;
    }
    return false;
  }

  #lane(): Lane {
    return this.#parts.lanes.of(this.#task, this.#models[this.#position]);
  }

  #enterBreaker(lane: Lane): Pass {
    const pass = this.#plan.breaker && lane.breaker.enter(this.#parts.clock.monotonic(), this.#plan.breaker);
    if (pass !== undefined) return pass;
    lane.limiter.leave();
    const name = this.#models[this.#position] ?? this.#task;
    throw new LoopError('breaker-open', `${name} keeps failing (${lane.breaker.issue}): it is not asked for now`);
  }

  /** Writes down what an attempt said about the model it asked. */
  #settle(lane: Lane, pass: Pass, startMs: number, waitFromMs: number, failure: Failure | undefined): void {
    const nowMs = this.#parts.clock.monotonic();
    lane.limiter.leave();
    if (this.#plan.breaker !== undefined) {
      lane.breaker.settle(pass, signOf(failure), nowMs, this.#plan.breaker, failure?.issue);
    }
    if (failure === undefined) lane.coolUntilMs = 0;
    else this.#rest(lane, failure, nowMs);
    if (failure === undefined && this.#attempts === undefined && startMs === waitFromMs) return;
    const model = this.#models[this.#position];
    this.#attempts ??= [];
    this.#attempts.push({
      delayMs: startMs - waitFromMs,
      durationMs: nowMs - startMs,
      success: failure === undefined,
      ...(model !== undefined && { model }),
      ...(failure !== undefined && { issue: failure.issue }),
    });
  }

  /** Tells all callers of the model what its error said about the near future. */
  #rest(lane: Lane, failure: Failure, nowMs: number): void {
    const cool = COOL_DOWN_MS[failure.category];
    if (cool === undefined) return;
    const askedMs = failure.retryAfterMs === undefined ? undefined : Math.min(failure.retryAfterMs, MAX_COOL_DOWN_MS);
    if (askedMs !== undefined) lane.limiter.announceReset(nowMs + askedMs);
    lane.coolUntilMs = Math.max(lane.coolUntilMs, nowMs + (askedMs ?? cool));
  }

  #isResting(model: string): boolean {
    const nowMs = this.#parts.clock.monotonic();
    const lane = this.#parts.lanes.of(this.#task, model);
    return lane.coolUntilMs > nowMs || (this.#plan.breaker !== undefined && !lane.breaker.admits(nowMs));
  }

  #isStopped(): boolean {
    return this.#options.signal?.aborted === true || this.#stop?.signal.aborted === true;
  }

  #hasTime(untilMs: number): boolean {
    return this.#limitMs === 0 || untilMs - this.#startedMs < this.#limitMs;
  }

  #readError(error: unknown): Failure {
    if (this.#options.signal?.aborted) return { issue: 'cancelled', category: 'cancelled' };
    if (LoopError.is(error)) {
      const category = CATEGORY_OF_OURS[error.code];
      if (category !== undefined) return { issue: category, category };
    }
    const { category, retryAfterMs } = this.#parts.classify(error);
    return { issue: category, category, retryAfterMs };
  }

  /** The end of a task that never reached the host's function. */
  #unasked(error: unknown, lane: Lane): Ended<Value> {
    const isOpen = LoopError.is(error) && error.code === 'breaker-open';
    return { kind: 'error', error, issue: isOpen ? lane.breaker.issue : this.#readError(error).issue };
  }

  #late(): void {
    const message = `${this.#task} (${this.#begun.id}) gave a value after it had been stopped: it was dropped`;
    this.#parts.report({ where: 'run.late', message });
  }

  #succeed(value: Value, model: string | undefined): Value {
    this.#end({ success: true, ...(model !== undefined && { model }), ...this.#measure(value) });
    return value;
  }

  #finish(ended: Ended<Value>): Value {
    const model = this.#models[this.#position];
    const asked = model === undefined ? undefined : { model };
    if (ended.kind === 'value') {
      const { issue, message } = ended.flaw;
      this.#end({ success: false, issues: [issue], error: message, ...asked, ...this.#measure(ended.value) });
      return ended.value;
    }
    this.#end({ success: false, issues: [ended.issue], error: ended.error, ...asked });
    throw ended.error;
  }

  #measure(value: Value): Measures | undefined {
    const { measure } = this.#options;
    return measure && guarded(this.#parts.report, 'run.measure', undefined, () => measure(value));
  }

  #end(end: TaskEnd): void {
    this.#stop?.release();
    const attempts = this.#attempts;
    this.#begun.end(attempts === undefined ? end : { ...end, attempts });
    const { onEnd } = this.#options;
    if (onEnd === undefined) return;
    const issue = end.issues?.[0];
    const { id } = this.#begun;
    const told = { id, success: end.success, attempts: attempts ?? [], ...(issue !== undefined && { issue }) };
    guarded(this.#parts.report, 'run.onEnd', undefined, () => onEnd(told));
  }
}

const NO_MODELS: readonly string[] = [];

const CATEGORY_OF_OURS: { readonly [Code in LoopErrorCode]?: ErrorCategory } = {
  'timed-out': 'timeout',
  'queue-full': 'resource_exhausted',
  'breaker-open': 'overloaded',
};

/** What the host's function is given. The signal is made when it is read, as most functions never do. */
class Call implements RunContext {
  readonly model: string | undefined;
  readonly attempt: number;
  readonly policy: Policy;
  #signal: AbortSignal | undefined;

  constructor(model: string | undefined, attempt: number, policy: Policy, signal?: AbortSignal) {
    this.model = model;
    this.attempt = attempt;
    this.policy = policy;
    this.#signal = signal;
  }

  get signal(): AbortSignal {
    this.#signal ??= new AbortController().signal; // nothing can stop this attempt
    return this.#signal;
  }
}

function signOf(failure: Failure | undefined): Sign {
  if (failure === undefined) return 'good';
  return OWN_FAULT.has(failure.category) || failure.issue === 'wrong_output' ? 'neutral' : 'bad';
}

/** The shorter of two limits, where 0 means none. */
function shorter(one: number, other: number): number {
  return one > 0 && other > 0 ? Math.min(one, other) : Math.max(one, other);
}

function readTimeout(timeoutMs: number | undefined, report: Report): number {
  if (timeoutMs === undefined || timeoutMs === 0) return 0;
  if (timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS) return timeoutMs;
  report({ where: 'run', message: `timeoutMs is ${timeoutMs}: it was ignored; give 1 to ${MAX_TIMEOUT_MS} ms` });
  return 0;
}

/** The longest a platform timer can wait. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
