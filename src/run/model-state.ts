import type { Clock } from '../contract/clock.js';
import { PRESSURE } from '../contract/settings.js';
import { hashHex } from '../lib/hash.js';
import { Breaker, type BreakerLimits, type BreakerPermit, type BreakerState, type Sign } from './breaker.js';
import { coolDownMs, type Failure, OWN_FAULT } from './failure.js';
import { Limiter } from './limiter.js';
import type { PaceState } from './pace.js';
import { type BudgetState, RetryBudget } from './retry-budget.js';

/** State that all attempts on one model share. Tasks that name no model share one state per task. */
export class ModelState {
  readonly limiter: Limiter;
  readonly breaker = new Breaker();
  readonly budget = new RetryBudget();
  /** Sequence number of the last use, for eviction. */
  usedAt = 0;
  /** Until this time the model is tried last. */
  #coolUntilMs = 0;
  /** Consecutive failures that caused a cool-down. */
  #coolings = 0;

  constructor(clock: Clock, name: string) {
    this.limiter = new Limiter(clock, name);
  }

  /** Records the end of an attempt: breaker, cool-down and announced resets, for every caller of this model. */
  settle(
    pass: BreakerPermit,
    failure: Failure | undefined,
    { startMs, nowMs }: { readonly startMs: number; readonly nowMs: number },
    breaker: BreakerLimits | undefined,
  ): void {
    if (breaker !== undefined) this.breaker.settle(pass, signOf(failure), nowMs, breaker, failure?.issue);
    if (failure === undefined) {
      this.#coolings = 0;
      this.#coolUntilMs = 0;
      return;
    }
    if (failure.category === 'rate_limit') this.limiter.refused(startMs, nowMs, failure.retryAfterMs);
    const coolMs = coolDownMs(failure, this.#coolings);
    if (coolMs === undefined) return;
    this.#coolings++;
    this.#coolUntilMs = Math.max(this.#coolUntilMs, nowMs + coolMs);
    if (failure.retryAfterMs !== undefined) this.limiter.announceReset(nowMs + coolMs);
  }

  /** Returns whether the model should be tried last, if there is another one. */
  isResting(nowMs: number, breaker: BreakerLimits | undefined): boolean {
    return this.#coolUntilMs > nowMs || (breaker !== undefined && !this.breaker.admits(nowMs));
  }

  /** Returns the remaining time until the provider's announced reset. */
  resetInMs(nowMs: number): number {
    return Math.max(0, this.limiter.resetMs - nowMs);
  }

  /** Returns whether the retry budget has an extra attempt left after this failure. */
  allowsExtra(failure: Failure | undefined): boolean {
    return this.budget.allows(isPressure(failure));
  }

  /** Takes an extra attempt out of the retry budget. */
  takeExtra(failure: Failure | undefined): void {
    this.budget.take(isPressure(failure));
  }

  /** Returns the state to restore in another process. */
  save(nowMs: number): SavedModelState {
    const breaker = this.breaker.save(nowMs);
    const { pace } = this.limiter;
    return {
      budget: this.budget.save(),
      resetInMs: this.resetInMs(nowMs),
      coolInMs: Math.max(0, this.#coolUntilMs - nowMs),
      coolings: this.#coolings,
      ...(breaker !== undefined && { breaker }),
      ...(pace !== undefined && { pace }),
    };
  }

  restore(state: SavedModelState, nowMs: number): void {
    this.budget.restore(state.budget);
    this.limiter.announceReset(nowMs + state.resetInMs);
    this.#coolUntilMs = nowMs + state.coolInMs;
    this.#coolings = state.coolings;
    if (state.pace !== undefined) this.limiter.learned(state.pace);
    if (state.breaker !== undefined) this.breaker.restore(state.breaker, nowMs);
  }

  /**
   * Returns whether the state can be dropped: nothing runs or waits, and no cool-down, reset or open breaker is
   * pending.
   */
  isIdle(nowMs: number): boolean {
    const { limiter, breaker } = this;
    const quiet = limiter.active === 0 && limiter.waiting === 0 && limiter.resetMs <= nowMs;
    return quiet && !breaker.isOpen && this.#coolUntilMs <= nowMs;
  }
}

/** Model state as data. Times count from the moment it was saved. */
export interface SavedModelState {
  readonly budget: BudgetState;
  readonly resetInMs: number;
  readonly coolInMs: number;
  readonly coolings: number;
  readonly breaker?: BreakerState;
  readonly pace?: PaceState;
}

function isPressure(failure: Failure | undefined): boolean {
  return failure === undefined || PRESSURE.has(failure.category);
}

function signOf(failure: Failure | undefined): Sign {
  if (failure === undefined) return 'good';
  return OWN_FAULT.has(failure.category) || failure.issue === 'wrong_output' ? 'neutral' : 'bad';
}

/** Maximum number of model states. Exceeded only while all are in use. */
const MAX_STATES = 1_000;

/** Model states by name. Bounded, because names may come from outside. */
export class ModelStates {
  readonly #clock: Clock;
  readonly #byModel = new Map<string, ModelState>();
  readonly #byTask = new Map<string, ModelState>();
  #turn = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#byModel.size + this.#byTask.size;
  }

  of(task: string, model: string | undefined, quota?: string): ModelState {
    const kept = model === undefined ? this.#byTask : this.#byModel;
    const name = quota === undefined ? (model ?? task) : `${model ?? task} (${hashHex(quota)})`;
    let state = kept.get(name);
    if (state === undefined) {
      if (kept.size >= MAX_STATES) this.#forget(kept);
      state = new ModelState(this.#clock, model === undefined ? `task ${name}` : `model ${name}`);
      kept.set(name, state);
    }
    state.usedAt = ++this.#turn;
    return state;
  }

  *entries(): Generator<{ readonly kind: 'model' | 'task'; readonly name: string; readonly state: ModelState }> {
    for (const [name, state] of this.#byModel) yield { kind: 'model', name, state };
    for (const [name, state] of this.#byTask) yield { kind: 'task', name, state };
  }

  /**
   * Drops the idle states that were unused for longest. Drops up to a quarter of the maximum, so that this is rare.
   */
  #forget(kept: Map<string, ModelState>): void {
    const nowMs = this.#clock.monotonic();
    const idle = [...kept].filter(([, state]) => state.isIdle(nowMs)).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [name] of idle.slice(0, MAX_STATES / 4)) kept.delete(name);
  }
}
