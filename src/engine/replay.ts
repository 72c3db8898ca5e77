import type { JournalRecord } from '../contract/journal-record.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { RebuildProgress } from '../contract/loop-event.js';
import type { Cursor } from '../contract/store.js';
import { type Batch, readBatch, readBatches, type Span } from '../ledger/batch.js';
import type { LedgerState } from '../ledger/reduce.js';
import { absorb } from './absorb.js';
import { isRandomised } from './active-fixes.js';
import type { Components } from './components.js';

/** Records that a start waits for. More of them are replayed in the background. */
const RECORDS_BEFORE_READY = 10_000;
/** Work that every entry is besides its records, in records. */
const ENTRY_COST = 25;
/** Milliseconds between two saved states of a replay. If its process is killed, the next one continues from the last. */
const SAVE_EVERY_MS = 10_000;
/** Saving may take this share of a replay. */
const SAVE_SHARE = 0.1;
/** Records of small cycles that are read together: to open files for each of them would cost more than to read it. */
const READ_TOGETHER = 10_000;
/** Milliseconds between two reports of progress. */
const REPORT_EVERY_MS = 1_000;

export interface ReplayOptions {
  readonly components: Components;
  /** Entries of the ledger that the components hold already. */
  readonly entries: number;
  /** Saves what the components hold after so many entries; without a number, after all that the ledger has taken in by then. */
  readonly save: (entries?: number) => Promise<void>;
}

/** What one entry of the ledger does to the analysis. */
interface Step {
  readonly entries: number;
  readonly records: number;
  /** Records that it takes in; none for a decision. */
  readonly span?: Span;
  /** `records` of its span, where they were read already. */
  readonly take: (records?: readonly JournalRecord[]) => void | Promise<void>;
}

/**
 * Moves analysis, bets, health and precedents by the entries of the ledger, one after another. While a long past is
 * replayed in the background, entries wait in their order, so that the result is the same as without a restart.
 */
export class Replay {
  readonly #options: ReplayOptions;
  #entries: number;
  /** Entries seen so far, taken in or waiting. */
  #seen: number;
  #isOpen = false;
  #isStopped = false;
  #waiting: Step[] = [];
  #next = 0;
  readonly #ahead = new Map<Step, readonly JournalRecord[]>();
  #records = 0;
  #of = 0;
  /** When state is saved next. */
  #saveMs = 0;
  #reportedMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #saving: Promise<void> | undefined;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#entries = options.entries;
    this.#seen = options.entries;
  }

  /** How far a replay in the background is; undefined while there is none. */
  get progress(): RebuildProgress | undefined {
    return this.#isOpen || this.#of === 0 ? undefined : { records: this.#records, of: this.#of };
  }

  /** Takes in entry number `entries`: immediately, or after those that wait. */
  async take(entry: LedgerEntry, before: LedgerState, entries: number, batch?: Batch): Promise<void> {
    if (entries <= this.#seen) return;
    this.#seen = entries;
    const step = stepOf(this.#options.components, entry, before, entries);
    if (!this.#isOpen) {
      if (step) this.#waiting.push(step);
      this.#of += step?.records ?? 0;
      return;
    }
    try {
      await step?.take(batch?.records);
    } catch (error) {
      this.#seen = this.#entries;
      throw error;
    }
    this.#entries = entries;
  }

  /** Begins with the entries that came so far: takes in as many as a start may wait for, the others in the background. */
  async begin(): Promise<void> {
    for (let cost = 0; this.#next < this.#waiting.length; ) {
      cost += ENTRY_COST + (this.#waiting[this.#next]?.records ?? 0);
      if (cost > RECORDS_BEFORE_READY) {
        void this.finish().catch((error: unknown) => this.#tellFailure(error));
        return;
      }
      await this.#takeNext();
    }
    this.#open();
  }

  /** Resolves when no entry waits any more, or `stop` was called. Rejects if the store cannot be read; the next call goes on. */
  finish(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Ends a replay in the background after the entry that it is at. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves when a state that is being saved is saved. */
  async saved(): Promise<void> {
    await this.#saving;
  }

  async #run(): Promise<void> {
    if (this.#isOpen) return;
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
    const step = this.#waiting[this.#next];
    if (step === undefined) return;
    if (step.span && !this.#ahead.has(step)) await this.#readAhead();
    await step.take(this.#ahead.get(step));
    this.#ahead.delete(step);
    this.#waiting[this.#next++] = TAKEN;
    this.#entries = step.entries;
    this.#records += step.records;
  }

  /** Reads the records of the next step and, where they are few, of those after it. */
  async #readAhead(): Promise<void> {
    const steps: Step[] = [];
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
    const batches = await readBatches(this.#options.components.store, spans);
    for (const [index, step] of steps.entries()) this.#ahead.set(step, batches[index] ?? []);
  }

  #open(): void {
    this.#isOpen = true;
    this.#entries = this.#seen;
    this.#waiting = [];
  }

  /** A state that cannot be saved costs time at the next start, and nothing else. */
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
    if (!this.#isOpen && nowMs - this.#reportedMs < REPORT_EVERY_MS) return;
    this.#reportedMs = nowMs;
    events.emit({ kind: 'rebuild-progressed', records: this.#records, of: this.#of });
  }

  #tellFailure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#options.components.report({ where: 'store', message: `${message}; the next cycle reads on from there` });
  }
}

/** In place of a step that was taken: lets go of its entry. */
const TAKEN: Step = { entries: 0, records: 0, take: () => undefined };

function stepOf(components: Components, entry: LedgerEntry, before: LedgerState, entries: number): Step | undefined {
  switch (entry.kind) {
    case 'cycle': {
      const after = before.read;
      const span = { after, upTo: entry.read };
      const take: Step['take'] = (records) => takeRecords(components, entry, after, records);
      return { entries, records: countBetween(after, entry.read), span, take };
    }
    case 'fix-moved': {
      const { trial, fixId, to } = entry;
      const take = () => {
        if (trial) components.verifier.open(trial);
        if (!isRandomised(to)) components.verifier.close(fixId);
      };
      return { entries, records: 0, take };
    }
    default:
      return undefined;
  }
}

function countBetween(after: Cursor, upTo: Cursor): number {
  let count = 0;
  for (const [writer, end] of Object.entries(upTo)) count += Math.max(0, end - (after[writer] ?? 0));
  return count;
}

/** Takes in the records of a cycle and lets the bets move, so that a replay moves them too. */
async function takeRecords(
  components: Components,
  entry: CycleEntry,
  after: Cursor,
  known?: readonly JournalRecord[],
): Promise<void> {
  const records = known ?? (await readBatch(components.store, after, entry.read)).records;
  await absorb(components, records, entry.atMs);
  components.verifier.advance(entry.atMs, entry.watermarkMs);
}

type CycleEntry = Extract<LedgerEntry, { kind: 'cycle' }>;
