import type { Clock, Model } from 'rsi-loop';

/** What a pool knows of one of its hosts. */
export interface PoolHostStatus {
  readonly name: string;
  /** `up`; `cooling` after failures, when nothing is sent; `trying` when one call finds out whether it is back. */
  readonly state: 'up' | 'cooling' | 'trying';
  /** Calls on their way. */
  readonly outstanding: number;
  /** Requests of others on the host, as its server last said. */
  readonly others: number;
  /** Running mean of how long answers take; absent before the first. */
  readonly usualMs?: number;
  readonly calls: number;
  readonly failures: number;
  /** What it last failed with. */
  readonly problem?: string;
}

/** How much the newest answer moves the mean. */
const NEWEST_SHARE = 0.2;
/** How often a server is asked for its queue, in milliseconds, while it is in use. */
const ASK_EVERY_MS = 2_000;

export interface PoolHostOptions {
  readonly clock: Clock;
  readonly perHost: number;
  readonly coolDownMs: number;
  readonly maxCoolDownMs: number;
}

/** One host of a pool: how busy it is, how fast, and whether anything may be sent to it. */
export class PoolHost {
  readonly model: Model;
  readonly #options: PoolHostOptions;
  outstanding = 0;
  #others = 0;
  #usualMs: number | undefined;
  #calls = 0;
  #failures = 0;
  #problem: string | undefined;
  /** Failures since it last answered. */
  #inARow = 0;
  #coolUntilMs = Number.NEGATIVE_INFINITY;
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor(model: Model, options: PoolHostOptions) {
    this.model = model;
    this.#options = options;
  }

  /** When it may be tried again, on the monotonic clock. */
  get coolUntilMs(): number {
    return this.#coolUntilMs;
  }

  /** Calls it may take now: one alone while it has to show that it is back. */
  get free(): number {
    if (this.isCooling) return 0;
    return (this.#inARow > 0 ? 1 : this.#options.perHost) - this.outstanding;
  }

  get isCooling(): boolean {
    return this.#options.clock.monotonic() < this.#coolUntilMs;
  }

  /** How long one more call would take: slow and busy hosts cost more. An unknown host counts as fast, to get to know it. */
  get cost(): number {
    return (this.#usualMs ?? 1) * (1 + (this.outstanding + this.#others) / this.#options.perHost);
  }

  /** Calls per millisecond it answers when all its places are taken. */
  get speed(): number {
    return this.isCooling || this.#usualMs === undefined ? 0 : this.#options.perHost / this.#usualMs;
  }

  /** Running mean of how long its answers take; 0 before the first. */
  get usualMs(): number {
    return this.#usualMs ?? 0;
  }

  get status(): PoolHostStatus {
    return {
      name: this.model.name,
      state: this.isCooling ? 'cooling' : this.#inARow > 0 ? 'trying' : 'up',
      outstanding: this.outstanding,
      others: this.#others,
      ...(this.#usualMs !== undefined && { usualMs: this.#usualMs }),
      calls: this.#calls,
      failures: this.#failures,
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  begin(): void {
    this.outstanding++;
    this.#calls++;
  }

  /** A call was answered after so long. */
  answered(durationMs: number): void {
    this.outstanding--;
    // What was on its way before the host went down says nothing of how it is now.
    if (!this.isCooling) {
      this.#inARow = 0;
      this.#problem = undefined;
    }
    this.#usualMs =
      this.#usualMs === undefined ? durationMs : this.#usualMs + NEWEST_SHARE * (durationMs - this.#usualMs);
  }

  /** A call ended without saying anything about the host: it was taken back, or refused for what it asked. */
  ended(): void {
    this.outstanding--;
  }

  /** A call failed for a reason of the host: nothing is sent for a while, twice as long each time. */
  failed(problem: string): void {
    this.outstanding--;
    this.#failures++;
    this.cool(problem);
  }

  cool(problem: string): void {
    this.#problem = problem;
    // Calls that were on their way when it went down are one failure, not many.
    if (this.isCooling) return;
    const { clock, coolDownMs, maxCoolDownMs } = this.#options;
    this.#coolUntilMs = clock.monotonic() + Math.min(maxCoolDownMs, coolDownMs * 2 ** Math.min(20, this.#inARow));
    this.#inARow++;
  }

  /** Ends its rest early: nobody else is left to ask. */
  wake(): void {
    this.#coolUntilMs = Number.NEGATIVE_INFINITY;
  }

  /** Learns now and then, beside a call, how many requests of others wait there. */
  askDepth(onChange: () => void): void {
    const { clock } = this.#options;
    if (this.isCooling || clock.monotonic() - this.#askedMs < ASK_EVERY_MS) return;
    this.#askedMs = clock.monotonic();
    const mine = this.outstanding;
    void this.model
      .health({ timeoutMs: ASK_EVERY_MS })
      .then(({ ok, problem, running, waiting }) => {
        if (running !== undefined || waiting !== undefined) {
          this.#others = Math.max(0, (running ?? 0) + (waiting ?? 0) - mine);
        }
        if (!ok) this.cool(problem ?? 'it is not well');
        onChange();
      })
      // A model that breaks its promise never to reject is only unknown.
      .catch(() => undefined);
  }
}
