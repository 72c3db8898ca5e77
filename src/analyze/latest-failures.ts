import { statedInText } from '../classify/retry-after.js';
import type { OutcomeError } from '../contract/outcome.js';

/** Occurrences that the figures are based on. */
const KEPT = 20;

/** Facts about the latest occurrences of a pattern: the waits that servers stated, and how many belong to inner tasks. */
export class LatestFailures {
  /** Stated waits, oldest first; -1 without one. */
  #waits: number[] = [];
  /** 1 for a failure that an inner task explains. */
  #inner: number[] = [];

  add(error: OutcomeError | undefined, isInner: boolean): void {
    this.#waits.push(error?.retryAfterMs ?? statedInText(error?.message ?? '') ?? -1);
    this.#inner.push(isInner ? 1 : 0);
    this.#cut();
  }

  addAll(other: LatestFailures): void {
    this.#waits.push(...other.#waits);
    this.#inner.push(...other.#inner);
    this.#cut();
  }

  /** Median of the stated waits, in milliseconds; `undefined` if most failures state none. */
  get statedWaitMs(): number | undefined {
    const stated = this.#waits.filter((ms) => ms >= 0).sort((one, other) => one - other);
    return stated.length * 2 > this.#waits.length ? stated[stated.length >> 1] : undefined;
  }

  /** Share of the failures that an inner task explains, 0 to 1. */
  get innerShare(): number {
    return this.#inner.reduce((sum, one) => sum + one, 0) / Math.max(1, this.#inner.length);
  }

  snapshot(): LatestFailuresSnapshot {
    return { waits: [...this.#waits], inner: [...this.#inner] };
  }

  static restore({ waits, inner }: LatestFailuresSnapshot): LatestFailures {
    const restored = new LatestFailures();
    restored.#waits = [...waits];
    restored.#inner = [...inner];
    return restored;
  }

  #cut(): void {
    if (this.#waits.length > KEPT) this.#waits = this.#waits.slice(-KEPT);
    if (this.#inner.length > KEPT) this.#inner = this.#inner.slice(-KEPT);
  }
}

export type LatestFailuresSnapshot = { readonly waits: readonly number[]; readonly inner: readonly number[] };
