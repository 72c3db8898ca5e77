import type { JournalRecord } from '../contract/journal-record.js';
import type { Outcome } from '../contract/outcome.js';
import type { Random } from '../lib/random.js';

export interface OutcomeWindowOptions {
  /** Outcomes held while nobody takes them; beyond it they are sampled out. Default 100,000, at least 16. */
  readonly maxQueued?: number;
  readonly random: Random;
  /** Hears how many outcomes were let go, each time some were. */
  readonly onDropped?: (count: number, reason: string) => void;
}

/** What the window has seen since it was made. */
export interface WindowCounts {
  readonly queued: number;
  readonly dropped: number;
}

/**
 * The bounded queue between recording and everything that reads outcomes.
 *
 * When it is full, every second success is let go, drawn at random, and from then on until the queue is taken every
 * second one that comes; full again, three of four, and so on. Where successes are too few to make room, failures are
 * sampled in the same way. Starts and the outcomes of a trial are never let go, and do not count against the bound. What
 * stays carries as its `weight` one over the probability it was kept with, so weighted counts and rates are unbiased.
 */
export class OutcomeWindow {
  readonly #maxQueued: number;
  readonly #random: Random;
  readonly #onDropped: (count: number, reason: string) => void;
  #records: JournalRecord[] = [];
  /** Beside each record: whether it is never let go. */
  #firm: boolean[] = [];
  #successes = 0;
  #failures = 0;
  /** One of 2 to this power is kept. */
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

  /** `keep` for the outcome of a task that has a start: it is never sampled out. */
  push(record: JournalRecord, keep: boolean): void {
    if (keep || record.kind === 'start') {
      this.#records.push(record);
      this.#firm.push(true);
      return;
    }
    const { success } = record.outcome;
    const level = success ? this.#successLevel : this.#failureLevel;
    if (level > 0 && this.#random() * 2 ** level >= 1) {
      this.#letGo(1);
      return;
    }
    if (this.#successes + this.#failures >= this.#maxQueued) {
      this.#thin();
      this.push(record, keep); // at the level that holds now
      return;
    }
    if (success) this.#successes++;
    else this.#failures++;
    this.#records.push(record);
    this.#firm.push(false);
  }

  /** Takes everything out, oldest first, with the weights written into the outcomes; sampling ends with it. */
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

  /** Of each two neighbours of the kind one goes, drawn at random; of a last one without a neighbour, half the time. */
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
    this.#letGo(seen - kept);
    if (success) this.#successes = kept;
    else this.#failures = kept;
  }

  #letGo(count: number): void {
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

/** Thinning makes room for this share of the bound, so that the work per record stays constant. */
const ROOM = 0.25;
/** Fewer successes than this share of the bound would say too little of the rate: then failures are sampled as well. */
const FEWEST_SUCCESSES = 1 / 16;
const SMALLEST = 16;

function weigh(outcome: Outcome, weight: number): Outcome {
  return { ...outcome, weight: (outcome.weight ?? 1) * weight };
}
