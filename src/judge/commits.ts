import { LoopError } from '../contract/errors.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import { readBatch, spanOf } from '../ledger/batch.js';
import type { LedgerStep } from '../ledger/ledger.js';
import { isRandomised } from '../live/active-fixes.js';
import { absorb } from './absorb.js';
import type { Components } from './components.js';
import { learn } from './learn.js';
import { Replay, type ReplayOptions } from './replay.js';

const TORN = 'an entry was applied only in part: the next cycle reads the stored records again';

/** Ledger entries on their way into the analysis, one after another. New entries wait while a long history is replayed. */
export class Commits {
  readonly replay: Replay;
  readonly #applier: EntryApplier;
  readonly #components: ReplayOptions['components'];

  constructor(options: ReplayOptions, applier: EntryApplier) {
    this.#components = options.components;
    this.#applier = applier;
    this.replay = new Replay(options, applier);
  }

  /** Whether an entry failed after its first effects. No entry is applied then: the components must be rebuilt. */
  get isTorn(): boolean {
    return this.#applier.isTorn;
  }

  /**
   * Applies an entry to the components: immediately, or after those that wait. All records are read first, so a failing
   * store leaves nothing behind and the entry can be applied again.
   */
  async commit(step: LedgerStep): Promise<void> {
    this.#applier.mustBeWhole();
    const isNew = this.replay.isNew(step);
    if (!this.replay.isDone) {
      this.#applier.learn(step);
      if (isNew) this.replay.add(step);
      return;
    }
    if (isNew) await this.#applier.apply(step.entry, await this.#recordsOf(step));
    this.#applier.learn(step);
    if (isNew) this.replay.applied(step);
  }

  async #recordsOf({ entry, before, batch }: LedgerStep): Promise<readonly JournalRecord[]> {
    if (batch) return batch.records;
    if (entry.kind !== 'cycle') return [];
    const { after, upTo } = spanOf(entry.read, before);
    return (await readBatch(this.#components.store.journal, after, upTo)).records;
  }
}

/** Applies ledger entries to analysis, trials, health, precedents and lessons. */
export class EntryApplier {
  readonly #components: Components;
  #isTorn = false;

  readonly #learn: typeof learn;

  constructor(components: Components, learnFrom = learn) {
    this.#components = components;
    this.#learn = learnFrom;
  }

  /** Whether an entry failed after its first effects. No entry is applied then: the components must be rebuilt. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  /** @throws LoopError `store-failed` if an entry was applied in part. */
  mustBeWhole(): void {
    if (this.#isTorn) throw new LoopError('store-failed', TORN);
  }

  /**
   * Applies the records of a cycle and advances the trials, so that a replay advances them too. Opens and closes trials
   * as decided. If that fails halfway, `isTorn` is set, so that no entry is ever applied twice.
   */
  async apply(entry: LedgerEntry, records: readonly JournalRecord[]): Promise<void> {
    try {
      if (entry.kind === 'cycle') await this.#applyCycle(entry, records);
      if (entry.kind === 'fix-moved') this.#moveTrial(entry);
    } catch (error) {
      this.#isTorn = true;
      throw error;
    }
  }

  /** Records the lesson of an entry, if it has one. */
  learn(step: LedgerStep): void {
    try {
      this.#learn(this.#components, step);
    } catch (error) {
      this.#isTorn = true;
      throw error;
    }
  }

  async #applyCycle(entry: Extract<LedgerEntry, { kind: 'cycle' }>, records: readonly JournalRecord[]): Promise<void> {
    await absorb(this.#components, records, entry.atMs);
    this.#components.verifier.advance(entry.atMs, entry.watermarkMs);
  }

  #moveTrial({ trial, fixId, to }: Extract<LedgerEntry, { kind: 'fix-moved' }>): void {
    const { verifier } = this.#components;
    if (trial) verifier.open(trial);
    if (!isRandomised(to)) verifier.close(fixId);
  }
}
