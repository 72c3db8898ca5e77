import type { CycleReport } from '../contract/cycle-report.js';
import type { EraseFilter, EraseOptions, EraseReceipt } from '../contract/erasure.js';
import { LoopError } from '../contract/errors.js';
import type { Fix } from '../contract/fix.js';
import type { Health } from '../contract/health.js';
import type { RebuildProgress } from '../contract/loop-event.js';
import type { Pattern } from '../contract/pattern.js';
import { readArgument } from '../lib/erase-filter.js';
import { messageOf } from '../lib/text.js';
import { withinTime } from '../lib/within-time.js';
import { type HistoryItem, historyOf } from '../live/history.js';
import type { Live, LoadedJudge } from '../live/live.js';
import { inWords, UNKNOWN_HEALTH, unfinishedReport } from '../live/loop-state.js';
import type { RSILoopOptions } from '../live/options.js';
import { Analysis } from './analysis.js';
import { followClock } from './clock-jumps.js';
import type { Components } from './components.js';
import { runCycle } from './cycle.js';
import { CycleReports } from './cycle-reports.js';
import { Decisions } from './decisions.js';
import { type Explanation, explain } from './explain.js';
import { observe, readWatermark } from './observe.js';
import { settleChanges } from './settle-changes.js';
import { SilentProcesses } from './silent-processes.js';
import { type SavedVersions, saveSnapshot } from './snapshot.js';
import { withCauses } from './suggest-causes.js';

/** A cycle longer than this (plus one model call) counts as stuck; callers get `unfinished`. In milliseconds. */
const CYCLE_LIMIT_MS = 600_000;
/** Reason for ending a cycle that was waiting for a replay. */
const CLOSING = 'the loop was closed while it read stored records again';
const STUCK = 'a cycle has not ended for 10 minutes: the store, the workspace or a model does not answer';

/** Judge of a loop: runs cycles, one at a time, and decides about fixes off the request path. */
export class Judge implements LoadedJudge {
  readonly analysis: Analysis;
  /** Decisions of people and of the host. */
  readonly decisions: Decisions;
  readonly #live: Live;
  readonly reports: CycleReports;
  readonly #versions: SavedVersions = new Map();
  readonly #silent = new SilentProcesses((message) => this.components.report({ where: 'cycle', message }));

  constructor(live: Live, options: RSILoopOptions) {
    this.#live = live;
    this.reports = new CycleReports(live, options.healthThreshold);
    this.analysis = new Analysis({
      ...{ live: live.state, options, reports: this.reports },
      onAnswer: (fix, answer) => this.decisions.receiveAnswer(fix, answer),
      absorbPending: () => this.#absorbPending(),
    });
    this.decisions = new Decisions({
      components: () => this.components,
      isReading: () => this.rebuilding() !== undefined,
      caughtUp: () => this.analysis.caughtUp(),
      syncFile: (fix) => this.#syncFile(fix),
    });
  }

  get components(): Components {
    return this.analysis.components;
  }

  /** Returns the progress of a background replay; undefined when all records are known. */
  rebuilding(): RebuildProgress | undefined {
    return this.analysis.progress;
  }

  /** Resolves when all stored records have been read. Rejects if the loop is closed first. */
  async rebuilt(): Promise<void> {
    await this.analysis.caughtUp();
    const progress = this.rebuilding();
    if (progress) throw new LoopError('closed', `the loop was closed: ${inWords(progress)}`);
  }

  /**
   * Runs one cycle. With `read`, only follows other processes and writes nothing. Cycles run one at a time. If one hangs,
   * callers time out instead of waiting.
   */
  cycle(access: 'decide' | 'read'): Promise<CycleReport> {
    const { clock, modelTimeoutMs } = this.components;
    const work = this.#live.queue(() => this.#runCycle(access));
    return withinTime(clock, work, CYCLE_LIMIT_MS + modelTimeoutMs, () => {
      this.#live.report('cycle', new Error(STUCK), 'nothing is decided before it answers');
      return this.unfinished(STUCK);
    });
  }

  health(): Health {
    if (this.rebuilding()) return UNKNOWN_HEALTH;
    return this.components.health.health(this.components.clock.now());
  }

  patterns(): readonly Pattern[] {
    if (this.rebuilding()) return [];
    const { analyzer, clock, ledger } = this.components;
    return withCauses(analyzer.patterns(clock.now()), ledger.state.causes);
  }

  /** Erases records. This loop forgets them immediately, other loops with their next cycle. */
  async erase(filter: EraseFilter, options: EraseOptions): Promise<EraseReceipt> {
    const { store, ledger } = this.components;
    if (store.erase === undefined) {
      const advice = 'it has no erase(); delete them where they are kept';
      throw new LoopError('store-failed', `this store cannot erase records: ${advice}`);
    }
    const read = readArgument('options', options);
    const receipt = await store.erase(filter, read);
    if (read.dryRun) return receipt;
    await ledger.follow();
    // A cycle that waits for the replay would read what was erased.
    this.analysis.stopReplay();
    await this.#live.reload();
    return receipt;
  }

  /** Returns hourly health over the last 30 days, with the changes in between. */
  history(): readonly HistoryItem[] {
    const { health, ledger, models } = this.components;
    return this.rebuilding() ? [] : historyOf(health.series(), [...ledger.state.markers, ...models.changes]);
  }

  /** Returns what a fix would change and why, its history, and the state of its trial. */
  explain(fix: Fix): Explanation {
    return explain(fix, this.components, this.rebuilding());
  }

  async #runCycle(access: 'decide' | 'read'): Promise<CycleReport> {
    const { state } = this.#live;
    try {
      await state.reload();
      await this.analysis.caughtUp();
      if (this.rebuilding()) return state.mustForget ? this.#runCycle(access) : this.unfinished(CLOSING);
      const leads = access === 'decide' && (await this.#leads());
      if (access === 'decide') await this.#silent.look(this.components);
      const report = await runCycle(this.components, {
        leads,
        approves: access === 'decide',
        asks: !this.#live.isClosing,
        onPatterns: (patterns) => this.reports.patterns(patterns),
      });
      // Another process erased records, and this cycle found out. Its results may contain erased text.
      if (state.mustForget) return this.#runCycle(access);
      this.reports.health(report.health);
      if (leads && state.intake.counted.isSaveDue) await this.save();
      await this.reports.finished(leads);
      return report;
    } catch (error) {
      if (LoopError.is(error) && error.code === 'store-replaced') return this.#runCycle(access);
      await (access === 'read' ? this.#live.report('cycle', error) : this.reports.failed(error));
      return this.unfinished(messageOf(error));
    }
  }

  /** Returns the report of a cycle that did not complete, with the data known so far. */
  unfinished(why: string): CycleReport {
    return unfinishedReport(this.components, why, { patterns: () => this.patterns(), health: () => this.health() });
  }

  async finish(): Promise<void> {
    const { state, leader } = this.#live;
    await this.analysis.savedReplay();
    await state.reload();
    if (this.rebuilding() || !(await leader.holds())) return;
    await observe(this.components, await readWatermark(this.components), { onlyRecords: true });
    await this.save();
  }

  /** Saves a snapshot, unless the components must be rebuilt first. */
  async save(): Promise<void> {
    const { state, executor } = this.#live;
    state.intake.counted.saved();
    if (state.isUnsound) return;
    const { analyzer, clock } = this.components;
    const slowest = analyzer.slowest(clock.now());
    const run = { ...executor.saveState(), ...(Object.keys(slowest).length > 0 && { slowest }) };
    await saveSnapshot(this.components, run, this.#versions);
  }

  /** Applies pending records between cycles. */
  #absorbPending(): void {
    const { state, isLeaving } = this.#live;
    if (!state.isLoaded || isLeaving || this.rebuilding()) return;
    state.intake.counted.applied();
    void this.#live
      .queue(async () => {
        if (!(await this.#leads())) return;
        await followClock(this.components, true);
        await observe(this.components, await readWatermark(this.components));
      })
      .catch((error) => this.#live.report('cycle', error));
  }

  /** Writes or removes a rule immediately if this process leads; otherwise the leader does with its next cycle. */
  async #syncFile({ change }: Fix): Promise<void> {
    const { kinds, clock } = this.components;
    if (kinds.of(change).isWritable?.(change)) {
      await this.#live.queue(async () => {
        if (await this.#leads()) await settleChanges(this.components, clock.now());
      });
    }
  }

  #leads(): Promise<boolean> {
    return this.#live.leader.leads(this.components.store.coordination);
  }
}
