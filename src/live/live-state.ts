import type { FixId } from '../contract/ids.js';
import type { Journal } from '../contract/journal.js';
import type { Outcome } from '../contract/outcome.js';
import type { Store } from '../contract/store.js';
import type { TrialFigures } from '../contract/verdict.js';
import { MemoryStore } from '../defaults/memory-store.js';
import { Ledger, type LedgerFollower, type LedgerStep } from '../ledger/ledger.js';
import type { DroppedStep } from '../ledger/legal-entries.js';
import { erasedKey } from '../lib/erased-ids.js';
import { RepeatRules } from '../lib/repeat.js';
import { messageOf } from '../lib/text.js';
import { Observer } from '../observe/observer.js';
import type { Executor } from '../run/executor.js';
import { whyNoTrials } from './active-fixes.js';
import { applySettings, emitEvents } from './apply-entry.js';
import { defined, type FixedComponents } from './fixed-components.js';
import { Intake } from './intake.js';
import { frozenFromOutside, kindsInForce, type LiveComponents } from './live-components.js';
import type { RSILoopOptions } from './options.js';
import { TaskView } from './task-view.js';

/** Analysis of the records behind the ledger. The judge has one; processes that only follow have none. */
export interface Analysis {
  /** Rebuilds its components, from a snapshot if there is one, for the ledger and the store in use. */
  restore(): Promise<void>;
  /** Applies an entry, after those before it. */
  commit(step: LedgerStep): Promise<void>;
  /** Applies the entries that wait: as many as a start may wait for, the others in the background. */
  begin(): Promise<void>;
  /** Ends a background replay, and stops asking gates and models. */
  stop(): void;
  /** Counts an outcome of this process before the logs include it. */
  record(outcome: Outcome, nowMs: number): void;
  /** Applies pending records between cycles. */
  absorbPending(): void;
  /** Duration of the slowest run of a task in the window; 0 if unknown. */
  slowestMs(task: string, nowMs: number): number;
  /** Returns the current figures of a trial; undefined without one. */
  figures(fixId: FixId): TrialFigures | undefined;
  /** Whether an entry failed after its first effects, so that the components must be rebuilt. */
  readonly isTorn: boolean;
}

/** Part of a loop that runs tasks. */
type TaskExecutor = Pick<Executor, 'saveState' | 'restoreState' | 'recheck'>;

/** Number of dropped steps whose report is remembered. */
const MAX_DROPPED = 1_000;
/** Name of a process's own experience with its models and tasks, which no log contains. */
export const RUN_NAME = 'run';
const STORE_ADVICE = 'the loop continues in memory, without trials, and tries again every 10 seconds: repair the store';

/**
 * Decisions in force in this process. Reads them from the store, applies each entry once, and reads them again if their
 * content can no longer be trusted.
 */
export class LiveState implements LedgerFollower {
  /** Fixes and trials as starting tasks see them. */
  readonly tasks = new TaskView(
    () => this.#components,
    () => this.#executor?.recheck(),
  );
  #executor: TaskExecutor | undefined;
  readonly intake: Intake;
  readonly #front: FixedComponents;
  readonly #options: RSILoopOptions;
  readonly #observed: Pick<LiveComponents, 'observer' | 'repeats' | 'decisionsRead'>;
  #components: LiveComponents;
  #analysis: Analysis | undefined;
  #isLoaded = false;
  #announceLoaded: () => void = () => undefined;
  #isClosed = false;
  /** Whether records were erased since the components were built. */
  #mustForget = false;
  /** Records of this process since the store could not be read at the start. They are written once it can be. */
  #unsent: Journal | undefined;
  /** Whether the last attempt to rebuild the components failed. */
  #mustRebuild = false;
  /** Messages of dropped steps that were already reported. */
  readonly #dropped = new Set<string>();

  constructor(front: FixedComponents, options: RSILoopOptions) {
    this.#front = front;
    this.#options = options;
    this.intake = new Intake(front, this, options);
    const { clock, newId, report, policies } = front;
    const loaded = new Promise<void>((resolve) => {
      this.#announceLoaded = resolve;
    });
    this.#observed = {
      decisionsRead: () => loaded,
      observer: new Observer({
        ...{ clock, newId, report, into: this.intake, isBegun: (id) => this.intake.written.hasStart(id) },
        ...defined({ source: options.source, deployment: options.deployment, rules: options.rules }),
      }),
      repeats: new RepeatRules({
        idempotent: options.idempotent,
        own: policies.own,
        answers: () => this.#components.ledger.state.repeats,
      }),
    };
    this.#components = this.#create(front.store);
  }

  /** Sets the part that runs tasks. It gets its saved state, and each change of the decisions. */
  serve(executor: TaskExecutor): void {
    this.#executor = executor;
  }

  get components(): LiveComponents {
    return this.#components;
  }

  /** Analysis of the judge; undefined until it is loaded. */
  get analysis(): Analysis | undefined {
    return this.#analysis;
  }

  /** Whether the decisions have been read, so that tasks may draw arms. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Whether records were erased since the components were built, so that they may still contain erased text. */
  get mustForget(): boolean {
    return this.#mustForget;
  }

  /** Whether a saved state of the components would be wrong. */
  get isUnsound(): boolean {
    return this.#mustForget || this.#mustRebuild || this.#analysis?.isTorn === true;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether the store could not be read at the start, so that the loop is in memory until it can be. */
  get isInMemory(): boolean {
    return this.#unsent !== undefined;
  }

  /** Whether the loop may try something on its own: decisions were read, and no person or fault forbids it. */
  get mayTry(): boolean {
    const { ledger, autoFix } = this.#components;
    return autoFix && this.#isLoaded && !ledger.state.frozen && whyNoTrials(this.#components) === undefined;
  }

  /** Returns whether this outcome was recorded before and erased. */
  isErased({ id }: Outcome): boolean {
    const { erased } = this.#components.ledger.state;
    return erased.size > 0 && erased.has(erasedKey(id));
  }

  /** Returns the number of records that are in memory because the store could not be read. */
  async unsentRecords(): Promise<number> {
    let count = 0;
    if (this.#unsent) for await (const _ of this.#unsent.read()) count++;
    return count;
  }

  /** Reads the stored decisions. Never rejects: if that fails, the loop continues in memory. */
  async load(analysis?: Analysis): Promise<void> {
    try {
      if (analysis) await this.#attach(analysis);
      await this.#read();
    } catch (error) {
      await this.#continueInMemory(error);
    }
    this.#isLoaded = true;
    this.#announceLoaded();
  }

  /** Adds the analysis of a judge that was loaded later. Entries wait until it knows those before them. */
  async attach(analysis: Analysis): Promise<void> {
    try {
      await this.#attach(analysis);
      await analysis.begin();
    } catch (error) {
      this.#analysis = analysis;
      await this.#continueInMemory(error);
    }
  }

  async #attach(analysis: Analysis): Promise<void> {
    const { ledger } = this.#components;
    await ledger.settled(async () => {
      await analysis.restore();
      for await (const step of ledger.steps()) await analysis.commit(step);
      this.#analysis = analysis;
    });
  }

  /** Goes on with a store in memory. */
  async #continueInMemory(error: unknown): Promise<void> {
    this.report('store', error, STORE_ADVICE);
    const store = new MemoryStore({ clock: this.#front.clock });
    const ledger = new Ledger(store.ledger, this);
    this.#components = { ...this.#components, store, ledger, noTrials: 'the store cannot be read' };
    this.#unsent = store.journal;
    await this.#analysis?.restore();
    await this.#analysis?.begin();
  }

  /**
   * Reads the store again if the ledger was deleted or replaced, records were erased, or an entry was applied only in
   * part. Returns from memory to a store that can be read again.
   */
  async reload(): Promise<void> {
    const { store, policies } = this.#front;
    const { ledger } = this.#components;
    if (this.isInMemory ? !(await isReadable(store)) : !(this.isUnsound || ledger.isReplaced)) return;
    this.#mustForget = false;
    this.#mustRebuild = true;
    this.#analysis?.stop();
    this.#isLoaded = false;
    this.tasks.clear();
    policies.update({ confirmed: [] });
    this.#components = this.#create(store);
    try {
      await this.#analysis?.restore();
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

  async #read(): Promise<void> {
    const { ledger, store } = this.#components;
    const run = (await store.snapshots.load(RUN_NAME))?.value;
    if (run !== undefined) {
      this.#executor?.restoreState(run);
      this.intake.counted.restoreSlowest((run as { readonly slowest?: unknown } | null)?.slowest);
    }
    await ledger.follow();
    await this.#analysis?.begin();
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

  /** Closes the given store, also while the loop is in memory: records from before that wait in it. */
  async closeStore(): Promise<void> {
    await this.#front.store.close?.();
  }

  /** Stops asking gates and models, and ends a background replay. */
  close(): void {
    this.#isClosed = true;
    this.#analysis?.stop();
  }

  /**
   * Applies one ledger entry in this process, in plain order: to the settings in force, to the analysis, and to what the
   * next task sees. If the analysis cannot read its records, the entry is applied again later.
   */
  async commit(step: LedgerStep): Promise<void> {
    applySettings(this.#components, step);
    await this.#analysis?.commit(step);
    if (step.entry.kind === 'erased' && this.#isLoaded) this.#mustForget = true;
    if (step.entry.kind !== 'cycle') this.tasks.refresh();
    if (this.#isLoaded) emitEvents(this.#components, step);
  }

  /** Reports a step that is no longer legal, each message once. */
  dropped({ why }: DroppedStep): void {
    if (this.#dropped.has(why.message)) return;
    if (this.#dropped.size >= MAX_DROPPED) this.#dropped.clear();
    this.#dropped.add(why.message);
    this.report('ledger', why, 'this step was dropped, the others go on');
  }

  brokenChanged(): void {
    this.tasks.refresh();
  }

  /** Reports an error that the loop recovered from. */
  report(where: string, error: unknown, advice?: string): void {
    const message = messageOf(error);
    this.#front.report({ where, message: advice ? `${message}; ${advice}` : message });
  }

  #create(store: Store): LiveComponents {
    const ledger: Ledger = new Ledger(store.ledger, this);
    const kinds = kindsInForce(this.#front, this.#options);
    return { ...this.#front, ...this.#observed, ledger, kinds, ...frozenFromOutside() };
  }
}

async function isReadable({ ledger }: Pick<Store, 'ledger'>): Promise<boolean> {
  return ledger.head().then(
    () => true,
    () => false,
  );
}
