import type { Clock } from 'rsi-loop';
import { Problem } from './problem.js';

type Bucket = { tokens: number; atMs: number };

/** More senders than this at once: the one that came first is forgotten. */
const MAX_SENDERS = 10_000;
/** What may come at once after a pause, in seconds of the mean rate. */
const BURST_S = 2;

/** A bucket of requests per sender that fills up as time passes. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #what: string;
  readonly #burst: number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  /** `what` is counted, for the message. `burst` may come at once; default: what comes in two seconds. */
  constructor(perSecond: number, clock: Clock, what = 'requests', burst = perSecond * BURST_S) {
    this.#perSecond = perSecond;
    this.#what = what;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** @throws Problem 429 saying when to come again. */
  take(sender: string): void {
    const nowMs = this.#clock.monotonic();
    const most = Math.max(1, this.#burst);
    const bucket = this.#buckets.get(sender) ?? this.#add(sender, most, nowMs);
    bucket.tokens = Math.min(most, bucket.tokens + ((nowMs - bucket.atMs) * this.#perSecond) / 1_000);
    bucket.atMs = nowMs;
    if (bucket.tokens >= 1) {
      bucket.tokens--;
      return;
    }
    const retryAfterS = Math.max(1, Math.ceil((1 - bucket.tokens) / this.#perSecond));
    throw new Problem(429, `too many ${this.#what} from ${sender}`, { retryAfterS });
  }

  #add(sender: string, tokens: number, atMs: number): Bucket {
    if (this.#buckets.size >= MAX_SENDERS) {
      const [first] = this.#buckets.keys();
      if (first !== undefined) this.#buckets.delete(first);
    }
    const bucket = { tokens, atMs };
    this.#buckets.set(sender, bucket);
    return bucket;
  }
}

/**
 * Whom requests are counted for: the address, or with IPv6 its first 64 bits, which is the least that a host is given, so
 * that it can come from 2^64 addresses. IPv4 written as IPv6 is IPv4.
 */
export function senderOf(address: string | undefined): string {
  if (address === undefined) return 'local';
  if (!address.includes(':')) return address;
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice(7);
  const [front = '', back] = (address.split('%', 1)[0] ?? '').split('::');
  const groups = front === '' ? [] : front.split(':');
  // What `::` leaves out is as many zeros as make eight groups of it.
  const after = back === undefined || back === '' ? [] : back.split(':');
  const zeros = back === undefined ? 0 : 8 - groups.length - after.length;
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
