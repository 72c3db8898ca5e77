import { atOnce, type Steps } from '../lib/breathe.js';
import type { Health, Outcome, OutcomeId } from '../records.js';
import { HealthMeter, type HealthOptions, type HealthPoint, type HealthSnapshot } from './health.js';

/** Outcomes of this process that the logs do not count yet, kept at most; the oldest go first. */
const MAX_SINCE = 10_000;

/**
 * Health as it is known at any moment: what the logs add up to, and on top of that what this process recorded since. Only
 * the first part is saved, because only that is the same in every process.
 */
export class LiveHealth {
  readonly #options: HealthOptions;
  readonly #settled: HealthMeter;
  #since = new Map<OutcomeId, Recorded>();
  /** Both parts together; made when it is asked for, and again after the logs were read. */
  #now: HealthMeter | undefined;
  /** What was recorded since `#now` was asked for last: recording waits for no sums. */
  #newest: Recorded[] = [];
  /** Grows when either part loses something, so that `prepare` knows whether what it made still holds. */
  #changes = 0;

  constructor(options: HealthOptions = {}, snapshot?: HealthSnapshot) {
    this.#options = options;
    this.#settled = new HealthMeter(options, snapshot);
  }

  static restore(snapshot: HealthSnapshot, options: HealthOptions = {}): LiveHealth {
    return new LiveHealth(options, snapshot);
  }

  /** Counts an outcome of this process before the logs do. */
  record(outcome: Outcome, nowMs: number): void {
    if (this.#since.size >= 2 * MAX_SINCE) {
      this.#since = new Map([...this.#since].slice(-MAX_SINCE));
      this.#forget();
    }
    const recorded = { outcome, nowMs };
    this.#since.set(outcome.id, recorded);
    if (this.#now) this.#newest.push(recorded);
  }

  /** Counts outcomes as they are read from the logs. `nowMs`: when they were, as the ledger says. */
  settle(outcomes: readonly Outcome[], nowMs: number): void {
    for (const outcome of outcomes) {
      this.#settled.add(outcome, nowMs);
      this.#since.delete(outcome.id);
    }
    this.#forget();
  }

  health(nowMs: number): Health {
    return this.#live().health(nowMs);
  }

  /** The history, oldest first. */
  series(): readonly HealthPoint[] {
    return this.#live().series();
  }

  snapshot(): HealthSnapshot {
    return this.#settled.snapshot();
  }

  /** Works out in steps what `health` and `series` read. */
  *prepare(): Steps<void> {
    if (this.#now) return;
    const changes = this.#changes;
    const now = HealthMeter.restore(this.#settled.snapshot(), this.#options);
    // What is recorded between two steps comes last in the same map, and is met there.
    for (const { outcome, nowMs } of this.#since.values()) {
      now.add(outcome, nowMs);
      yield;
    }
    if (changes === this.#changes) this.#now = now;
  }

  #live(): HealthMeter {
    atOnce(this.prepare());
    const now = this.#now ?? this.#settled;
    for (const { outcome, nowMs } of this.#newest) now.add(outcome, nowMs);
    this.#newest = [];
    return now;
  }

  #forget(): void {
    this.#changes++;
    this.#now = undefined;
    this.#newest = [];
  }
}

interface Recorded {
  readonly outcome: Outcome;
  readonly nowMs: number;
}
