import type { Clock } from 'rsi-loop';
import { Problem } from './problem.js';

type Bucket = { tokens: number; atMs: number };

/** More addresses than this at once: the one that came first is forgotten. */
const MAX_ADDRESSES = 10_000;
/** What may come at once after a pause, in seconds of the mean rate. */
const BURST_S = 2;
/** What a failed try to get in costs, so that secrets cannot be tried by the thousand. */
const REFUSED_COST = 50;

/** A bucket of requests per address that fills up as time passes. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond;
    this.#clock = clock;
  }

  /** @throws Problem 429 saying when to come again. */
  take(address: string): void {
    const nowMs = this.#clock.monotonic();
    const most = Math.max(1, this.#perSecond * BURST_S);
    const bucket = this.#buckets.get(address) ?? this.#add(address, most, nowMs);
    bucket.tokens = Math.min(most, bucket.tokens + ((nowMs - bucket.atMs) * this.#perSecond) / 1_000);
    bucket.atMs = nowMs;
    if (bucket.tokens >= 1) {
      bucket.tokens--;
      return;
    }
    const retryAfterS = Math.max(1, Math.ceil((1 - bucket.tokens) / this.#perSecond));
    throw new Problem(429, `too many requests from ${address}: send several outcomes at once`, { retryAfterS });
  }

  /** For somebody who was refused at the door. */
  charge(address: string): void {
    const bucket = this.#buckets.get(address);
    if (bucket) bucket.tokens = Math.max(0, bucket.tokens - REFUSED_COST);
  }

  #add(address: string, tokens: number, atMs: number): Bucket {
    if (this.#buckets.size >= MAX_ADDRESSES) {
      const [first] = this.#buckets.keys();
      if (first !== undefined) this.#buckets.delete(first);
    }
    const bucket = { tokens, atMs };
    this.#buckets.set(address, bucket);
    return bucket;
  }
}
