import { BurstAlarm } from '../analyze/bursts.js';
import type { Lease } from '../contract/coordination.js';
import type { CycleReport } from '../contract/cycle-report.js';
import type { EraseFilter, EraseOptions, EraseReceipt } from '../contract/erasure.js';
import { LoopError } from '../contract/errors.js';
import type { Fix, FixStatus } from '../contract/fix.js';
import type { Health } from '../contract/health.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { LedgerLog } from '../contract/ledger-log.js';
import type { RebuildProgress } from '../contract/loop-event.js';
import type { Outcome } from '../contract/outcome.js';
import type { Pattern } from '../contract/pattern.js';
import type { Scope } from '../contract/scope.js';
import type { ArmAssignment } from '../contract/start.js';
import type { CatalogEntry } from '../fix/candidate.js';
import type { Batch } from '../ledger/batch.js';
import type { DroppedStep } from '../ledger/legal-entries.js';
import type { LedgerState } from '../ledger/reduce.js';
import { erasedKey } from '../lib/erased-ids.js';
import { FailedCyclesNote } from '../lib/failed-cycles.js';
import { messageOf } from '../lib/text.js';
import { withinTime } from '../lib/within-time.js';
import { sanitizeText } from '../observe/sanitize.js';
import type { Executor } from '../run/executor.js';
import { assignArms } from '../verify/assign.js';
import { type ActiveFixes, activeFixes, NO_ACTIVE_FIXES } from './active-fixes.js';
import { type AdviceFor, adviceOf, readAdvice } from './advice.js';
import { applyDecision, changesOf, emitEvents } from './apply-entry.js';
import { type Components, componentOptions, createComponents, type Hooks, withoutStore } from './components.js';
import { runCycle } from './cycle.js';
import { Decisions } from './decisions.js';
import type { FixedComponents } from './fixed-components.js';
import { observe, readWatermark } from './observe.js';
import type { RSILoopOptions } from './options.js';
import { Replay } from './replay.js';
import { SilentProcesses } from './silent-processes.js';
import { loadRun, restoreSnapshot, type SavedVersions, saveReplay, saveSnapshot } from './snapshot.js';
import { withCauses } from './suggest-causes.js';
import { syncRuleFiles } from './sync-rule-files.js';

export interface FixFilter {
  readonly status?: FixStatus;
  readonly task?: string;
}

/** Maximum number of records that wait before they are applied between cycles, which keeps cycles short. */
const RECORDS_PER_ABSORB = 10_000;
/** Records between two snapshots. If this process is killed, its successor re-reads at most these. */
const RECORDS_PER_SAVE = 100_000;
/** Outcomes buffered until the store has been read. */
const MAX_EARLY = 100_000;
/** Interval at which a process that runs tasks reads other processes' decisions, in milliseconds. */
const FOLLOW_EVERY_MS = 1_000;

/** A cycle longer than this (plus one model call) counts as stuck; callers get `unfinished`. In milliseconds. */
const CYCLE_LIMIT_MS = 600_000;
/** Reason for ending a cycle that was waiting for a replay. */
const CLOSING = 'the loop was closed while it read stored records again';
const STUCK = 'a cycle has not ended for 10 minutes: the store, the workspace or a model does not answer';

/**
 * Decision engine of a loop. Counts records, runs cycles one at a time, and holds the components that follow the
 * ledger.
 */
export class Engine {
  readonly #options: RSILoopOptions;
  readonly #executor: Pick<Executor, 'saveState' | 'restoreState'>;
  readonly #front: FixedComponents;
  readonly #bursts = new BurstAlarm();
  readonly #hooks: Hooks;
  /** Messages of dropped steps that were already reported. */
  readonly #dropped = new Set<string>();
  readonly #entries: CatalogEntry[] = [];
  #components: Components;
  /** Applies ledger entries to the analysis. Replays a long history in the background. */
  #replay: Replay;
  /** Outcomes recorded before the store was read, which then contains them; undefined afterwards. */
  #early: Outcome[] | undefined = [];
  /** Rebuilt lazily when a task asks for it, so several decisions in a row cost one rebuild. */
  #activeFixesCache: ActiveFixes | undefined = NO_ACTIVE_FIXES;
  #isLoaded = false;
  #isLeaving = false;
  /** Whether records were erased since the components were built. */
  #mustForget = false;
  readonly #versions: SavedVersions = new Map();
  /** Records since the last batch was applied, and since the last snapshot. */
  #unread = 0;
  #unsaved = 0;
  #followedMs = Number.NEGATIVE_INFINITY;
  #seen: ReadonlySet<string> = new Set();
  #lease: Lease | undefined;
  readonly #silent = new SilentProcesses((message) => this.#components.report({ where: 'cycle', message }));
  readonly #failedCycles: FailedCyclesNote;
  /** Tail of the queue: cycles run one at a time. */
  #cycles: Promise<unknown> = Promise.resolve();

  /** Decisions of people and of the host. */
  readonly decisions: Decisions;

  constructor(front: FixedComponents, options: RSILoopOptions, executor: Pick<Executor, 'saveState' | 'restoreState'>) {
    this.#front = front;
    this.#failedCycles = new FailedCyclesNote(front.clock);
    this.#options = options;
    this.#executor = executor;
    this.#hooks = {
      onEntry: (entry, before, batch) => this.#apply(entry, before, batch),
      onDropped: (step) => this.#reportDropped(step),
      onBroken: () => {
        this.#activeFixesCache = undefined;
      },
      onAnswer: (fix, answer) => this.decisions.receiveAnswer(fix, answer),
    };
    this.#components = this.#open();
    this.#replay = this.#openReplay(0);
    this.decisions = new Decisions({
      components: () => this.#components,
      caughtUp: () => this.#replay.finish(),
      syncFile: (fix) => this.#syncFile(fix),
      holdTrials: (reason) => this.#holdTrials(reason),
    });
  }

  #open(): Components {
    const components = createComponents(this.#front, this.#options, this.#hooks);
    for (const entry of this.#entries) components.fixer.register(entry);
    return components;
  }

  #openReplay(entries: number): Replay {
    const components = this.#components;
    const save = async (upTo?: number) => {
      if (this.#mustForget || this.#isLeaving) return;
      if (upTo !== undefined) await saveReplay(components, upTo);
      else await components.ledger.settled(() => saveReplay(components, components.ledger.length));
    };
    return new Replay({ components, entries, save });
  }

  register(entry: CatalogEntry): void {
    this.#entries.push(entry);
    this.#components.fixer.register(entry);
  }

  get #activeFixes(): ActiveFixes {
    this.#activeFixesCache ??= activeFixes(this.#components);
    return this.#activeFixesCache;
  }

  get components(): Components {
    return this.#components;
  }

  /** Reads the stored history. Never rejects: if that fails, the loop continues in memory. */
  async load(): Promise<void> {
    try {
      await this.#read();
    } catch (error) {
      this.#report('store', error, 'the loop goes on in memory, without trials: mend the store and start again');
      this.#components = withoutStore(this.#components, this.#hooks);
      this.#replay = this.#openReplay(0);
      await this.#replay.begin();
    }
    // Replayed trials must not be reported again.
    this.#components.verifier.takeIgnored();
    this.#isLoaded = true;
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const outcome of early) this.take(outcome);
  }

  async #read(): Promise<void> {
    const saved = await restoreSnapshot(this.#components, componentOptions(this.#options));
    // A snapshot from before an erasure may still contain erased text.
    const isUsed = saved !== undefined && !(await erasedSince(this.#components.store.ledger, saved.entries));
    if (isUsed) {
      this.#components = { ...this.#components, ...saved.components };
      this.#components.experience.restore(saved.library);
    }
    const run = await loadRun(this.#components);
    if (run !== undefined) this.#executor.restoreState(run);
    this.#replay = this.#openReplay(isUsed ? saved.entries : 0);
    await this.#components.ledger.follow();
    await this.#replay.begin();
  }

  /** Returns the progress of a background replay; undefined when all records are known. */
  rebuilding(): RebuildProgress | undefined {
    return this.#replay.progress;
  }

  /** Resolves when all stored records have been read. */
  async rebuilt(): Promise<void> {
    await this.#replay.finish();
  }

  /** Returns whether this outcome was recorded before and erased. */
  isErased({ id }: Outcome): boolean {
    const { erased } = this.#components.ledger.state;
    return erased.size > 0 && erased.has(erasedKey(id));
  }

  /** Counts an outcome recorded here. Applies pending records from time to time. */
  take(outcome: Outcome): void {
    if (this.#early) {
      if (this.#early.length < MAX_EARLY) this.#early.push(outcome);
      return;
    }
    const { clock, health, events } = this.#components;
    health.record(outcome, clock.now());
    this.#unread++;
    this.#unsaved++;
    if (this.#unread >= RECORDS_PER_ABSORB && this.#isLoaded && !this.#isLeaving && !this.rebuilding())
      this.#absorbPending();
    const [issue] = outcome.issues;
    if (outcome.success || issue === undefined || issue === 'cancelled') return;
    const burst = this.#bursts.add({ task: outcome.task, issue, fingerprint: outcome.fingerprint ?? '' }, outcome.atMs);
    if (burst) events.emit(burst);
  }

  /** Returns the arms of a starting task. Fixes that repeat the task get an arm only if the task may be repeated. */
  assign(start: Parameters<typeof assignArms>[1], mayRepeat: boolean | undefined): readonly ArmAssignment[] {
    if (!this.#isLoaded) return NO_ARMS;
    this.#followLedger(start.atMs);
    const { trials, trialsWithoutRepeats } = this.#activeFixes;
    const drawn = mayRepeat === true ? trials : trialsWithoutRepeats[mayRepeat === false ? 'never' : 'unknown'];
    return drawn.length === 0 ? NO_ARMS : assignArms(drawn, start);
  }

  /** Returns the settings that the arms add, and those that they withhold. */
  changes(arms: readonly ArmAssignment[]): ReturnType<typeof changesOf> {
    return changesOf(arms, this.#activeFixes);
  }

  adviceOf(scope: Scope, arms: readonly ArmAssignment[], session: string | undefined): readonly string[] {
    return adviceOf(this.#activeFixes, scope, arms, session);
  }

  readAdvice(about: AdviceFor): readonly string[] {
    return readAdvice(this.#activeFixes, about, this.#components.clock.now());
  }

  /** Runs one cycle. Cycles run one at a time. If one hangs, callers time out instead of waiting. */
  cycle(): Promise<CycleReport> {
    return this.#withinLimit(
      this.#queue(() => this.#runCycle()),
      () => this.unfinished(STUCK),
    );
  }

  health(): Health {
    if (this.rebuilding()) return UNKNOWN_HEALTH;
    return this.#components.health.health(this.#components.clock.now());
  }

  patterns(): readonly Pattern[] {
    if (this.rebuilding()) return [];
    const { analyzer, clock, ledger } = this.#components;
    return withCauses(analyzer.patterns(clock.now()), ledger.state.causes);
  }

  fixes(filter: FixFilter = {}): readonly Fix[] {
    return [...this.#components.ledger.state.fixes.values()]
      .filter(({ status, task }) => status === (filter.status ?? status) && task === (filter.task ?? task))
      .sort((a, b) => b.proposedMs - a.proposedMs || (a.id < b.id ? -1 : 1));
  }

  /** Erases records. This loop forgets them immediately, other loops with their next cycle. */
  async erase(filter: EraseFilter, options: EraseOptions): Promise<EraseReceipt> {
    const { store, ledger } = this.#components;
    if (store.erase === undefined) {
      throw new LoopError(
        'store-failed',
        'this store cannot erase records: it has no erase(); delete them where they are kept',
      );
    }
    const receipt = await store.erase(filter, options);
    if (options.dryRun) return receipt;
    await ledger.follow();
    // A cycle that waits for the replay would read what was erased.
    this.#replay.stop();
    await this.#queue(() => this.#reload());
    return receipt;
  }

  /** Stops all trials of this process while there is a reason. */
  #holdTrials(noTrials: string | undefined): void {
    const { noTrials: _, ...components } = this.#components;
    this.#components = noTrials === undefined ? components : { ...components, noTrials };
    this.#activeFixesCache = undefined;
  }

  /** Stops asking gates and models. */
  stopAsking(): void {
    this.#isLeaving = true;
    this.#replay.stop();
    this.#components.questions.close();
    this.#components.study?.close();
    this.#components.ruleDrafts?.close();
  }

  /** Waits for the running cycle. If this process leads, applies and saves the remaining records for its successor. */
  async shutdown(): Promise<void> {
    if (
      !(await this.#withinLimit(
        this.#cycles.then(() => true),
        () => false,
      ))
    )
      return;
    await this.#finish().catch((error) => this.#report('store', error));
  }

  async #runCycle(): Promise<CycleReport> {
    try {
      await this.#reload();
      await this.#replay.finish();
      if (this.#replay.progress) return this.#mustForget ? this.#runCycle() : this.unfinished(CLOSING);
      const leads = await this.#leads();
      await this.#silent.look(this.#components);
      const report = await runCycle(this.#components, {
        leads,
        onPatterns: (patterns) => this.#emitPatterns(patterns),
      });
      // Another process erased records, and this cycle found out. Its results may contain erased text.
      if (this.#mustForget) return this.#runCycle();
      this.#emitHealth(report.health);
      if (leads && this.#unsaved >= RECORDS_PER_SAVE) await this.#save();
      await this.#saveNote(this.#failedCycles.finished(this.#components.store, leads));
      return report;
    } catch (error) {
      if (LoopError.is(error) && error.code === 'store-replaced') return this.#runCycle();
      this.#report('cycle', error, 'this cycle was cut short, the next one continues from there');
      await this.#saveNote(this.#failedCycles.failed(this.#components.store, sanitizeText(messageOf(error))));
      return this.unfinished(messageOf(error));
    }
  }

  /** Saves a note on failed cycles. A failure to save it does not affect the cycle. */
  async #saveNote(saved: Promise<void>): Promise<void> {
    await saved.catch((error) => this.#report('store', error, 'rsi doctor does not know whether cycles fail'));
  }

  /** Rebuilds the components from the store if the ledger was deleted or replaced, or records were erased. */
  async #reload(): Promise<void> {
    if (!this.#components.ledger.isReplaced && !this.#mustForget) return;
    this.#mustForget = false;
    this.#components.questions.close();
    this.#components.study?.close();
    this.#components.ruleDrafts?.close();
    this.#isLoaded = false;
    this.#replay.stop();
    this.#seen = new Set();
    this.#activeFixesCache = NO_ACTIVE_FIXES;
    this.#front.policies.update({ confirmed: [] });
    const { ledger } = this.#components;
    this.#components = this.#open();
    try {
      await this.#read();
    } catch (error) {
      // The folder may still be in the process of deletion. The next cycle tries again.
      this.#components = { ...this.#components, ledger };
      this.#activeFixesCache = NO_ACTIVE_FIXES;
      throw error;
    }
    this.#isLoaded = true;
  }

  /** Returns the report of a cycle that did not complete, with the data known so far. */
  unfinished(why: string): CycleReport {
    const atMs = this.#components.clock.now();
    // The same error may occur again here.
    const patterns = valueOr(() => this.patterns(), []);
    const health = valueOr(() => this.health(), UNKNOWN_HEALTH);
    return { atMs, patterns, fixes: this.fixes(), verdicts: [], health, unfinished: why };
  }

  /** Resolves with `work`, or with `instead()` after the limit of a cycle, and reports the time-out. */
  #withinLimit<T>(work: Promise<T>, instead: () => T): Promise<T> {
    const { clock, modelTimeoutMs } = this.#components;
    return withinTime(clock, work, CYCLE_LIMIT_MS + modelTimeoutMs, () => {
      this.#report('cycle', new Error(STUCK), 'nothing is decided before it answers');
      return instead();
    });
  }

  /** Applies and saves the remaining records, then releases the lease. */
  async #finish(): Promise<void> {
    try {
      await this.#replay.saved();
      await this.#reload();
      if (this.#replay.progress || !(await this.#lease?.held())) return;
      await observe(this.#components, await readWatermark(this.#components), { onlyRecords: true });
      await this.#save();
    } finally {
      await this.#lease?.release();
    }
  }

  async #save(): Promise<void> {
    this.#unsaved = 0;
    if (this.#mustForget) return;
    await saveSnapshot(this.#components, this.#executor.saveState(), this.#versions);
  }

  /** Applies pending records between cycles. */
  #absorbPending(): void {
    this.#unread = 0;
    void this.#queue(async () => {
      if (await this.#leads()) await observe(this.#components, await readWatermark(this.#components));
    }).catch((error) => this.#report('cycle', error));
  }

  /** Reads other processes' decisions (settings, approvals, a freeze) at most once a second. */
  #followLedger(atMs: number): void {
    if (Math.abs(atMs - this.#followedMs) < FOLLOW_EVERY_MS) return;
    this.#followedMs = atMs;
    void this.#components.ledger.follow().catch((error) => {
      if (!this.#components.ledger.isReplaced) this.#report('ledger', error);
      else void this.#queue(() => this.#reload()).catch((failure) => this.#report('ledger', failure));
    });
  }

  async #apply(entry: LedgerEntry, before: LedgerState, batch?: Batch): Promise<void> {
    applyDecision(this.#components, entry, before);
    await this.#replay.take(entry, before, this.#components.ledger.length, batch);
    if (entry.kind === 'erased' && this.#isLoaded) this.#mustForget = true;
    if (entry.kind !== 'cycle') this.#activeFixesCache = undefined;
    if (this.#isLoaded) emitEvents(this.#components, entry, before);
  }

  /** Writes or removes a rule immediately if this process leads; otherwise the leader does with its next cycle. */
  async #syncFile({ change }: Fix): Promise<void> {
    const { ruleFiles, clock } = this.#components;
    if (change.kind === 'rule' && ruleFiles.isWritable(change.file)) {
      await this.#queue(async () => {
        if (await this.#leads()) await syncRuleFiles(this.#components, clock.now());
      });
    }
  }

  /** Returns whether this process leads. The leader keeps the lease until it closes or loses it. */
  async #leads(): Promise<boolean> {
    if (this.#lease && (await this.#lease.held())) return true;
    this.#lease = await this.#components.store.coordination.lease('cycle');
    return this.#lease !== undefined;
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#cycles.then(work);
    this.#cycles = result.catch(() => undefined);
    return result;
  }

  #emitPatterns(patterns: readonly Pattern[]): void {
    const recurring = patterns.filter((pattern) => pattern.recurring);
    for (const pattern of recurring) {
      if (!this.#seen.has(pattern.id)) this.#components.events.emit({ kind: 'pattern-found', pattern });
    }
    this.#seen = new Set(recurring.map(({ id }) => id));
  }

  #emitHealth(health: Health): void {
    const threshold = this.#options.healthThreshold;
    if (threshold === undefined || !health.known || health.score >= threshold) return;
    this.#components.events.emit({ kind: 'health-below', health, threshold });
  }

  /** Reports a step that is no longer legal, each message once. */
  #reportDropped({ why }: DroppedStep): void {
    if (this.#dropped.has(why.message)) return;
    if (this.#dropped.size >= MAX_DROPPED) this.#dropped.clear();
    this.#dropped.add(why.message);
    this.#report('ledger', why, 'this step was dropped, the others go on');
  }

  #report(where: string, error: unknown, advice?: string): void {
    const message = messageOf(error);
    this.#components.report({ where, message: advice ? `${message}; ${advice}` : message });
  }
}

/** Number of dropped steps whose report is remembered. */
const MAX_DROPPED = 1_000;
async function erasedSince(ledger: LedgerLog, entries: number): Promise<boolean> {
  for await (const { entry } of ledger.read(entries)) if (entry.kind === 'erased') return true;
  return false;
}

const NO_ARMS: readonly ArmAssignment[] = [];

/** Health before the stored records have been read. */
const UNKNOWN_HEALTH: Health = { score: 1, low: 0, high: 1, known: false, byTask: {}, byModel: {}, bySource: {} };

/** Returns the value, or the fallback if reading it throws. */
function valueOr<Value>(read: () => Value, fallback: Value): Value {
  try {
    return read();
  } catch {
    return fallback;
  }
}
