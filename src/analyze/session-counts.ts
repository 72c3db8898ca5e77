import type { Json } from '../contract/json.js';
import { hashUnit } from '../lib/hash.js';
import { lazyList } from '../lib/json-pieces.js';

/** Bits per bucket: accurate to a few per cent for up to several thousand sessions per hour. */
const BITS = 1_024;
const WORDS = BITS / 32;

/** Number of distinct sessions per bucket, without storing their ids: linear counting (Whang et al. 1990). */
export class SessionCounts {
  readonly #capacity: number;
  #buckets = new Map<number, Uint32Array>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(session: string, bucket: number): void {
    let words = this.#buckets.get(bucket);
    if (!words) {
      words = new Uint32Array(WORDS);
      this.#buckets.set(bucket, words);
      if (this.#buckets.size > this.#capacity) this.#buckets.delete(Math.min(...this.#buckets.keys()));
    }
    const bit = Math.floor(hashUnit(session) * BITS);
    words[bit >> 5] = (words[bit >> 5] ?? 0) | (1 << (bit & 31));
  }

  /** Returns the estimate for a bucket. A full bucket returns the largest number that can be estimated. */
  in(bucket: number): number {
    const words = this.#buckets.get(bucket);
    if (!words) return 0;
    let zeros = 0;
    for (const word of words) zeros += 32 - bitsSet(word);
    return Math.round(BITS * Math.log(BITS / Math.max(1, zeros)));
  }

  snapshot(): Json {
    return lazyList(this.#buckets, ([bucket, words]) => [bucket, [...words]]);
  }

  static restore(kept: SessionCountsSnapshot, capacity: number): SessionCounts {
    const counts = new SessionCounts(capacity);
    for (const [bucket, words] of kept) counts.#buckets.set(bucket, Uint32Array.from(words));
    return counts;
  }
}

export type SessionCountsSnapshot = Iterable<readonly [number, readonly number[]]>;

function bitsSet(word: number): number {
  let left = word;
  let count = 0;
  while (left !== 0) {
    left &= left - 1;
    count++;
  }
  return count;
}
