import { LoopError } from '../contract/errors.js';
import type { FixId, OutcomeId } from '../contract/ids.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { ArmAssignment } from '../contract/start.js';
import { MemoryStore } from '../defaults/memory-store.js';
import { withinTime } from '../lib/within-time.js';
import type { Executor } from '../run/executor.js';
import { brakeFix, settleBrakes } from './brake-fix.js';
import type { Answer } from './check-arguments.js';
import { Leader } from './leader.js';
import type { LiveComponents } from './live-components.js';
import type { LiveState } from './live-state.js';
import { prepareNaming } from './prepare-naming.js';
import type { Sources } from './sources.js';
import { NO_ARMS, type TaskView } from './task-view.js';

/** Interval at which a process that runs tasks reads other processes' decisions, in milliseconds. */
const FOLLOW_EVERY_MS = 1_000;
/** Interval at which a loop in memory tries to read its store, in milliseconds. */
const RETURN_EVERY_MS = 10_000;
/** Maximum time that the first tasks of a process wait for the stored decisions, in milliseconds. */
const DECISIONS_LIMIT_MS = 1_000;
/** Maximum time for each step of `close`, in milliseconds. */
const CLOSE_LIMIT_MS = 10_000;
/** Maximum time to wait for the store to write a freeze, in milliseconds. */
const FREEZE_LIMIT_MS = 60_000;

/** Judge of a loop, as the part that runs inside the host's calls sees it. */
export interface LoadedJudge {
  readonly analysis: NonNullable<LiveState['analysis']>;
  /** Applies and saves the remaining records if this process leads, then releases the lead. */
  finish(): Promise<void>;
}

export interface LivePorts<Judge extends LoadedJudge> {
  readonly state: LiveState;
  readonly executor: Pick<Executor, 'saveState' | 'restoreState' | 'recheck'>;
  /** Loads the judge. Called once, or again after a failure. */
  readonly loadJudge: () => Promise<Judge>;
}

/**
 * Part of a loop that runs inside the host's calls: it records, follows decisions, and draws arms. It loads the judge
 * only for calls that need it, and if this process leads.
 */
export class Live<Judge extends LoadedJudge = LoadedJudge> {
  readonly state: LiveState;
  readonly leader = new Leader();
  readonly #ports: LivePorts<Judge>;
  #isClosing = false;
  #isLeaving = false;
  #loaded: Promise<void> = Promise.resolve();
  #judge: Judge | undefined;
  #module: Promise<Judge> | undefined;
  #judging: Promise<Judge> | undefined;
  #isAskingToLead = false;
  /** The wait of the first tasks for the stored decisions, and whether it is over. */
  #waiting: Promise<void> | undefined;
  #hasWaited = false;
  #followedMs = Number.NEGATIVE_INFINITY;
  /** Tail of the queue: cycles run one at a time. */
  #cycles: Promise<unknown> = Promise.resolve();

  constructor(ports: LivePorts<Judge>) {
    this.#ports = ports;
    this.state = ports.state;
    this.state.serve(ports.executor);
    this.state.intake.counted.onMany(() => this.#absorbPending());
  }

  get components(): LiveComponents {
    return this.state.components;
  }

  /** Fixes and trials as starting tasks see them. */
  get tasks(): TaskView {
    return this.state.tasks;
  }

  get executor(): LivePorts<Judge>['executor'] {
    return this.#ports.executor;
  }

  /** Whether the loop is being closed. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Whether the loop is being closed, and its last cycle is over. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Judge of this loop, once it knows all decisions; undefined before. */
  get judge(): Judge | undefined {
    return this.#judge;
  }

  /** Starts to read the stored decisions. `loaded` resolves when that is done. */
  open(): void {
    this.#loaded = this.#load();
    this.components.store.ledger.onAppended?.(() => {
      if (this.state.isLoaded && !this.#isLeaving && !this.state.isInMemory) this.follow();
    });
  }

  /** Resolves when the stored decisions have been read. Never rejects: if that fails, the loop continues in memory. */
  get loaded(): Promise<void> {
    return this.#loaded;
  }

  async #load(): Promise<void> {
    // Lets the caller of the constructor ask for the judge, so that the decisions are read once for both.
    await Promise.resolve();
    const judge = await this.#module?.catch(() => undefined);
    await this.state.load(judge?.analysis);
    this.state.intake.counted.open();
    prepareNaming(this.components.clock, () => this.#cycles);
    this.#returnLater();
  }

  /** Resolves when the judge is loaded and knows all decisions. Rejects if its code cannot be loaded. */
  judged(): Promise<Judge> {
    this.#judging ??= this.#addJudge().catch((error) => {
      this.#judging = undefined;
      throw error;
    });
    return this.#judging;
  }

  /** Starts to load the judge, for a later call. */
  wantJudge(): void {
    if (this.#judging === undefined) void this.judged().catch((error) => this.report('judge', error));
  }

  async #addJudge(): Promise<Judge> {
    this.#module = this.#ports.loadJudge();
    const judge = await this.#module;
    await this.#loaded;
    if (this.state.analysis === undefined) await this.queue(() => this.#attach(judge.analysis));
    this.#judge = judge;
    return judge;
  }

  /** Adds the analysis to a process that has recorded without one. */
  async #attach(analysis: LoadedJudge['analysis']): Promise<void> {
    const { counted } = this.state.intake;
    counted.hold();
    await this.state.attach(analysis);
    const known = await this.#recordUnread(analysis).catch((error) => this.report('store', error));
    counted.open(known ?? new Set());
  }

  /** Counts the outcomes of this process that no cycle has read, and returns their ids. */
  async #recordUnread(analysis: LoadedJudge['analysis']): Promise<ReadonlySet<OutcomeId>> {
    const { clock, ledger, store } = this.components;
    await store.journal.flush();
    const ids = new Set<OutcomeId>();
    for await (const { writer, record } of store.journal.read(ledger.cursor)) {
      if (writer !== store.journal.writer || record.kind !== 'outcome') continue;
      analysis.record(record.outcome, clock.now());
      ids.add(record.outcome.id);
    }
    return ids;
  }

  /** Has pending records applied: by the judge, or by whichever process leads. */
  #absorbPending(): void {
    if (this.state.analysis) this.state.analysis.absorbPending();
    else if (this.state.isLoaded && !this.#isLeaving && !this.#isAskingToLead) {
      this.#isAskingToLead = true;
      const done = this.#leadIfNone().catch((error) => this.report('judge', error));
      void done.then(() => {
        this.#isAskingToLead = false;
      });
    }
  }

  /** Loads the judge if no other process leads. */
  async #leadIfNone(): Promise<void> {
    this.state.intake.counted.applied();
    if (!(await this.leader.leads(this.components.store.coordination))) return;
    const { analysis } = await this.judged();
    analysis.absorbPending();
  }

  /** Tries from time to time to return to a store that could not be read. */
  #returnLater(): void {
    if (!this.state.isInMemory || this.#isLeaving) return;
    const tryAgain = () => {
      if (this.#isLeaving) return;
      const done = this.reload();
      void done.catch((error) => this.report('store', error)).then(() => this.#returnLater());
    };
    this.components.clock.after(RETURN_EVERY_MS, tryAgain, { background: true });
  }

  /** Reads the store again if its content can no longer be trusted, after the running cycle. */
  reload(): Promise<void> {
    return this.queue(() => this.state.reload());
  }

  /**
   * Lets the first tasks of a process wait for the stored decisions, and resolves after `DECISIONS_LIMIT_MS` at the latest. A
   * process that runs one task would otherwise never run it under a setting that was proven to help. Returns `undefined` if
   * there is nothing to wait for.
   */
  untilDecided(): Promise<void> | undefined {
    const { clock, store } = this.components;
    if (this.state.isLoaded || this.#hasWaited || store instanceof MemoryStore) return undefined;
    this.#waiting ??= new Promise<void>((resolve) => {
      const cancel = clock.after(DECISIONS_LIMIT_MS, resolve);
      void this.#loaded.then(() => {
        cancel();
        resolve();
      });
    }).then(() => {
      this.#hasWaited = true;
    });
    return this.#waiting;
  }

  /** Returns the arms of a starting task: none before the decisions were read. */
  assign(start: Parameters<TaskView['assign']>[0], mayRepeat: boolean | undefined): readonly ArmAssignment[] {
    if (!this.state.isLoaded) return NO_ARMS;
    this.#followSometimes(start.atMs);
    const { store, prompts } = this.components;
    // Sessions of other processes keep the text that they began with, and only the judge reads their records.
    if (prompts.texts?.isEmpty === false) this.wantJudge();
    // Others could not see the Start of this task before its work begins.
    if (store.away !== undefined) return NO_ARMS;
    return this.tasks.assign(start, mayRepeat);
  }

  /** Returns the duration of the slowest known run of a task, in milliseconds; 0 if there is none. */
  slowestMs(task: string, atMs: number): number {
    const { analysis, intake } = this.state;
    return analysis?.slowestMs(task, atMs) ?? intake.counted.slowestMs(task);
  }

  /** Rolls back every running trial. Takes effect in this process immediately, even if the store hangs. */
  async freeze({ by, reason = 'frozen by hand' }: Answer): Promise<void> {
    const { clock, ledger, noTrials } = this.components;
    // Once stored, the ledger's entry takes over.
    this.state.holdTrials(`${reason} (${by})`);
    const kept = ledger.append(({ active }) => {
      const move = { kind: 'fix-moved', atMs: clock.now(), by, to: 'rolled-back', reason } as const;
      const onTrial = [...active.values()].filter(({ status }) => status === 'trial');
      return [
        { kind: 'frozen', atMs: move.atMs, by, reason },
        ...onTrial.map(({ id: fixId }): LedgerEntry => {
          const figures = this.state.analysis?.figures(fixId);
          return { ...move, fixId, ...(figures && { figures }) };
        }),
      ];
    });
    await withinTime(clock, kept, FREEZE_LIMIT_MS, () => {
      throw new LoopError('store-failed', `the store did not keep the freeze within ${FREEZE_LIMIT_MS / 1000} s`);
    });
    this.state.holdTrials(noTrials);
  }

  async unfreeze({ by, reason = 'unfrozen by hand' }: Answer): Promise<void> {
    const { clock, ledger } = this.components;
    await ledger.append(() => [{ kind: 'unfrozen', atMs: clock.now(), by, reason }]);
  }

  /** Appends a pause of trials, or its end. */
  async note(kind: 'paused' | 'resumed', { by, reason = `${kind} by hand` }: Answer): Promise<void> {
    const { clock, ledger } = this.components;
    await ledger.append(() => [{ kind, atMs: clock.now(), by, reason }]);
  }

  /** @throws LoopError `closed` once the loop is being closed. */
  mustBeOpen(): void {
    if (this.#isClosing) throw new LoopError('closed', 'the loop is closed: make a new one');
  }

  /** @throws LoopError `store-failed` if the store cannot be read: a decision would end with this process. */
  mustKeep(): void {
    if (!this.state.isInMemory) return;
    const advice = 'repair it, and decide again once loop.hasLostStore is false';
    throw new LoopError('store-failed', `the store cannot be read, and a decision would be lost: ${advice}`);
  }

  /** Reports an error that the loop recovered from. */
  report(where: string, error: unknown, advice?: string): void {
    this.state.report(where, error, advice);
  }

  /** Runs work after what is queued: cycles and reloads. */
  queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#cycles.then(work);
    this.#cycles = result.catch(() => undefined);
    return result;
  }

  /** Reads other processes' decisions (settings, approvals, a freeze) at most once a second. */
  #followSometimes(atMs: number): void {
    if (Math.abs(atMs - this.#followedMs) < FOLLOW_EVERY_MS) return;
    this.#followedMs = atMs;
    this.follow();
  }

  /** Turns a fix off in this process immediately, and rolls it back for all processes. */
  brake(fixId: FixId, reason: string): void {
    const { components } = this;
    if (!brakeFix(components, fixId, reason)) return;
    this.tasks.refresh();
    const settled = settleBrakes(components, (id) => this.state.analysis?.figures(id));
    void settled.catch((error) => this.report('ledger', error, 'the fix stays off here'));
  }

  /** Reads other processes' decisions, so that waiting tasks go on when their fix is taken back. */
  followSoon(): void {
    if (this.state.isLoaded && !this.#isLeaving) this.#followSometimes(this.components.clock.now());
  }

  /** Reads other processes' decisions. */
  follow(): void {
    void this.components.ledger.follow().catch((error) => {
      // A decision of another process that arrives during the shutdown is read by the next start.
      if (this.#isLeaving && LoopError.is(error) && error.code === 'closed') return;
      if (!this.components.ledger.isReplaced) this.report('ledger', error);
      else void this.reload().catch((failure) => this.report('ledger', failure));
    });
  }

  /**
   * Stops the sources, then ends background work and closes the store. Resolves even if a source, the running cycle or
   * the store hangs.
   */
  async close(sources: Pick<Sources<never>, 'names' | 'stop'>, lastCycle?: () => Promise<void>): Promise<void> {
    for (const end of this.components.unended) end();
    this.#isClosing = true;
    if (sources.names.length > 0) {
      await this.#closeInTime(sources.stop(), 'a source', 'what it has not sent is not recorded');
    }
    if (lastCycle) {
      await this.#closeInTime(this.#loaded.then(lastCycle), 'the last cycle', 'the next process runs it');
    }
    this.#isLeaving = true;
    this.state.intake.written.drain();
    this.state.close();
    const left = this.#loaded.then(() => this.#shutdown());
    await this.#closeInTime(left, 'the running cycle', 'the next process reads its records again');
    await this.#closeInTime(this.state.closeStore(), 'the store', 'what it has not written is lost');
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
    const judge = await this.#judging?.catch(() => undefined);
    await this.#cycles;
    await judge?.finish().catch((error) => this.report('store', error));
    await this.leader.release();
    await this.#reportLost();
  }

  /** Reports the records that end with this process, because the store could never be read. */
  async #reportLost(): Promise<void> {
    const count = await this.state.unsentRecords();
    if (count === 0) return;
    const { events, report } = this.components;
    events.emit({ kind: 'outcomes-dropped', count, reason: 'the store could not be read' });
    report({
      where: 'store',
      message: `${count} records were not kept: the store could not be read until the loop closed`,
    });
  }
}
