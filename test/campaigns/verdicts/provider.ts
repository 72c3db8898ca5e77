import type { SkippingClock } from './skipping-clock.js';

const REFUSAL_MS = 40;

/** Answer of a provider that states its quota, as OpenAI does. */
export interface Answer {
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A provider whose callers share a token bucket. It refuses a call without saying when to come back. With an answer it
 * states what is left.
 */
export class Provider {
  granted = 0;
  readonly #clock: SkippingClock;
  readonly #perMs: number;
  readonly #size: number;
  readonly #takesMs: () => number;
  #tokens: number;
  #tokensMs = 0;

  constructor(
    clock: SkippingClock,
    { perMinute, size }: { readonly perMinute: number; readonly size: number },
    takesMs: () => number,
  ) {
    this.#clock = clock;
    this.#perMs = perMinute / 60_000;
    this.#size = this.#tokens = size;
    this.#takesMs = takesMs;
  }

  async ask(): Promise<Answer> {
    this.#refill();
    if (this.#tokens < 1) {
      await this.#wait(REFUSAL_MS);
      throw Object.assign(new Error('429 Too Many Requests'), { status: 429 });
    }
    this.#tokens--;
    this.granted++;
    await this.#wait(this.#takesMs());
    return { headers: this.#statement() };
  }

  #statement(): Answer['headers'] {
    this.#refill();
    return {
      'x-ratelimit-limit-requests': String(this.#size),
      'x-ratelimit-remaining-requests': String(Math.floor(this.#tokens)),
      'x-ratelimit-reset-requests': `${Math.round((this.#size - this.#tokens) / this.#perMs)}ms`,
    };
  }

  #refill(): void {
    const nowMs = this.#clock.monotonic();
    this.#tokens = Math.min(this.#size, this.#tokens + (nowMs - this.#tokensMs) * this.#perMs);
    this.#tokensMs = nowMs;
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(ms, resolve));
  }
}
