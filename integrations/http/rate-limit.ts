import type { Clock } from 'rsi-loop';
import { Problem } from './http-problem.js';

type Bucket = { tokens: number; atMs: number };

/** Maximum number of senders tracked; beyond it, the oldest is forgotten. */
const MAX_SENDERS = 10_000;
/** Burst allowed after a pause, in seconds of the average rate. */
const BURST_S = 2;

/** Token bucket per sender, refilled as time passes. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #what: string;
  readonly #burst: number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  /**
   * Creates a rate limit. `what` names the requests in messages. `burst` may arrive together; default: the rate of two
   * seconds.
   */
  constructor(perSecond: number, clock: Clock, what = 'requests', burst = perSecond * BURST_S) {
    this.#perSecond = perSecond;
    this.#what = what;
    this.#burst = burst;
    this.#clock = clock;
  }

  /**
   * Counts one request.
   * @throws Problem 429 with the time to wait.
   */
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
 * Returns the key that requests are counted for: the address, or the first 64 bits of an IPv6 address. A host gets at
 * least that many bits, so it can use 2^64 addresses. IPv4 written as IPv6 counts as IPv4.
 */
export function senderOf(address: string | undefined): string {
  if (address === undefined) return 'local';
  if (!address.includes(':')) return address;
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice(7);
  const [front = '', back] = (address.split('%', 1)[0] ?? '').split('::');
  const groups = front === '' ? [] : front.split(':');
  // `::` replaces as many zeros as are needed for eight groups.
  const after = back === undefined || back === '' ? [] : back.split(':');
  const zeros = back === undefined ? 0 : 8 - groups.length - after.length;
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
