import type { Issue } from '../contract/issue.js';

export interface BreakerLimits {
  /** Failures in a row that open it; 0 means never. */
  readonly failures: number;
  /** Share of failures among recent attempts that opens it; 0 means never. */
  readonly ratio: number;
  readonly openMs: number;
}

/** A breaker as data. Times count from the moment it was saved. */
export interface BreakerState {
  readonly inRow: number;
  readonly calls: number;
  readonly failures: number;
  readonly ageMs: number;
  /** Present while it is open: when the next probe may go through. */
  readonly probeInMs?: number;
  readonly issue?: Issue;
}

/** Leave to make an attempt; it must be settled exactly once. */
export type BreakerPermit = 'pass' | 'probe';

/** What an attempt said about the health of what it asked; `neutral` for errors that are the request's own. */
export type Sign = 'good' | 'bad' | 'neutral';

/** Time in which the weight of a recent attempt halves in the ratio. */
const HALF_LIFE_MS = 60_000;
/** Weighed attempts needed before the ratio may open the breaker. */
const ENOUGH = 10;

/**
 * Refuses attempts on something that keeps failing. After `openMs` a single probe goes through: it closes the
 * breaker or keeps it open. All times are of the monotonic clock.
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

  /** What went wrong when it opened. */
  get issue(): Issue {
    return this.#issue;
  }

  /** Asks for leave; nothing means refused. */
  enter(nowMs: number, limits: BreakerLimits): BreakerPermit | undefined {
    if (!this.#open) return 'pass';
    if (nowMs < this.#probeFromMs) return undefined;
    // Until the probe settles nobody else goes through; one that never settles makes way for another.
    this.#probeFromMs = nowMs + limits.openMs;
    return 'probe';
  }

  /** Whether `enter` would give leave now. */
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
    if (limits.ratio > 0) this.#weigh(nowMs);
    this.#calls++;
    this.#inRow = bad ? this.#inRow + 1 : 0;
    if (!bad) return;
    this.#failures++;
    const byRow = limits.failures > 0 && this.#inRow >= limits.failures;
    const byRatio = limits.ratio > 0 && this.#calls >= ENOUGH && this.#failures / this.#calls >= limits.ratio;
    if (byRow || byRatio) this.#openUntil(nowMs + limits.openMs, issue);
  }

  /** What another process needs to go on from here; nothing when there is nothing to know. */
  save(nowMs: number): BreakerState | undefined {
    if (!this.#open && this.#inRow === 0 && this.#failures === 0) return undefined;
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
      this.#probeFromMs = nowMs; // the probe said nothing: the next one may try
    }
  }

  #weigh(nowMs: number): void {
    const keep = 2 ** (-Math.max(0, nowMs - this.#weighedMs) / HALF_LIFE_MS);
    this.#weighedMs = nowMs;
    this.#calls *= keep;
    this.#failures *= keep;
  }
}
