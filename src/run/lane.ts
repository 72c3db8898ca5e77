import type { Clock } from '../ports.js';
import { Breaker } from './breaker.js';
import { Limiter } from './limiter.js';
import { RetryBudget } from './retry-budget.js';

/** What all attempts on one model share; tasks that name no model share one lane per task. */
export class Lane {
  readonly limiter: Limiter;
  readonly breaker = new Breaker();
  readonly budget = new RetryBudget();
  /** Monotonic time until which this model is asked last. */
  coolUntilMs = 0;
  /** Turn of its last use, for choosing what to forget. */
  usedAt = 0;

  constructor(clock: Clock, name: string) {
    this.limiter = new Limiter(clock, name);
  }

  /** Nothing in it is running, waiting or remembered for a purpose. */
  isIdle(nowMs: number): boolean {
    const { limiter, breaker } = this;
    const quiet = limiter.active === 0 && limiter.waiting === 0 && limiter.resetMs <= nowMs;
    return quiet && !breaker.isOpen && this.coolUntilMs <= nowMs;
  }
}

/** Lanes kept at once. More only while they are all in use. */
const MAX_LANES = 1_000;

/** The lanes by name, bounded: names may come from outside. */
export class Lanes {
  readonly #clock: Clock;
  readonly #byModel = new Map<string, Lane>();
  readonly #byTask = new Map<string, Lane>();
  #turn = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#byModel.size + this.#byTask.size;
  }

  of(task: string, model: string | undefined): Lane {
    const kept = model === undefined ? this.#byTask : this.#byModel;
    const name = model ?? task;
    let lane = kept.get(name);
    if (lane === undefined) {
      if (kept.size >= MAX_LANES) this.#forget(kept);
      lane = new Lane(this.#clock, model === undefined ? `task ${name}` : `model ${name}`);
      kept.set(name, lane);
    }
    lane.usedAt = ++this.#turn;
    return lane;
  }

  *entries(): Generator<{ readonly kind: 'model' | 'task'; readonly name: string; readonly lane: Lane }> {
    for (const [name, lane] of this.#byModel) yield { kind: 'model', name, lane };
    for (const [name, lane] of this.#byTask) yield { kind: 'task', name, lane };
  }

  /** Drops the idle lanes that were not used for longest, a tenth at once so that it is rare. */
  #forget(kept: Map<string, Lane>): void {
    const nowMs = this.#clock.monotonic();
    const idle = [...kept].filter(([, lane]) => lane.isIdle(nowMs)).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [name] of idle.slice(0, MAX_LANES / 10)) kept.delete(name);
  }
}
