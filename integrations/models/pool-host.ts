import type { Clock, Model } from 'rsi-loop';

/** Status of one host of a pool. */
export interface PoolHostStatus {
  readonly name: string;
  /** `up`; `cooling` after a failure, when nothing is sent; `trying` while one call tests whether the host is back. */
  readonly state: 'up' | 'cooling' | 'trying';
  /** Calls in progress. */
  readonly outstanding: number;
  /** Requests of other clients on the host, as its server last reported. */
  readonly others: number;
  /** Running mean of its response times; absent before the first. */
  readonly usualMs?: number;
  readonly calls: number;
  readonly failures: number;
  /** Its last failure. */
  readonly problem?: string;
}

/** Weight of the newest answer in the mean. */
const NEWEST_SHARE = 0.2;
/** How often a server is asked for its queue length while it is in use, in milliseconds. */
const ASK_EVERY_MS = 2_000;

export interface PoolHostOptions {
  readonly clock: Clock;
  readonly perHost: number;
  readonly coolDownMs: number;
  readonly maxCoolDownMs: number;
}

/** One host of a pool: tracks its load, its speed, and whether calls may be sent to it. */
export class PoolHost {
  readonly model: Model;
  readonly #options: PoolHostOptions;
  outstanding = 0;
  #others = 0;
  #usualMs: number | undefined;
  #calls = 0;
  #failures = 0;
  #problem: string | undefined;
  /** Failures since its last answer. */
  #inARow = 0;
  #coolUntilMs = Number.NEGATIVE_INFINITY;
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor(model: Model, options: PoolHostOptions) {
    this.model = model;
    this.#options = options;
  }

  /** Time at which it may be tried again, on the monotonic clock. */
  get coolUntilMs(): number {
    return this.#coolUntilMs;
  }

  /** Number of calls it may take now: one at a time while it has to show that it is back. */
  get free(): number {
    if (this.isCooling) return 0;
    return (this.#inARow > 0 ? 1 : this.#options.perHost) - this.outstanding;
  }

  get isCooling(): boolean {
    return this.#options.clock.monotonic() < this.#coolUntilMs;
  }

  /**
   * Estimated time of one more call: slow and busy hosts cost more. An unknown host counts as fast, so that it gets
   * calls.
   */
  get cost(): number {
    return (this.#usualMs ?? 1) * (1 + (this.outstanding + this.#others) / this.#options.perHost);
  }

  /** Calls per millisecond that it answers at full load. */
  get speed(): number {
    return this.isCooling || this.#usualMs === undefined ? 0 : this.#options.perHost / this.#usualMs;
  }

  /** Running mean of its response times; 0 before the first. */
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

  /** Records an answer that took `durationMs`. */
  answered(durationMs: number): void {
    this.outstanding--;
    // A call that began before the host went down says nothing about its current state.
    if (!this.isCooling) {
      this.#inARow = 0;
      this.#problem = undefined;
    }
    this.#usualMs =
      this.#usualMs === undefined ? durationMs : this.#usualMs + NEWEST_SHARE * (durationMs - this.#usualMs);
  }

  /** Records the end of a call that says nothing about the host: it was cancelled, or its request was rejected. */
  ended(): void {
    this.outstanding--;
  }

  /** Records a failure of the host: nothing is sent during its cooldown, which doubles each time. */
  failed(problem: string): void {
    this.outstanding--;
    this.#failures++;
    this.cool(problem);
  }

  cool(problem: string): void {
    this.#problem = problem;
    // Calls in progress when it went down count as one failure, not many.
    if (this.isCooling) return;
    const { clock, coolDownMs, maxCoolDownMs } = this.#options;
    this.#coolUntilMs = clock.monotonic() + Math.min(maxCoolDownMs, coolDownMs * 2 ** Math.min(20, this.#inARow));
    this.#inARow++;
  }

  /** Ends its cooldown early: no other host is left. */
  wake(): void {
    this.#coolUntilMs = Number.NEGATIVE_INFINITY;
  }

  /** Occasionally asks the server, alongside a call, how many requests of other clients are there. */
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
      // A model that rejects, against its contract, only stays unknown.
      .catch(() => undefined);
  }
}
