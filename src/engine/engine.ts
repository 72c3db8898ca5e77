import { prepareReader } from '../classify/reader.js';
import type { CycleReport } from '../contract/cycle-report.js';
import type { EraseFilter, EraseOptions, EraseReceipt } from '../contract/erasure.js';
import { LoopError } from '../contract/errors.js';
import type { Fix } from '../contract/fix.js';
import type { Health } from '../contract/health.js';
import type { RebuildProgress } from '../contract/loop-event.js';
import type { Outcome } from '../contract/outcome.js';
import type { Pattern } from '../contract/pattern.js';
import type { ArmAssignment } from '../contract/start.js';
import { erasedKey } from '../lib/erased-ids.js';
import { messageOf } from '../lib/text.js';
import { withinTime } from '../lib/within-time.js';
import type { Components } from './components.js';
import { runCycle } from './cycle.js';
import type { CycleReports } from './cycle-reports.js';
import { Decisions } from './decisions.js';
import { Leader } from './leader.js';
import { LiveState, type LiveStatePorts } from './live-state.js';
import { inWords, patternsOf, UNKNOWN_HEALTH, unfinishedReport } from './loop-state.js';
import { observe, readWatermark } from './observe.js';
import { RecordIntake } from './record-intake.js';
import { settleChanges } from './settle-changes.js';
import { SilentProcesses } from './silent-processes.js';
import type { Sources } from './sources.js';
import { NO_ARMS, type TaskView } from './task-view.js';

/** Interval at which a process that runs tasks reads other processes' decisions, in milliseconds. */
const FOLLOW_EVERY_MS = 1_000;

/** Interval at which a loop in memory tries to read its store, in milliseconds. */
const RETURN_EVERY_MS = 10_000;

/** A cycle longer than this (plus one model call) counts as stuck; callers get `unfinished`. In milliseconds. */
const CYCLE_LIMIT_MS = 600_000;
/** Reason for ending a cycle that was waiting for a replay. */
const CLOSING = 'the loop was closed while it read stored records again';
const STUCK = 'a cycle has not ended for 10 minutes: the store, the workspace or a model does not answer';

/** Maximum time a cycle waits until the store has been read, in milliseconds. */
const READY_LIMIT_MS = 600_000;
const NOT_READ = 'the store has not been read after 10 minutes: it does not answer, or holds very much';
/** Maximum time for each step of `close`, in milliseconds. */
const CLOSE_LIMIT_MS = 10_000;
/** Maximum time for the store to save a decision, in milliseconds. */
const ANSWER_LIMIT_MS = 60_000;

/** Decision engine of a loop. Counts records, and runs cycles one at a time. */
export class Engine {
  readonly #state: LiveState;
  readonly #reports: CycleReports;
  readonly #intake = new RecordIntake(
    () => this.components,
    () => this.#absorbPending(),
  );
  readonly #leader = new Leader();
  readonly #silent = new SilentProcesses((message) => this.components.report({ where: 'cycle', message }));
  #isClosing = false;
  #isLeaving = false;
  #ready: Promise<void> = Promise.resolve();
  #followedMs = Number.NEGATIVE_INFINITY;
  /** Tail of the queue: cycles run one at a time. */
  #cycles: Promise<unknown> = Promise.resolve();

  /** Decisions of people and of the host. */
  readonly decisions: Decisions;

  constructor(ports: Omit<LiveStatePorts, 'onAnswer'>) {
    this.#state = new LiveState({ ...ports, onAnswer: (fix, answer) => this.decisions.receiveAnswer(fix, answer) });
    this.#reports = this.#state.reports;
    this.decisions = new Decisions({
      components: () => this.components,
      caughtUp: () => this.#state.caughtUp(),
      syncFile: (fix) => this.#syncFile(fix),
      holdTrials: (reason) => this.#state.holdTrials(reason),
    });
  }

  get components(): Components {
    return this.#state.components;
  }

  /** Fixes and trials as starting tasks see them. */
  get tasks(): TaskView {
    return this.#state.tasks;
  }

  /** Starts to read the stored history. `ready` resolves when that is done. */
  open(): void {
    this.#ready = this.#load();
    this.components.store.ledger.onAppended?.(() => {
      if (this.#state.isLoaded && !this.#isLeaving && !this.#state.isInMemory) this.#follow();
    });
  }

  /** Resolves when the stored decisions have been read. Never rejects: if that fails, the loop continues in memory. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  async #load(): Promise<void> {
    await this.#state.load();
    this.#intake.open();
    prepareReader(this.components.clock);
    this.#returnLater();
  }

  /** Tries from time to time to return to a store that could not be read. */
  #returnLater(): void {
    if (!this.#state.isInMemory || this.#isLeaving) return;
    const tryAgain = () => {
      if (this.#isLeaving) return;
      const done = this.#queue(() => this.#state.reload());
      void done.catch((error) => this.report('store', error)).then(() => this.#returnLater());
    };
    this.components.clock.after(RETURN_EVERY_MS, tryAgain, { background: true });
  }

  /** Returns the progress of a background replay; undefined when all records are known. */
  rebuilding(): RebuildProgress | undefined {
    return this.#state.progress;
  }

  /** Resolves when all stored records have been read. Rejects if the loop is closed first. */
  async rebuilt(): Promise<void> {
    await this.#ready;
    await this.#state.caughtUp();
    const progress = this.rebuilding();
    if (progress) throw new LoopError('closed', `the loop was closed: ${inWords(progress)}`);
  }

  /** Returns whether this outcome was recorded before and erased. */
  isErased({ id }: Outcome): boolean {
    const { erased } = this.components.ledger.state;
    return erased.size > 0 && erased.has(erasedKey(id));
  }

  /** Counts an outcome recorded here. Applies pending records from time to time. */
  take(outcome: Outcome): void {
    this.#intake.take(outcome);
  }

  /** Returns the arms of a starting task: none before the decisions were read. */
  assign(start: Parameters<TaskView['assign']>[0], mayRepeat: boolean | undefined): readonly ArmAssignment[] {
    if (!this.#state.isLoaded) return NO_ARMS;
    this.#followLedger(start.atMs);
    // Others could not see the Start of this task before its work begins.
    if (this.components.store.away !== undefined) return NO_ARMS;
    return this.tasks.assign(start, mayRepeat);
  }

  /** Runs one cycle. With `read`, only follows other processes and writes nothing. Cycles run one at a time. If one hangs, callers time out instead of waiting. */
  async cycle(access: 'decide' | 'read'): Promise<CycleReport> {
    const isReady = this.#ready.then(() => true);
    if (!(await withinTime(this.components.clock, isReady, READY_LIMIT_MS, () => false))) {
      return this.unfinished(NOT_READ);
    }
    return this.#withinLimit(
      this.#queue(() => this.#runCycle(access)),
      () => this.unfinished(STUCK),
    );
  }

  /** Runs a decision. @throws LoopError `store-failed` if the store does not answer in time. */
  async decide<Result>(decide: (decisions: Decisions) => Promise<Result>): Promise<Result> {
    this.mustBeOpen();
    const work = this.#ready.then(() => decide(this.decisions));
    return withinTime(this.components.clock, work, ANSWER_LIMIT_MS, () => {
      const progress = this.rebuilding();
      if (progress) throw new LoopError('store-failed', `${inWords(progress)}: try again when all are read`);
      const advice = 'look whether it was decided with loop.fixes(), and try again';
      throw new LoopError('store-failed', `the store gave no answer within ${ANSWER_LIMIT_MS / 1000} s: ${advice}`);
    });
  }

  health(): Health {
    if (this.rebuilding()) return UNKNOWN_HEALTH;
    return this.components.health.health(this.components.clock.now());
  }

  patterns(): readonly Pattern[] {
    if (this.rebuilding()) return [];
    return patternsOf(this.components);
  }

  /** Erases records. This loop forgets them immediately, other loops with their next cycle. */
  async erase(filter: EraseFilter, options: EraseOptions): Promise<EraseReceipt> {
    const { store, ledger } = this.components;
    if (store.erase === undefined) {
      const advice = 'it has no erase(); delete them where they are kept';
      throw new LoopError('store-failed', `this store cannot erase records: ${advice}`);
    }
    const receipt = await store.erase(filter, options);
    if (options.dryRun) return receipt;
    await ledger.follow();
    // A cycle that waits for the replay would read what was erased.
    this.#state.stopReplay();
    await this.#queue(() => this.#state.reload());
    return receipt;
  }

  /** @throws LoopError `closed` once the loop is being closed. */
  mustBeOpen(): void {
    if (this.#isClosing) throw new LoopError('closed', 'the loop is closed: make a new one');
  }

  /** Reports an error that the loop recovered from. */
  report(where: string, error: unknown, advice?: string): void {
    this.#reports.report(where, error, advice);
  }

  /**
   * Stops the sources, then ends background work and closes the store. `drain` passes the last records to the store.
   * Resolves even if a source, the running cycle or the store hangs.
   */
  async close(sources: Pick<Sources<never>, 'names' | 'stop'>, drain: () => void): Promise<void> {
    this.#isClosing = true;
    if (sources.names.length > 0) {
      await this.#closeInTime(sources.stop(), 'a source', 'what it has not sent is not recorded');
    }
    this.#isLeaving = true;
    drain();
    this.#state.close();
    const left = this.#ready.then(() => this.#shutdown());
    await this.#closeInTime(left, 'the running cycle', 'the next process reads its records again');
    await this.#closeInTime(
      Promise.resolve(this.components.store.close?.()),
      'the store',
      'what it has not written is lost',
    );
  }

  /** Waits for one step of the shutdown, up to a time limit. */
  #closeInTime(work: Promise<void>, part: string, consequence: string): Promise<void> {
    const { clock, report } = this.components;
    return withinTime(clock, work, CLOSE_LIMIT_MS, () => {
      report({ where: 'close', message: `${part} did not end within ${CLOSE_LIMIT_MS / 1000} s: ${consequence}` });
    });
  }

  /** Waits for the running cycle. If this process leads, applies and saves the remaining records for its successor. */
  async #shutdown(): Promise<void> {
    const hasEnded = this.#cycles.then(() => true);
    if (await this.#withinLimit(hasEnded, () => false)) {
      await this.#finish().catch((error) => this.report('store', error));
    }
  }

  async #runCycle(access: 'decide' | 'read'): Promise<CycleReport> {
    try {
      await this.#state.reload();
      await this.#state.caughtUp();
      if (this.rebuilding()) return this.#state.mustForget ? this.#runCycle(access) : this.unfinished(CLOSING);
      const leads = access === 'decide' && (await this.#leads());
      if (access === 'decide') await this.#silent.look(this.components);
      const report = await runCycle(this.components, {
        leads,
        onPatterns: (patterns) => this.#reports.patterns(patterns),
      });
      // Another process erased records, and this cycle found out. Its results may contain erased text.
      if (this.#state.mustForget) return this.#runCycle(access);
      this.#reports.health(report.health);
      if (leads && this.#intake.isSaveDue) await this.#save();
      await this.#reports.finished(leads);
      return report;
    } catch (error) {
      if (LoopError.is(error) && error.code === 'store-replaced') return this.#runCycle(access);
      await (access === 'read' ? this.report('cycle', error) : this.#reports.failed(error));
      return this.unfinished(messageOf(error));
    }
  }

  /** Returns the report of a cycle that did not complete, with the data known so far. */
  unfinished(why: string): CycleReport {
    return unfinishedReport(this.components, why, { patterns: () => this.patterns(), health: () => this.health() });
  }

  /** Resolves with `work`, or with `instead()` after the limit of a cycle, and reports the time-out. */
  #withinLimit<T>(work: Promise<T>, instead: () => T): Promise<T> {
    const { clock, modelTimeoutMs } = this.components;
    return withinTime(clock, work, CYCLE_LIMIT_MS + modelTimeoutMs, () => {
      this.report('cycle', new Error(STUCK), 'nothing is decided before it answers');
      return instead();
    });
  }

  /** Applies and saves the remaining records, then releases the lease. */
  async #finish(): Promise<void> {
    try {
      await this.#state.savedReplay();
      await this.#state.reload();
      if (this.rebuilding() || !(await this.#leader.holds())) return;
      await observe(this.components, await readWatermark(this.components), { onlyRecords: true });
      await this.#save();
    } finally {
      await this.#leader.release();
    }
  }

  async #save(): Promise<void> {
    this.#intake.saved();
    await this.#state.save();
  }

  /** Applies pending records between cycles. */
  #absorbPending(): void {
    if (!this.#state.isLoaded || this.#isLeaving || this.rebuilding()) return;
    this.#intake.applied();
    void this.#queue(async () => {
      if (await this.#leads()) await observe(this.components, await readWatermark(this.components));
    }).catch((error) => this.report('cycle', error));
  }

  /** Reads other processes' decisions (settings, approvals, a freeze) at most once a second. */
  #followLedger(atMs: number): void {
    if (Math.abs(atMs - this.#followedMs) < FOLLOW_EVERY_MS) return;
    this.#followedMs = atMs;
    this.#follow();
  }

  #follow(): void {
    void this.components.ledger.follow().catch((error) => {
      // A decision of another process that arrives during the shutdown is read by the next start.
      if (this.#isLeaving && LoopError.is(error) && error.code === 'closed') return;
      if (!this.components.ledger.isReplaced) this.report('ledger', error);
      else void this.#queue(() => this.#state.reload()).catch((failure) => this.report('ledger', failure));
    });
  }

  /** Writes or removes a rule immediately if this process leads; otherwise the leader does with its next cycle. */
  async #syncFile({ change }: Fix): Promise<void> {
    const { kinds, clock } = this.components;
    if (kinds.of(change).isWritable?.(change)) {
      await this.#queue(async () => {
        if (await this.#leads()) await settleChanges(this.components, clock.now());
      });
    }
  }

  #leads(): Promise<boolean> {
    return this.#leader.leads(this.components.store.coordination);
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#cycles.then(work);
    this.#cycles = result.catch(() => undefined);
    return result;
  }
}
