import type { Journal } from '../contract/journal.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { LedgerLog } from '../contract/ledger-log.js';
import type { RebuildProgress } from '../contract/loop-event.js';
import type { Store } from '../contract/store.js';
import type { Batch } from '../ledger/batch.js';
import type { LedgerState } from '../ledger/reduce.js';
import type { Executor } from '../run/executor.js';
import { applyDecision, emitEvents } from './apply-entry.js';
import { type Components, componentOptions, createComponents, type Hooks, withoutStore } from './components.js';
import { CycleReports } from './cycle-reports.js';
import type { FixedComponents } from './fixed-components.js';
import type { RSILoopOptions } from './options.js';
import { Replay } from './replay.js';
import { loadRun, restoreSnapshot, type SavedVersions, saveReplay, saveSnapshot } from './snapshot.js';
import { TaskView } from './task-view.js';

export interface LiveStatePorts {
  readonly front: FixedComponents;
  readonly options: RSILoopOptions;
  readonly executor: Pick<Executor, 'saveState' | 'restoreState'>;
  readonly onAnswer: Hooks['onAnswer'];
}

/**
 * Components that follow the ledger. Builds them from the store, applies each entry once, and rebuilds them if their
 * content can no longer be trusted.
 */
export class LiveState {
  readonly #ports: LiveStatePorts;
  readonly #hooks: Hooks;
  readonly #versions: SavedVersions = new Map();
  #components: Components;
  /** Applies ledger entries to the analysis. Replays a long history in the background. */
  #replay: Replay;
  #isLoaded = false;
  #isClosed = false;
  /** Whether records were erased since the components were built. */
  #mustForget = false;
  /** Records of this process since the store could not be read at the start. They are written once it can be. */
  #unsent: Journal | undefined;
  /** Whether the last attempt to rebuild the components failed. */
  #mustRebuild = false;
  /** Fixes and trials as starting tasks see them. */
  readonly tasks = new TaskView(() => this.#components);
  readonly reports: CycleReports;

  constructor(ports: LiveStatePorts) {
    this.#ports = ports;
    this.reports = new CycleReports(() => this.#components, ports.front.clock, ports.options.healthThreshold);
    this.#hooks = {
      components: () => this.#components,
      onEntry: (entry, before, batch) => this.#apply(entry, before, batch),
      onDropped: (step) => this.reports.dropped(step),
      onBroken: () => this.tasks.refresh(),
      onAnswer: ports.onAnswer,
    };
    this.#components = createComponents(ports.front, ports.options, this.#hooks);
    this.#replay = this.#openReplay(0);
  }

  get components(): Components {
    return this.#components;
  }

  /** Whether the decisions have been read, so that tasks may draw arms. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Progress of a background replay; undefined when all records are known. */
  get progress(): RebuildProgress | undefined {
    return this.#replay.progress;
  }

  /** Whether records were erased since the components were built, so that they may still contain erased text. */
  get mustForget(): boolean {
    return this.#mustForget;
  }

  /** Whether the store could not be read at the start, so that the loop is in memory until it can be. */
  get isInMemory(): boolean {
    return this.#unsent !== undefined;
  }

  /** Reads the stored history. Never rejects: if that fails, the loop continues in memory. */
  async load(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      const advice = 'the loop continues in memory, without trials, and tries again every 10 seconds: repair the store';
      this.reports.report('store', error, advice);
      this.#components = withoutStore(this.#components, this.#hooks);
      this.#unsent = this.#components.store.journal;
      this.#replay = this.#openReplay(0);
      await this.#replay.begin();
    }
    // Replayed trials must not be reported again.
    this.#components.verifier.takeIgnored();
    this.#isLoaded = true;
  }

  /** Resolves when all stored records have been read. */
  caughtUp(): Promise<void> {
    return this.#replay.finish();
  }

  /** Ends a background replay after the current entry. */
  stopReplay(): void {
    this.#replay.stop();
  }

  /** Resolves when the save of a finished replay is complete. */
  savedReplay(): Promise<void> {
    return this.#replay.saved();
  }

  /**
   * Rebuilds the components from the store if the ledger was deleted or replaced, records were erased, or an entry was
   * applied only in part. Returns from memory to a store that can be read again.
   */
  async reload(): Promise<void> {
    const { front, options } = this.#ports;
    const isNeeded = this.#mustRebuild || this.#mustForget || this.#components.ledger.isReplaced || this.#replay.isTorn;
    if (this.isInMemory ? !(await isReadable(front.store)) : !isNeeded) return;
    this.#mustForget = false;
    this.#mustRebuild = true;
    this.#closeQuestions();
    this.#isLoaded = false;
    this.#replay.stop();
    this.reports.forgetPatterns();
    this.tasks.clear();
    front.policies.update({ confirmed: [] });
    const { ledger } = this.#components;
    this.#components = createComponents(front, options, this.#hooks);
    try {
      await this.#read();
    } catch (error) {
      // The folder may still be in the process of deletion. The next cycle tries again.
      this.#components = { ...this.#components, ledger };
      this.tasks.clear();
      throw error;
    }
    this.#mustRebuild = false;
    this.#isLoaded = true;
    await this.#send();
  }

  /** Writes the records that were kept in memory while the store could not be read. */
  async #send(): Promise<void> {
    const unsent = this.#unsent;
    if (unsent === undefined) return;
    this.#unsent = undefined;
    const { store, report } = this.#components;
    let count = 0;
    for await (const { record } of unsent.read()) {
      store.journal.append([record]);
      count++;
    }
    report({
      where: 'store',
      message: `the store can be read again: the ${count} records since the start are written to it`,
    });
  }

  /** Stops all trials of this process while there is a reason. */
  holdTrials(noTrials: string | undefined): void {
    const { noTrials: _, ...components } = this.#components;
    this.#components = noTrials === undefined ? components : { ...components, noTrials };
    this.tasks.refresh();
  }

  /** Saves a snapshot, unless the components must be rebuilt first. */
  async save(): Promise<void> {
    if (this.#mustForget || this.#mustRebuild || this.#replay.isTorn) return;
    await saveSnapshot(this.#components, this.#ports.executor.saveState(), this.#versions);
  }

  /** Stops asking gates and models, and ends a background replay. */
  close(): void {
    this.#isClosed = true;
    this.#replay.stop();
    this.#closeQuestions();
  }

  #closeQuestions(): void {
    const { questions, study, kinds } = this.#components;
    questions.close();
    study?.close();
    for (const kind of kinds.all) kind.close?.();
  }

  async #read(): Promise<void> {
    const { options, executor } = this.#ports;
    const saved = await restoreSnapshot(this.#components, componentOptions(options));
    // A snapshot from before an erasure may still contain erased text.
    const isUsed = saved !== undefined && !(await erasedSince(this.#components.store.ledger, saved.entries));
    if (isUsed) {
      this.#components = { ...this.#components, ...saved.components };
      this.#components.experience.restore(saved.library);
    }
    const run = await loadRun(this.#components);
    if (run !== undefined) executor.restoreState(run);
    this.#replay = this.#openReplay(isUsed ? saved.entries : 0);
    await this.#components.ledger.follow();
    await this.#replay.begin();
  }

  #openReplay(entries: number): Replay {
    const components = this.#components;
    const save = async (upTo?: number) => {
      if (this.#mustForget || this.#isClosed) return;
      if (upTo !== undefined) await saveReplay(components, upTo);
      else await components.ledger.settled(() => saveReplay(components, components.ledger.length));
    };
    return new Replay({ components, entries, save });
  }

  /** Applies one ledger entry, all of it or none: see `Replay.take`. */
  async #apply(entry: LedgerEntry, before: LedgerState, batch?: Batch): Promise<void> {
    await this.#replay.take(entry, before, {
      entries: this.#components.ledger.length,
      decide: () => applyDecision(this.#components, entry, before),
      ...(batch && { batch }),
    });
    if (entry.kind === 'erased' && this.#isLoaded) this.#mustForget = true;
    if (entry.kind !== 'cycle') this.tasks.refresh();
    if (this.#isLoaded) emitEvents(this.#components, entry, before);
  }
}

async function isReadable({ ledger }: Pick<Store, 'ledger'>): Promise<boolean> {
  return ledger.head().then(
    () => true,
    () => false,
  );
}

async function erasedSince(ledger: LedgerLog, entries: number): Promise<boolean> {
  for await (const { entry } of ledger.read(entries)) if (entry.kind === 'erased') return true;
  return false;
}
