import type { StatedQuota } from '../classify/stated-quota.js';

/** Learned quota of a provider. */
export interface PaceState {
  /** Calls granted per millisecond in the long run. */
  readonly perMs: number;
  /** Calls granted immediately after an idle period. */
  readonly burst: number;
}

/** Accepted calls after which an earlier measurement counts half. */
const HALF_LIFE = 30;
/** Accepted calls needed before a rate is known. */
const ENOUGH = 3;
/** Waiting calls since the last rejection before a higher rate is tried. Doubles while the rate holds. */
const FIRST_PLATEAU = 25;
const LONGEST_PLATEAU = 800;
/** Extra weight of a call that waited its maximum time. */
const URGENCY = 9;
/** Fraction below the known rate at which calls resume after a rejection. */
const MARGIN = 0.05;
/** Relative difference below which two rates count as equal. */
const ALIKE = 0.1;
/** A rejection while the bucket was estimated to hold less than this is expected, so it is ignored. */
const EXPECTED = 0.5;
/** Calls granted beyond the estimated tokens that indicate a larger quota. */
const MANY_MORE = 1.5;
/** Growth of the estimated bucket after it was emptied without a rejection, and shrinkage after a rejection. */
const LARGER = 1.2;
const SMALLER = 0.85;
const FIRST_PATIENCE = 8;
const LONGEST_PATIENCE = 64;
/** Decay per announcement: the longest announced wait counts half after 70 announcements of shorter ones. */
const FADING = 0.99;
/** Providers round the calls that remain down: half a call too few on average. */
const ROUNDING = 0.5;
/** Speeds up the queue as its head nears its longest wait: 1.26 times at four fifths, twice at the end. */
const PRESSURE_POWER = 6;

/**
 * Learns the quota that a provider grants this process on one model from the calls it rejects. Fits a token bucket.
 * The rate comes from busy stretches that end in a rejection, the bucket size from bursts after an idle period.
 * All processes that share the quota get rejections, so each learns its own share. All times are on the monotonic
 * clock.
 */
export class Pace {
  #perMs: number | undefined;
  #burst = 1;
  #tokens = 0;
  #tokensMs: number;
  /** Time of the last rejection that was informative. */
  #refusedMs: number;
  /** Calls that had to wait since then. */
  #waited = 0;
  #plateau = FIRST_PLATEAU;
  /** Start of the period in which the bucket was never full; `#taken` counts the accepted calls since then. */
  #busySinceMs: number;
  #taken = 0;
  #isFull = false;
  /** Full buckets emptied without a rejection. A larger bucket is tried after `#patience` of them. */
  #emptied = 0;
  #patience = FIRST_PATIENCE;
  /** Accepted calls and the time they took, weighted towards the newest. */
  #calls = 0;
  #ms = 0;
  /** Calls missing in the bucket and the time until it is full, summed over the statements of the provider. */
  #statedCalls = 0;
  #statedMs = 0;
  /** Longest recently announced wait; 0 if none. */
  #announcedMs = 0;
  /** How long the head of the queue has waited, as a share of its longest wait. */
  #pressure = 0;

  /** Starts at a rejection, or with the quota that another process learned. */
  constructor(nowMs: number, learned?: PaceState) {
    this.#tokensMs = this.#refusedMs = this.#busySinceMs = nowMs;
    if (learned === undefined) return;
    this.#perMs = learned.perMs;
    this.#burst = learned.burst;
  }

  /** Returns the learned quota; `undefined` while unknown. */
  get state(): PaceState | undefined {
    return this.#perMs === undefined ? undefined : { perMs: this.#perMs, burst: this.#burst };
  }

  /** Returns how long the next call has to wait. `pressure` 1 means that it has waited its maximum time. */
  waitMs(nowMs: number, pressure: number): number {
    if (this.#perMs === undefined) return 0;
    this.#refill(nowMs);
    this.#pressure = pressure;
    return this.#tokens >= 1 ? 0 : Math.ceil((1 - this.#tokens) / this.#rate(this.#perMs));
  }

  /** Records the start of a call, and whether it had to wait. */
  begin(nowMs: number, hasWaited: boolean): void {
    this.#refill(nowMs);
    this.#tokens--;
    this.#taken++;
    if (hasWaited) this.#waited += 1 + URGENCY * this.#pressure;
    if (this.#isFull && this.#tokens < 1) this.#empty(nowMs);
  }

  /** Records that no call is in flight. Calls granted beyond the estimated tokens can then no longer be rejected. */
  rest(nowMs: number): void {
    this.#refill(nowMs);
    if (this.#perMs === undefined || this.#tokens > -MANY_MORE) return;
    const isAtOnce = this.#taken > 2 * this.#perMs * (nowMs - this.#busySinceMs);
    if (isAtOnce) this.#burst -= this.#tokens;
    else this.#measure(nowMs);
    this.#busySinceMs = nowMs;
    this.#taken = this.#tokens = 0;
  }

  /**
   * Takes the quota that the provider states with an answer. It may not have counted the `others` in flight yet.
   * Rounding errors of many statements average out.
   */
  learn({ limit, remaining, resetMs }: StatedQuota, nowMs: number, others: number): void {
    this.#refill(nowMs);
    const used = limit - remaining - ROUNDING;
    if (used > 0 && resetMs > 0) {
      this.#statedCalls = FADING * this.#statedCalls + used;
      this.#statedMs = FADING * this.#statedMs + resetMs;
      this.#perMs = this.#statedCalls / this.#statedMs;
    }
    this.#burst = Math.max(1, limit);
    this.#tokens = remaining - others;
    this.#tokensMs = nowMs;
  }

  /** Records the wait that the provider announced with a rejection. It is the longest spacing of calls. */
  announce(waitMs: number): void {
    this.#announcedMs = Math.max(waitMs, FADING * this.#announcedMs);
  }

  /** Records that the provider rejected a call that began at `startMs`. */
  refuse(startMs: number, nowMs: number): void {
    // Calls that were in flight at the last rejection carry no new information.
    if (startMs <= this.#refusedMs) return;
    this.#refill(nowMs);
    this.#tokens++; // a rejected call takes no token
    this.#taken = Math.max(0, this.#taken - 1);
    if (this.#perMs === undefined) this.#measure(nowMs);
    else if (this.#tokens < EXPECTED) return;
    else if (this.#isFull) this.#shrink();
    else this.#slow(this.#perMs, nowMs);
    this.#refusedMs = this.#busySinceMs = nowMs;
    this.#taken = this.#tokens = 0;
    this.#isFull = false;
  }

  /** Lowers the bucket size: a full bucket granted less than estimated. */
  #shrink(): void {
    this.#burst = Math.max(1, SMALLER * this.#burst);
    this.#patience = Math.min(LONGEST_PATIENCE, 2 * this.#patience);
    this.#emptied = 0;
  }

  /** Measures the rate again: an empty bucket granted less than estimated. */
  #slow(perMs: number, nowMs: number): void {
    const growth = this.#growth;
    this.#measure(nowMs);
    const isAlike = Math.abs((this.#perMs ?? perMs) - perMs) < ALIKE * perMs && growth < 1 + ALIKE;
    if (this.#waited > 0) this.#plateau = isAlike ? Math.min(LONGEST_PLATEAU, 2 * this.#plateau) : FIRST_PLATEAU;
    this.#waited = 0;
  }

  /** Updates the rate. The bucket was empty at the start and is empty now, so it granted exactly its refill. */
  #measure(nowMs: number): void {
    const keep = 2 ** (-Math.max(EXPECTED, this.#taken) / HALF_LIFE);
    this.#calls = this.#calls * keep + this.#taken;
    this.#ms = this.#ms * keep + (nowMs - this.#busySinceMs);
    if ((this.#perMs !== undefined || this.#calls >= ENOUGH) && this.#calls > 0 && this.#ms > 0)
      this.#perMs = this.#calls / this.#ms;
  }

  /** Starts a new measurement: a full bucket was emptied, so from now on no refill is lost. */
  #empty(nowMs: number): void {
    this.#isFull = false;
    this.#busySinceMs = nowMs;
    this.#taken = 0;
    this.#emptied++;
    if (this.#emptied < this.#patience) return;
    this.#emptied = 0;
    this.#burst = Math.max(this.#burst + 1, LARGER * this.#burst);
  }

  /** Starts slightly below the known rate, holds it for a while, then accelerates until a call is rejected. */
  get #growth(): number {
    const held = this.#waited / this.#plateau;
    return held <= 1 ? 1 - MARGIN * (1 - held) : 1 + MARGIN * (held - 1) ** 2;
  }

  #rate(perMs: number): number {
    const least = this.#announcedMs > 0 ? 1 / this.#announcedMs : 0;
    return Math.max(least, perMs) * this.#growth * (1 + this.#pressure ** PRESSURE_POWER);
  }

  #refill(nowMs: number): void {
    if (this.#perMs === undefined) return;
    const full = this.#tokens + this.#rate(this.#perMs) * (nowMs - this.#tokensMs);
    this.#tokensMs = nowMs;
    this.#tokens = Math.min(Math.max(this.#tokens, this.#burst), full);
    if (this.#tokens < full) this.#isFull = true;
  }
}
