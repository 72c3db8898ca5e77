import type { OutcomeId } from '../contract/ids.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { Outcome } from '../contract/outcome.js';
import type { Start } from '../contract/start.js';
import type { Store } from '../contract/store.js';
import type { Random } from '../lib/random.js';
import { OutcomeWindow } from '../observe/window.js';

export interface WriteBufferOptions {
  /** The store as it is now: another one takes its place when it cannot be read. */
  readonly store: () => Pick<Store, 'write' | 'queued'>;
  readonly random: Random;
  readonly onDropped: (count: number, reason: string) => void;
  readonly report: (error: unknown, advice: string) => void;
}

/** Tasks on their way that are known one by one; those that never end stay among them. */
const MAX_BEGUN = 100_000;
/** So many records waiting in the store mean that it cannot keep up. */
const HELD_UP = 50_000;

/**
 * The way of records into the store: straight, unless it cannot keep up. Then they wait in a bounded window, where
 * outcomes may be sampled out; Starts and the outcomes of tasks with a Start never are.
 */
export class WriteBuffer {
  readonly #options: WriteBufferOptions;
  readonly #window: OutcomeWindow;
  readonly #begun = new Set<OutcomeId>();
  #isHeldUp = false;
  #lost = 0;

  constructor(options: WriteBufferOptions) {
    this.#options = options;
    this.#window = new OutcomeWindow({ random: options.random, onDropped: options.onDropped });
  }

  /** @throws what the store throws: a task whose Start was not written has no arm. */
  addStart(start: Start): void {
    this.#write({ kind: 'start', start }, true);
    if (this.#begun.size < MAX_BEGUN) this.#begun.add(start.id);
  }

  addOutcome(outcome: Outcome): void {
    try {
      this.#write({ kind: 'outcome', outcome }, this.#begun.size > 0 && this.#begun.delete(outcome.id));
    } catch (error) {
      // A store promises not to throw here; one that does it at every outcome is told of at the 1st, 10th, 100th ...
      const count = ++this.#lost;
      if (Number.isInteger(Math.log10(count))) this.#options.report(error, `${count} outcomes were not written so far`);
    }
  }

  /** Hands over what waited. */
  drain(): void {
    if (!this.#isHeldUp) return;
    this.#isHeldUp = false;
    this.#options.store().write(this.#window.drain());
  }

  #write(record: JournalRecord, isFirm: boolean): void {
    const store = this.#options.store();
    if (!this.#isHeldUp && store.queued < HELD_UP) {
      store.write([record]);
      return;
    }
    this.#window.push(record, isFirm);
    this.#isHeldUp = true;
    if (store.queued < HELD_UP / 2) this.drain();
  }
}
