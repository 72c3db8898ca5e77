import { statedInText } from '../classify/retry-after.js';
import type { Outcome } from '../contract/outcome.js';

/** Occurrences that the figures are based on. */
const KEPT = 20;
/** Of these, so many with the fewest calls in flight are left out, and as many with the most. */
const STRAY = 1;

/**
 * Facts about the latest occurrences of a pattern: the waits that servers stated, how many belong to inner tasks, and how
 * many calls were in flight.
 */
export class LatestFailures {
  /** Stated waits, oldest first; -1 without one. */
  #waits: number[] = [];
  /** 1 for a failure that an inner task explains. */
  #inner: number[] = [];
  /** Calls in flight when the last attempt of each began; 0 if unknown. */
  #inFlight: number[] = [];

  add({ error, attempts }: Pick<Outcome, 'error' | 'attempts'>, isInner: boolean): void {
    this.#waits.push(error?.retryAfterMs ?? statedInText(error?.message ?? '') ?? -1);
    this.#inner.push(isInner ? 1 : 0);
    this.#inFlight.push(attempts?.at(-1)?.inFlight ?? 0);
    this.#cut();
  }

  addAll(other: LatestFailures): void {
    this.#waits.push(...other.#waits);
    this.#inner.push(...other.#inner);
    this.#inFlight.push(...other.#inFlight);
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

  /**
   * Fewest calls in flight at which the failures begin, if nearly all began with that many or one more. Failures that do
   * not depend on the load begin with any number, so that they spread. Undefined if they do, or if fewer than 20 are known.
   * A single place is not told apart from calls that came close together.
   */
  get fullAt(): number | undefined {
    const sorted = [...this.#inFlight].sort((one, other) => one - other);
    const [least = 0, most = 0] = [sorted[STRAY], sorted.at(-1 - STRAY)];
    return sorted.length === KEPT && least > 2 && most - least <= 1 ? least : undefined;
  }

  snapshot(): LatestFailuresSnapshot {
    return { waits: [...this.#waits], inner: [...this.#inner], inFlight: [...this.#inFlight] };
  }

  static restore({ waits, inner, inFlight = [] }: LatestFailuresSnapshot): LatestFailures {
    const restored = new LatestFailures();
    restored.#waits = [...waits];
    restored.#inner = [...inner];
    restored.#inFlight = [...inFlight];
    return restored;
  }

  #cut(): void {
    if (this.#waits.length > KEPT) this.#waits = this.#waits.slice(-KEPT);
    if (this.#inner.length > KEPT) this.#inner = this.#inner.slice(-KEPT);
    if (this.#inFlight.length > KEPT) this.#inFlight = this.#inFlight.slice(-KEPT);
  }
}

/** `inFlight` is absent in snapshots of earlier releases. */
export type LatestFailuresSnapshot = {
  readonly waits: readonly number[];
  readonly inner: readonly number[];
  readonly inFlight?: readonly number[];
};
