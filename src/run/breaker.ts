import type { Issue } from '../contract/issue.js';

export interface BreakerLimits {
  /** Consecutive failures that open the breaker; 0 means never. */
  readonly failures: number;
  /** Failure ratio among recent attempts that opens the breaker; 0 means never. */
  readonly ratio: number;
  readonly openMs: number;
}

/** Breaker state as data. Times count from the moment it was saved. */
export interface BreakerState {
  readonly inRow: number;
  readonly calls: number;
  readonly failures: number;
  readonly ageMs: number;
  /** Present while open: time until the next probe is allowed. */
  readonly probeInMs?: number;
  readonly issue?: Issue;
}

/** Permission to make one attempt. It must be settled exactly once. */
export type BreakerPermit = 'pass' | 'probe';

/** Health signal of one attempt; `neutral` for errors caused by the request itself. */
export type Sign = 'good' | 'bad' | 'neutral';

/** Half-life of an attempt's weight in the failure ratio. */
const HALF_LIFE_MS = 60_000;
/** Weighted attempts needed before the ratio can open the breaker. */
const ENOUGH = 10;

/**
 * Circuit breaker: rejects attempts on a target that keeps failing. After `openMs` it allows one probe, whose result
 * closes the breaker or keeps it open. All times are on the monotonic clock.
 */
export class Breaker {
  #inRow = 0;
  #calls = 0;
  #failures = 0;
  #weighedMs = 0;
  #probeFromMs = 0;
  #open = false;
  #issue: Issue = 'unknown';

  get isOpen(): boolean {
    return this.#open;
  }

  /** Returns the issue that opened the breaker. */
  get issue(): Issue {
    return this.#issue;
  }

  /** Returns a permit, or `undefined` if the breaker rejects the attempt. */
  enter(nowMs: number, limits: BreakerLimits): BreakerPermit | undefined {
    if (!this.#open) return 'pass';
    if (nowMs < this.#probeFromMs) return undefined;
    // While the probe runs, the breaker rejects all others. A probe that never settles is replaced after `openMs`.
    this.#probeFromMs = nowMs + limits.openMs;
    return 'probe';
  }

  /** Returns whether `enter` would allow an attempt now. */
  admits(nowMs: number): boolean {
    return !this.#open || nowMs >= this.#probeFromMs;
  }

  settle(pass: BreakerPermit, sign: Sign, nowMs: number, limits: BreakerLimits, issue: Issue = 'unknown'): void {
    if (pass === 'probe') {
      this.#settleProbe(sign, nowMs, limits, issue);
      return;
    }
    if (sign === 'neutral' || this.#open) return;
    const bad = sign === 'bad';
    this.#weigh(nowMs);
    this.#calls++;
    this.#inRow = bad ? this.#inRow + 1 : 0;
    if (!bad) return;
    this.#failures++;
    const byRow = limits.failures > 0 && this.#inRow >= limits.failures;
    const byRatio = limits.ratio > 0 && this.#calls >= ENOUGH && this.#failures / this.#calls >= limits.ratio;
    if (byRow || byRatio) this.#openUntil(nowMs + limits.openMs, issue);
  }

  /** Returns the state to restore in another process; `undefined` if there is nothing to keep. */
  save(nowMs: number): BreakerState | undefined {
    if (this.#failures === 0) return undefined; // neither open nor with failures in a row
    return {
      inRow: this.#inRow,
      calls: this.#calls,
      failures: this.#failures,
      ageMs: Math.max(0, nowMs - this.#weighedMs),
      ...(this.#open && { probeInMs: Math.max(0, this.#probeFromMs - nowMs), issue: this.#issue }),
    };
  }

  restore(state: BreakerState, nowMs: number): void {
    this.#inRow = state.inRow;
    this.#calls = state.calls;
    this.#failures = state.failures;
    this.#weighedMs = nowMs - state.ageMs;
    if (state.probeInMs !== undefined) this.#openUntil(nowMs + state.probeInMs, state.issue ?? 'unknown');
  }

  #openUntil(probeFromMs: number, issue: Issue): void {
    this.#open = true;
    this.#probeFromMs = probeFromMs;
    this.#issue = issue;
  }

  #settleProbe(sign: Sign, nowMs: number, limits: BreakerLimits, issue: Issue): void {
    if (sign === 'good') {
      this.#open = false;
      this.#inRow = this.#calls = this.#failures = 0;
    } else if (sign === 'bad') {
      this.#openUntil(nowMs + limits.openMs, issue);
    } else {
      this.#probeFromMs = nowMs; // the probe was neutral: allow the next one
    }
  }

  #weigh(nowMs: number): void {
    const keep = 2 ** (-Math.max(0, nowMs - this.#weighedMs) / HALF_LIFE_MS);
    this.#weighedMs = nowMs;
    this.#calls *= keep;
    this.#failures *= keep;
  }
}
