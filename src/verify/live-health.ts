import type { Health, HealthScore } from '../contract/health.js';
import type { OutcomeId } from '../contract/ids.js';
import type { Outcome } from '../contract/outcome.js';
import { atOnce, type Steps } from '../lib/yield-to-event-loop.js';
import { HealthMeter, type HealthOptions, type HealthPoint, type HealthSnapshot } from './health.js';

/** Limit on outcomes of this process that the logs do not include yet. The oldest are dropped first. */
const MAX_SINCE = 10_000;
/** Number of settled outcomes that triggers their removal from this process's list. */
const MAX_SETTLED = 5_000;

/**
 * Health in real time: the totals from the logs plus what this process has recorded since. Only the logged part is
 * saved, because only that part is identical in every process.
 */
export class LiveHealth {
  readonly #options: HealthOptions;
  readonly #settled: HealthMeter;
  /**
   * Outcomes recorded here. Recording only appends, because the host waits for it. Those before `#first` are in the
   * logs.
   */
  #since: Recorded[] = [];
  #first = 0;
  /** Ids of outcomes now in the logs that were not first in `#since`. Some may still be further on. */
  readonly #settledIds = new Set<OutcomeId>();
  /**
   * Both parts combined, including `#since` up to `#counted`. Created on demand, and again after each reading of the
   * logs.
   */
  #now: HealthMeter | undefined;
  #counted = 0;

  constructor(options: HealthOptions = {}, snapshot?: HealthSnapshot) {
    this.#options = options;
    this.#settled = new HealthMeter(options, snapshot);
  }

  /** Counts an outcome of this process before the logs include it. */
  record(outcome: Outcome, nowMs: number): void {
    if (this.#since.length - this.#first >= 2 * MAX_SINCE) {
      this.#first = this.#since.length - MAX_SINCE;
      this.#forget();
    }
    this.#since.push({ outcome, nowMs });
  }

  /** Counts outcomes read from the logs. `nowMs`: when they were read, according to the ledger. */
  settle(outcomes: readonly Outcome[], nowMs: number): void {
    for (const outcome of outcomes) {
      this.#settled.add(outcome, nowMs);
      this.#drop(outcome.id);
    }
    this.#forget();
    if (this.#settledIds.size >= MAX_SETTLED) this.#dropSettled();
  }

  /** Returns a meter with the outcomes read from the logs. It changes nothing here. */
  copy(): HealthMeter {
    return new HealthMeter(this.#options, this.#settled.snapshot());
  }

  /** Returns a meter without outcomes and with the same options. */
  empty(): HealthMeter {
    return new HealthMeter(this.#options);
  }

  /** Returns the overall score alone. */
  score(nowMs: number): HealthScore {
    return this.#live().score(nowMs);
  }

  health(nowMs: number): Health {
    return this.#live().health(nowMs);
  }

  /** Returns the history, oldest first. */
  series(): readonly HealthPoint[] {
    return this.#live().series();
  }

  snapshot(): HealthSnapshot {
    return this.#settled.snapshot();
  }

  /** Prepares in steps what `health` and `series` read. */
  *prepare(): Steps<void> {
    if (this.#settledIds.size > 0) this.#dropSettled();
    this.#now ??= new HealthMeter(this.#options, this.#settled.snapshot());
    const now = this.#now;
    // A caller between two steps continues from here. Outcomes recorded meanwhile are included.
    while (this.#now === now && this.#counted < this.#since.length) {
      const recorded = this.#since[this.#counted++];
      if (recorded) now.add(recorded.outcome, recorded.nowMs);
      yield;
    }
  }

  #live(): HealthMeter {
    atOnce(this.prepare());
    return this.#now ?? this.#settled;
  }

  /** Removes an outcome. The logs are nearly always read in the order of recording. */
  #drop(id: OutcomeId): void {
    if (this.#since[this.#first]?.outcome.id !== id) {
      this.#settledIds.add(id);
      return;
    }
    do this.#first++;
    while (this.#settledIds.size > 0 && this.#settledIds.delete(this.#since[this.#first]?.outcome.id ?? NO_ID));
  }

  #dropSettled(): void {
    this.#since = this.#since.slice(this.#first).filter(({ outcome }) => !this.#settledIds.has(outcome.id));
    this.#first = 0;
    this.#settledIds.clear();
    this.#forget();
  }

  #forget(): void {
    if (this.#first >= COMPACT_FROM) {
      this.#since = this.#since.slice(this.#first);
      this.#first = 0;
    }
    this.#now = undefined;
    this.#counted = this.#first;
  }
}

/** Dropped outcomes at the front of the list before compaction pays off. */
const COMPACT_FROM = 1_000;
const NO_ID = '' as OutcomeId; // matches no outcome

interface Recorded {
  readonly outcome: Outcome;
  readonly nowMs: number;
}
