import type { OutcomeId } from '../contract/ids.js';
import type { Journal } from '../contract/journal.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { Outcome } from '../contract/outcome.js';
import type { Start } from '../contract/start.js';
import type { Random } from '../lib/random.js';
import { OutcomeWindow } from '../observe/window.js';

export interface WriteBufferOptions {
  /** Returns the current journal, which is replaced if the store cannot be read. */
  readonly journal: () => Pick<Journal, 'append' | 'queued'>;
  readonly random: Random;
  readonly onDropped: (count: number, reason: string) => void;
  readonly report: (error: unknown, advice: string) => void;
}

/** Maximum number of running tasks tracked by id, including those that never end. */
const MAX_STARTED = 100_000;
/** Number of records queued in the store above which it counts as falling behind. */
const HELD_UP = 50_000;

/**
 * Writes records to the store. If the store falls behind, buffers them in a bounded window and samples outcomes.
 * Never drops Starts or the outcomes of tasks with a Start.
 */
export class WriteBuffer {
  readonly #options: WriteBufferOptions;
  readonly #window: OutcomeWindow;
  readonly #started = new Set<OutcomeId>();
  #isHeldUp = false;
  #lost = 0;

  constructor(options: WriteBufferOptions) {
    this.#options = options;
    this.#window = new OutcomeWindow({ random: options.random, onDropped: options.onDropped });
  }

  /** Writes a Start. @throws what the store throws: a task whose Start was not written has no arm. */
  addStart(start: Start): void {
    this.#write({ kind: 'start', start }, true);
    if (this.#started.size < MAX_STARTED) this.#started.add(start.id);
  }

  /** Returns whether the task has a Start whose outcome is awaited. */
  hasStart(id: OutcomeId): boolean {
    return this.#started.size > 0 && this.#started.has(id);
  }

  addOutcome(outcome: Outcome): void {
    try {
      this.#write({ kind: 'outcome', outcome }, this.#started.size > 0 && this.#started.delete(outcome.id));
    } catch (error) {
      // A store promises not to throw here. If it does at every outcome, only the 1st, 10th, 100th ... are reported.
      const count = ++this.#lost;
      if (Number.isInteger(Math.log10(count))) this.#options.report(error, `${count} outcomes were not written so far`);
    }
  }

  /** Writes the buffered records to the store. */
  drain(): void {
    if (!this.#isHeldUp) return;
    this.#isHeldUp = false;
    this.#options.journal().append(this.#window.drain());
  }

  #write(record: JournalRecord, isFirm: boolean): void {
    const journal = this.#options.journal();
    if (!this.#isHeldUp && journal.queued < HELD_UP) {
      journal.append([record]);
      return;
    }
    this.#window.push(record, isFirm);
    this.#isHeldUp = true;
    if (journal.queued < HELD_UP / 2) this.drain();
  }
}
