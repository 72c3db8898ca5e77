export class RateLimiter {
  readonly #capacity: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  #tokens: number;
  #atMs: number;

  constructor(capacity: number, perSecond: number, now: () => number) {
    this.#capacity = capacity;
    this.#perSecond = perSecond;
    this.#now = now;
    this.#tokens = capacity;
    this.#atMs = now();
  }

  tryTake(tokens = 1): boolean {
    if (this.waitMs(tokens) > 0) return false;
    this.#tokens -= tokens;
    return true;
  }

  waitMs(tokens = 1): number {
    const now = this.#now();
    const passed = Math.max(0, now - this.#atMs);
    this.#tokens = Math.min(this.#capacity, this.#tokens + (passed * this.#perSecond) / 1000);
    this.#atMs = Math.max(this.#atMs, now);
    if (tokens > this.#capacity) return Infinity;
    return Math.ceil(Math.max(0, ((tokens - this.#tokens) * 1000) / this.#perSecond - 1e-6));
  }
}
