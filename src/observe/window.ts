import type { JournalRecord } from '../contract/journal-record.js';
import type { Outcome } from '../contract/outcome.js';
import type { Random } from '../lib/random.js';

export interface OutcomeWindowOptions {
  /** Maximum outcomes held until they are drained. Beyond it they are sampled. Default 100,000, at least 16. */
  readonly maxQueued?: number;
  readonly random: Random;
  /** Called with the number of outcomes dropped since the last call, if any. */
  readonly onDropped?: (count: number, reason: string) => void;
}

/** Number of records in the queue, and of outcomes dropped since the window was created. */
export interface WindowCounts {
  readonly queued: number;
  readonly dropped: number;
}

/**
 * Bounded queue between recording and everything that reads outcomes.
 *
 * When it is full, it drops every second success at random. Until the queue is drained, it also drops every second new
 * one. If it fills up again, it drops three of four, and so on. If there are too few successes to free space, it
 * samples failures in the same way. It never drops starts and outcomes of a trial, and does not count them towards the
 * limit.
 * The `weight` of a kept outcome is one over its probability of being kept, so weighted counts and rates are unbiased.
 */
export class OutcomeWindow {
  readonly #maxQueued: number;
  readonly #random: Random;
  readonly #onDropped: (count: number, reason: string) => void;
  #records: JournalRecord[] = [];
  /** For each record, whether it must never be dropped. */
  #firm: boolean[] = [];
  #successes = 0;
  #failures = 0;
  /** Sampling level: one of 2 to this power is kept. */
  #successLevel = 0;
  #failureLevel = 0;
  #dropped = 0;
  #unreported = 0;

  constructor(options: OutcomeWindowOptions) {
    this.#maxQueued = Math.max(SMALLEST, options.maxQueued ?? 100_000);
    this.#random = options.random;
    this.#onDropped = options.onDropped ?? (() => {});
  }

  get counts(): WindowCounts {
    return { queued: this.#records.length, dropped: this.#dropped };
  }

  /** Adds a record. `keep` marks the outcome of a task that has a start: it is never sampled. */
  push(record: JournalRecord, keep: boolean): void {
    if (keep || record.kind === 'start') {
      this.#records.push(record);
      this.#firm.push(true);
      return;
    }
    const { success } = record.outcome;
    const level = success ? this.#successLevel : this.#failureLevel;
    if (level > 0 && this.#random() * 2 ** level >= 1) {
      this.#countDropped(1);
      return;
    }
    if (this.#successes + this.#failures >= this.#maxQueued) {
      this.#thin();
      this.push(record, keep); // at the new level
      return;
    }
    if (success) this.#successes++;
    else this.#failures++;
    this.#records.push(record);
    this.#firm.push(false);
  }

  /** Removes and returns all records, oldest first, with the weights set on the outcomes. Sampling ends. */
  drain(): JournalRecord[] {
    const records = this.#records;
    const firm = this.#firm;
    const successWeight = 2 ** this.#successLevel;
    const failureWeight = 2 ** this.#failureLevel;
    this.#report();
    this.#records = [];
    this.#firm = [];
    this.#successes = this.#failures = this.#successLevel = this.#failureLevel = 0;
    if (successWeight === 1 && failureWeight === 1) return records;
    return records.map((record, index) => {
      if (record.kind === 'start' || firm[index]) return record;
      const weight = record.outcome.success ? successWeight : failureWeight;
      return weight === 1 ? record : { kind: 'outcome', outcome: weigh(record.outcome, weight) };
    });
  }

  #thin(): void {
    const enough = this.#maxQueued * (1 - ROOM);
    do {
      this.#successLevel++;
      this.#halve(true);
    } while (this.#successes + this.#failures > enough && this.#successes > this.#maxQueued * FEWEST_SUCCESSES);
    if (this.#successes + this.#failures > enough) {
      this.#failureLevel++;
      this.#halve(false);
    }
    this.#report();
  }

  /** Drops one of each two neighbours of the kind, at random. Drops a last one without a neighbour half the time. */
  #halve(success: boolean): void {
    let write = 0;
    let kept = 0;
    let seen = 0;
    let first = false;
    for (let read = 0; read < this.#records.length; read++) {
      const record = this.#records[read];
      const firm = this.#firm[read] ?? true;
      if (record === undefined) continue;
      if (!firm && record.kind === 'outcome' && record.outcome.success === success) {
        if (seen++ % 2 === 0) first = this.#random() < 0.5;
        else first = !first;
        if (!first) continue;
        kept++;
      }
      this.#records[write] = record;
      this.#firm[write] = firm;
      write++;
    }
    this.#records.length = write;
    this.#firm.length = write;
    this.#countDropped(seen - kept);
    if (success) this.#successes = kept;
    else this.#failures = kept;
  }

  #countDropped(count: number): void {
    this.#dropped += count;
    this.#unreported += count;
  }

  #report(): void {
    if (this.#unreported === 0) return;
    this.#onDropped(
      this.#unreported,
      `more than ${this.#maxQueued} outcomes were waiting: some were sampled out, the others weigh more`,
    );
    this.#unreported = 0;
  }
}

/** Share of the limit that thinning frees, so that the work per record stays constant. */
const ROOM = 0.25;
/**
 * Minimum successes as a share of the limit. Fewer would say too little about the rate, so failures are sampled as
 * well.
 */
const FEWEST_SUCCESSES = 1 / 16;
const SMALLEST = 16;

function weigh(outcome: Outcome, weight: number): Outcome {
  return { ...outcome, weight: (outcome.weight ?? 1) * weight };
}
