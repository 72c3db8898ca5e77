import type { Cursor } from '../contract/journal.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { RebuildProgress } from '../contract/loop-event.js';
import { readBatches, type Span, spanOf } from '../ledger/batch.js';
import type { LedgerStep } from '../ledger/ledger.js';
import type { Components } from './components.js';

/** Maximum number of records replayed before a start completes. The rest is replayed in the background. */
const RECORDS_BEFORE_READY = 10_000;
/** Cost of one entry in addition to its records, expressed in records. */
const ENTRY_COST = 25;
/**
 * Milliseconds between two saved states of a replay. If the process is killed, the next one continues from the last.
 */
const SAVE_EVERY_MS = 10_000;
/** Maximum share of replay time spent on saving. */
const SAVE_SHARE = 0.1;
/**
 * Number of records of small cycles that are read together, because opening files for each would cost more than
 * reading.
 */
const READ_TOGETHER = 10_000;
/** Milliseconds between two reports of progress. */
const REPORT_EVERY_MS = 1_000;

export interface ReplayOptions {
  readonly components: Pick<Components, 'clock' | 'events' | 'report' | 'store'>;
  /** Number of ledger entries already applied to the components. */
  readonly entries: number;
  /** Saves the components' state after this many entries; without a number, after all entries known by then. */
  readonly save: (entries?: number) => Promise<void>;
}

/** Part of a loop that applies the entries of its history. */
export interface EntryTaker {
  /** @throws LoopError if an entry was applied in part. */
  mustBeWhole(): void;
  apply(entry: LedgerEntry, records: readonly JournalRecord[]): Promise<void>;
}

/** Entry that waits to be applied. */
interface Waiting {
  readonly entry: LedgerEntry;
  readonly entries: number;
  readonly records: number;
  /** Records that it applies; absent for a decision. */
  readonly span?: Span;
}

/**
 * Ledger entries of a stored history that wait to be applied. A long history is applied in the background. The result is
 * the same as without a restart.
 */
export class Replay {
  readonly #options: ReplayOptions;
  readonly #applier: EntryTaker;
  #entries: number;
  /** Number of entries seen so far, applied or waiting. */
  #seen: number;
  #isDone = false;
  #isStopped = false;
  #waiting: Waiting[] = [];
  #next = 0;
  readonly #ahead = new Map<Waiting, readonly JournalRecord[]>();
  #records = 0;
  #of = 0;
  /** Time of the next save. */
  #saveMs = 0;
  #reportedMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #saving: Promise<void> | undefined;

  constructor(options: ReplayOptions, applier: EntryTaker) {
    this.#options = options;
    this.#applier = applier;
    this.#entries = options.entries;
    this.#seen = options.entries;
  }

  /** Whether no entry waits, so that new ones are applied immediately. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Progress of a background replay; undefined if there is none. */
  get progress(): RebuildProgress | undefined {
    return this.#isDone || this.#of === 0 ? undefined : { records: this.#records, of: this.#of };
  }

  /** Returns whether the snapshot that the components began with does not contain this entry. */
  isNew({ entries }: LedgerStep): boolean {
    return entries > this.#seen;
  }

  /** Notes that an entry was applied. */
  applied({ entries }: LedgerStep): void {
    this.#entries = this.#seen = entries;
  }

  /** Lets an entry wait. */
  add({ entry, before, entries }: LedgerStep): void {
    this.#seen = entries;
    if (entry.kind === 'fix-moved') this.#waiting.push({ entry, entries, records: 0 });
    if (entry.kind !== 'cycle') return;
    const span = spanOf(entry.read, before);
    const records = countBetween(span.after, span.upTo);
    this.#waiting.push({ entry, entries, records, span });
    this.#of += records;
  }

  /** Applies the waiting entries: as many as a start may wait for, the others in the background. */
  async begin(): Promise<void> {
    for (let cost = 0; this.#next < this.#waiting.length; ) {
      cost += ENTRY_COST + (this.#waiting[this.#next]?.records ?? 0);
      if (cost > RECORDS_BEFORE_READY) {
        void this.finish().catch((error: unknown) => this.#reportFailure(error));
        return;
      }
      await this.#takeNext();
    }
    this.#open();
  }

  /** Resolves when no entry waits, or after `stop`. Rejects if the store cannot be read; the next call continues. */
  finish(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Ends a background replay after the current entry. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves when the save in progress is complete. */
  async saved(): Promise<void> {
    await this.#saving;
  }

  async #run(): Promise<void> {
    if (this.#isDone) return;
    this.#saveMs = this.#options.components.clock.monotonic() + SAVE_EVERY_MS;
    while (!this.#isStopped && this.#next < this.#waiting.length) {
      this.#report();
      await this.#takeNext();
      if (this.#options.components.clock.monotonic() >= this.#saveMs) await this.#save(this.#entries);
    }
    if (this.#isStopped) return;
    this.#open();
    this.#report();
    this.#saving = this.#save();
  }

  async #takeNext(): Promise<void> {
    this.#applier.mustBeWhole();
    const step = this.#waiting[this.#next];
    if (step === undefined) return;
    if (step.span && !this.#ahead.has(step)) await this.#readAhead();
    const records = this.#ahead.get(step) ?? [];
    await this.#applier.apply(step.entry, records);
    this.#ahead.delete(step);
    this.#waiting[this.#next++] = TAKEN;
    this.#entries = step.entries;
    this.#records += step.records;
  }

  /** Reads the records of the next step, and of later ones too if they are few. */
  async #readAhead(): Promise<void> {
    const steps: Waiting[] = [];
    const spans: Span[] = [];
    let records = 0;
    for (let index = this.#next; index < this.#waiting.length; index++) {
      const step = this.#waiting[index];
      if (step?.span === undefined) continue;
      records += step.records;
      if (spans.length > 0 && records > READ_TOGETHER) break;
      steps.push(step);
      spans.push(step.span);
    }
    const batches = await readBatches(this.#options.components.store.journal, spans);
    for (const [index, step] of steps.entries()) this.#ahead.set(step, batches[index] ?? []);
  }

  #open(): void {
    this.#isDone = true;
    this.#entries = this.#seen;
    this.#waiting = [];
  }

  /** Saves the state. Ignores errors: a missing state only slows down the next start. */
  async #save(entries?: number): Promise<void> {
    const { clock } = this.#options.components;
    const begunMs = clock.monotonic();
    await this.#options.save(entries).catch(() => undefined);
    const endedMs = clock.monotonic();
    this.#saveMs = endedMs + Math.max(SAVE_EVERY_MS, (endedMs - begunMs) / SAVE_SHARE);
  }

  #report(): void {
    const { clock, events } = this.#options.components;
    const nowMs = clock.monotonic();
    if (!this.#isDone && nowMs - this.#reportedMs < REPORT_EVERY_MS) return;
    this.#reportedMs = nowMs;
    events.emit({ kind: 'rebuild-progressed', records: this.#records, of: this.#of });
  }

  #reportFailure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#options.components.report({ where: 'store', message: `${message}; the next cycle reads on from there` });
  }
}

/** Placeholder for an applied entry, so that it can be freed. */
const TAKEN: Waiting = { entry: { kind: 'unfrozen', atMs: 0, by: '', reason: '' }, entries: 0, records: 0 };

function countBetween(after: Cursor, upTo: Cursor): number {
  let count = 0;
  for (const [writer, end] of Object.entries(upTo)) count += Math.max(0, end - (after[writer] ?? 0));
  return count;
}
