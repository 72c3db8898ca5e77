import type { Health } from '../contract/health.js';
import type { OutcomeId } from '../contract/ids.js';
import type { Outcome } from '../contract/outcome.js';
import { atOnce, type Steps } from '../lib/yield-to-event-loop.js';
import { HealthMeter, type HealthOptions, type HealthPoint, type HealthSnapshot } from './health.js';

/** Outcomes of this process that the logs do not count yet, kept at most; the oldest go first. */
const MAX_SINCE = 10_000;
/** Outcomes that the logs count now are looked for among those of this process when there are so many. */
const MAX_SETTLED = 5_000;

/**
 * Health as it is known at any moment: what the logs add up to, and on top of that what this process recorded since. Only
 * the first part is saved, because only that is the same in every process.
 */
export class LiveHealth {
  readonly #options: HealthOptions;
  readonly #settled: HealthMeter;
  /** Recording only adds here: the host waits for it, and for no sums. Those before `#first` are in the logs. */
  #since: Recorded[] = [];
  #first = 0;
  /** Outcomes that the logs count now, and that did not come first in `#since`; some may be further on. */
  readonly #settledIds = new Set<OutcomeId>();
  /** Both parts together, with what is before `#counted` in `#since`; made when it is asked for, and again after the logs were read. */
  #now: HealthMeter | undefined;
  #counted = 0;

  constructor(options: HealthOptions = {}, snapshot?: HealthSnapshot) {
    this.#options = options;
    this.#settled = new HealthMeter(options, snapshot);
  }

  static restore(snapshot: HealthSnapshot, options: HealthOptions = {}): LiveHealth {
    return new LiveHealth(options, snapshot);
  }

  /** Counts an outcome of this process before the logs do. */
  record(outcome: Outcome, nowMs: number): void {
    if (this.#since.length - this.#first >= 2 * MAX_SINCE) {
      this.#first = this.#since.length - MAX_SINCE;
      this.#forget();
    }
    this.#since.push({ outcome, nowMs });
  }

  /** Counts outcomes as they are read from the logs. `nowMs`: when they were, as the ledger says. */
  settle(outcomes: readonly Outcome[], nowMs: number): void {
    for (const outcome of outcomes) {
      this.#settled.add(outcome, nowMs);
      this.#drop(outcome.id);
    }
    this.#forget();
    if (this.#settledIds.size >= MAX_SETTLED) this.#dropSettled();
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
    if (this.#settledIds.size > 0) this.#dropSettled();
    this.#now ??= HealthMeter.restore(this.#settled.snapshot(), this.#options);
    const now = this.#now;
    // Who asks between two steps goes on from here, and what is recorded there is met here.
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

  /** The logs are nearly always read in the order of recording. */
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

/** Dropped outcomes at the front of the list before it is worth copying the rest. */
const COMPACT_FROM = 1_000;
const NO_ID = '' as OutcomeId; // no outcome has it

interface Recorded {
  readonly outcome: Outcome;
  readonly nowMs: number;
}
