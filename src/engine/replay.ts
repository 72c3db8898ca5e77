import { LoopError } from '../contract/errors.js';
import type { Cursor } from '../contract/journal.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { RebuildProgress } from '../contract/loop-event.js';
import { type Batch, readBatch, readBatches, type Span } from '../ledger/batch.js';
import type { LedgerState } from '../ledger/reduce.js';
import { absorb } from './absorb.js';
import { isRandomised } from './active-fixes.js';
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
  readonly components: Components;
  /** Number of ledger entries already applied to the components. */
  readonly entries: number;
  /** Saves the components' state after this many entries; without a number, after all entries known by then. */
  readonly save: (entries?: number) => Promise<void>;
}

/** Position of an entry, and what else it does. */
export interface EntryContext {
  /** Number of ledger entries up to and including this one. */
  readonly entries: number;
  /** Applies the effects of the entry outside the analysis. */
  readonly decide: () => void;
  /** Records of a `cycle` entry, if this process has just read them. */
  readonly batch?: Batch;
}

const TORN = 'an entry was applied only in part: the next cycle reads the stored records again';

/** Effect of one ledger entry on the analysis. */
interface Step {
  readonly entries: number;
  readonly records: number;
  /** Records that it applies; absent for a decision. */
  readonly span?: Span;
  /** Applies the step. `records` are those of its span. */
  readonly take: (records: readonly JournalRecord[]) => void | Promise<void>;
}

/**
 * Applies ledger entries to analysis, trials, health and precedents, one after another.
 * During a background replay of a long history, new entries wait in order. The result is the same as without a restart.
 */
export class Replay {
  readonly #options: ReplayOptions;
  #entries: number;
  /** Number of entries seen so far, applied or waiting. */
  #seen: number;
  #isOpen = false;
  #isTorn = false;
  #isStopped = false;
  #waiting: Step[] = [];
  #next = 0;
  readonly #ahead = new Map<Step, readonly JournalRecord[]>();
  #records = 0;
  #of = 0;
  /** Time of the next save. */
  #saveMs = 0;
  #reportedMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #saving: Promise<void> | undefined;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#entries = options.entries;
    this.#seen = options.entries;
  }

  /** Progress of a background replay; undefined if there is none. */
  get progress(): RebuildProgress | undefined {
    return this.#isOpen || this.#of === 0 ? undefined : { records: this.#records, of: this.#of };
  }

  /** Whether an entry failed after its first effects. No entry is applied then: the components must be rebuilt. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  /**
   * Applies an entry to the components: immediately, or after those that wait. `decide` applies its other effects. All
   * records are read first, so a failing store leaves nothing behind and the entry can be applied again. If applying
   * itself fails, `isTorn` is set, so that no entry is ever applied twice.
   */
  async take(entry: LedgerEntry, before: LedgerState, { entries, decide, batch }: EntryContext): Promise<void> {
    if (this.#isTorn) throw new LoopError('store-failed', TORN);
    const isNew = entries > this.#seen;
    const step = isNew ? stepOf(this.#options.components, entry, before, entries) : undefined;
    if (!this.#isOpen) {
      await this.#whole(decide);
      if (!isNew) return;
      this.#seen = entries;
      if (step) this.#waiting.push(step);
      this.#of += step?.records ?? 0;
      return;
    }
    const records = batch?.records ?? (await this.#recordsOf(step));
    await this.#whole(async () => {
      await step?.take(records);
      decide();
    });
    if (isNew) this.#entries = this.#seen = entries;
  }

  /** Runs the part of an entry that must not stop halfway. */
  async #whole(work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#isTorn = true;
      throw error;
    }
  }

  async #recordsOf(step: Step | undefined): Promise<readonly JournalRecord[]> {
    if (!step?.span) return [];
    return (await readBatch(this.#options.components.store.journal, step.span.after, step.span.upTo)).records;
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
    if (this.#isTorn) throw new LoopError('store-failed', TORN);
    const step = this.#waiting[this.#next];
    if (step === undefined) return;
    if (step.span && !this.#ahead.has(step)) await this.#readAhead();
    const records = this.#ahead.get(step) ?? [];
    await this.#whole(() => step.take(records));
    this.#ahead.delete(step);
    this.#waiting[this.#next++] = TAKEN;
    this.#entries = step.entries;
    this.#records += step.records;
  }

  /** Reads the records of the next step, and of later ones too if they are few. */
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
    const batches = await readBatches(this.#options.components.store.journal, spans);
    for (const [index, step] of steps.entries()) this.#ahead.set(step, batches[index] ?? []);
  }

  #open(): void {
    this.#isOpen = true;
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
    if (!this.#isOpen && nowMs - this.#reportedMs < REPORT_EVERY_MS) return;
    this.#reportedMs = nowMs;
    events.emit({ kind: 'rebuild-progressed', records: this.#records, of: this.#of });
  }

  #reportFailure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#options.components.report({ where: 'store', message: `${message}; the next cycle reads on from there` });
  }
}

/** Placeholder for an applied step, so that its entry can be freed. */
const TAKEN: Step = { entries: 0, records: 0, take: () => undefined };

function stepOf(components: Components, entry: LedgerEntry, before: LedgerState, entries: number): Step | undefined {
  switch (entry.kind) {
    case 'cycle': {
      const after = before.read;
      const span = { after, upTo: entry.read };
      const take: Step['take'] = (records) => takeRecords(components, entry, records);
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

/** Applies the records of a cycle and advances the trials, so that a replay advances them too. */
async function takeRecords(
  components: Components,
  entry: CycleEntry,
  records: readonly JournalRecord[],
): Promise<void> {
  await absorb(components, records, entry.atMs);
  components.verifier.advance(entry.atMs, entry.watermarkMs);
}

type CycleEntry = Extract<LedgerEntry, { kind: 'cycle' }>;
