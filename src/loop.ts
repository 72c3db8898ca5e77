import type { Analyzer } from './analyze/analyzer.js';
import type { Change } from './contract/change.js';
import type { CycleReport } from './contract/cycle-report.js';
import type { EraseFilter, EraseOptions, EraseReceipt } from './contract/erasure.js';
import { LoopError } from './contract/errors.js';
import type { Fix } from './contract/fix.js';
import type { Health } from './contract/health.js';
import type { LoopEvent, RebuildProgress } from './contract/loop-event.js';
import type { Pattern } from './contract/pattern.js';
import type { Policy } from './contract/settings.js';
import type { Store } from './contract/store.js';
import { MemoryStore } from './defaults/memory-store.js';
import type { HostCatalog } from './fix/host-catalog.js';
import type { Explanation } from './judge/explain.js';
import type { Judge } from './judge/judge.js';
import type { LedgerState } from './ledger/reduce.js';
import { readableFields } from './lib/readable.js';
import { messageOf, showValue } from './lib/text.js';
import { withinTime } from './lib/within-time.js';
import { type AdviceFor, readAdvice } from './live/advice.js';
import { answerInTime } from './live/answer-in-time.js';
import { BackgroundCycles } from './live/background-cycles.js';
import { beginOf } from './live/begin-of.js';
import { type Answer, checkAnswer, checkHandler } from './live/check-arguments.js';
import { createFixedComponents } from './live/fixed-components.js';
import { type HistoryItem, historyOf } from './live/history.js';
import { INTERNALS } from './live/internals.js';
import { Live } from './live/live.js';
import { LiveState } from './live/live-state.js';
import type { LoopParts } from './live/loop-parts.js';
import {
  type FixFilter,
  type FixOfKind,
  fixesOf,
  requireFix,
  UNKNOWN_HEALTH,
  unfinishedReport,
} from './live/loop-state.js';
import type { RSILoopOptions } from './live/options.js';
import { scopeOf } from './live/scope-of.js';
import { Sources } from './live/sources.js';
import type { TaskTexts } from './live/task-texts.js';
import type { Observer } from './observe/observer.js';
import type { OutcomeFields } from './observe/outcome-observer.js';
import type { Begin } from './run/begin.js';
import { Executor } from './run/executor.js';
import type { PolicyRow } from './run/policy-table.js';
import { Runner } from './run/runner.js';
import type { Verifier } from './verify/verifier.js';

const IN_MEMORY =
  'the store cannot be read, so records are in memory only: repair it, and the loop writes them within 10 seconds';

/** Maximum time a cycle waits until the store has been read, in milliseconds. */
const READY_LIMIT_MS = 600_000;
const NOT_READ = 'the store has not been read after 10 minutes: it does not answer, or holds very much';

/** Answers of the analyzer and the verifier before `ready()` has resolved. */
const NOTHING_FOUND: RSILoop['analyzer'] = { patterns: () => [], tasks: () => [] };
const NOTHING_TRIED: RSILoop['verifier'] = { figures: () => undefined, course: () => [] };

/** Result of a whole session, recorded as an outcome of the task `session`. */
export type SessionEnd = Partial<Omit<OutcomeFields, 'session' | 'endsSession'>>;

/** Observes outcomes, finds patterns, tries fixes on a random share of the work, and keeps those proven to help. */
export class RSILoop {
  /** Records outcomes. `record` accepts any object; `recordSimple` is typed and fast. */
  readonly observer: Observer;
  /** Registry of fixes. `fixer.register` adds your own. */
  readonly fixer: Pick<HostCatalog, 'register'>;
  /** Sources that feed this loop: `attach` adds one, `names` lists them, and `close` stops them all. */
  readonly sources: Sources<RSILoop>;
  /** Runs a function as a task, under the policy in force. Each task has one outcome. */
  readonly run: Runner['run'];
  /** Returns a function that runs as a task at each call. */
  readonly wrap: Runner['wrap'];
  /** Starts a task and returns its settings; call `end()` when it finishes. `run` and services are built on it. */
  readonly begin: Begin;
  /**
   * @internal For functions that take the loop. The constructor defines it: a computed name here would prevent bundlers
   * from removing the class.
   */
  declare readonly [INTERNALS]: LoopParts;
  readonly #options: RSILoopOptions;
  readonly #live: Live<Judge>;
  readonly #background: BackgroundCycles;
  #closing: Promise<void> | undefined;

  /** @throws LoopError `invalid-policy` for unknown or invalid settings or bounds. */
  constructor(options: RSILoopOptions = {}) {
    this.#options = options;
    const front = createFixedComponents(options);
    const state = new LiveState(front, options);
    const executor = new Executor({
      ...front,
      rules: options.rules,
      mayTry: () => state.mayTry,
      ownPolicy: front.policies.base,
      fixesIn: (policy) => state.tasks.fixesIn(policy),
      onTrip: (fixId, reason) => this.#live.brake(fixId, reason),
      whileWaiting: () => this.#live.followSoon(),
    });
    const live: Live<Judge> = new Live({ state, executor, loadJudge: () => this.#loadJudge() });
    this.#live = live;
    Object.defineProperty(this, INTERNALS, { get: () => live.judge?.components ?? live.components });
    this.observer = state.components.observer;
    this.fixer = front.catalog;
    this.sources = new Sources(this, (source, error) => live.report(source, error));
    this.#background = new BackgroundCycles(front.clock, () => this.#cycle('decide'));
    this.begin = beginOf(state.components, options, live);
    const runner = new Runner(this.begin, executor, front.capture, front.report, () => live.untilDecided());
    this.run = runner.run.bind(runner);
    this.wrap = runner.wrap.bind(runner);
    front.store.onProblem?.(({ message }) => front.report({ where: 'store', message }));
    options.prompts?.open(this);
    live.open();
  }

  /** Loads the part that analyses and decides. Its files are separate, because many processes only record and run. */
  async #loadJudge(): Promise<Judge> {
    const { Judge } = await import('./judge/index.js');
    return new Judge(this.#live, this.#options);
  }

  /** Returns the judge if it knows all decisions. If not, begins to load it, for the next caller. */
  #judgeNow(): Judge | undefined {
    this.#live.wantJudge();
    return this.#live.judge;
  }

  /**
   * Finds patterns in what was observed: `analyzer.patterns(nowMs)`, and the statistics of each task. Both are empty
   * before `ready()` resolves.
   */
  get analyzer(): Pick<Analyzer, 'patterns' | 'tasks'> {
    return this.#judgeNow()?.components.analyzer ?? NOTHING_FOUND;
  }

  /** Tests fixes on trial: `verifier.figures(id)` returns the current figures of one, and `course(id)` earlier ones. */
  get verifier(): Pick<Verifier, 'figures' | 'course'> {
    return this.#judgeNow()?.components.verifier ?? NOTHING_TRIED;
  }

  /** Store in use: the given one, or one in memory if the given one could not be read. */
  get store(): Store {
    return this.#live.components.store;
  }

  /**
   * Place of the records: `store`, the given one, or `memory`, where they are lost when the process ends. A loop whose
   * store cannot be read is in memory until the store can be read again.
   */
  get durability(): 'store' | 'memory' {
    return this.store instanceof MemoryStore ? 'memory' : 'store';
  }

  /** Whether the given store could not be read. Records are then in memory and lost when the process ends. */
  get hasLostStore(): boolean {
    return this.#live.state.isInMemory;
  }

  /**
   * Loads the part that analyses and decides. Resolves when decisions have been read, and records too unless there are
   * too many: see `rebuilding`. Until then, tasks run under your own settings, without arms. Recording and `run` alone do
   * not need it: they follow the decisions of the process that leads.
   */
  async ready(): Promise<void> {
    const judged = this.#live.judged().catch((error) => this.#live.report('judge', error));
    await this.#live.loaded;
    await judged;
  }

  /**
   * Returns the progress of a replay of stored records, if saved state is missing, damaged or of another version; else
   * undefined. During a replay, tasks and recording work. Health is unknown, there are no patterns, and cycles wait.
   */
  rebuilding(): RebuildProgress | undefined {
    return this.#live.judge?.rebuilding();
  }

  /** Resolves when all stored records are known. Rejects if the store cannot be read, or the loop is closed first. */
  async rebuilt(): Promise<void> {
    await (await this.#live.judged()).rebuilt();
  }

  /**
   * Runs one cycle now: reads new records, checks trials, proposes fixes, makes decisions and starts trials. Cycles run
   * one at a time. If a store fails, emits a `problem` and says so in the report. The next cycle catches up.
   */
  async runCycle(): Promise<CycleReport> {
    this.#live.mustBeOpen();
    return this.#cycle('decide');
  }

  /**
   * Reads what other processes that share the store decided and counted. Decides and writes nothing. Returns the same
   * report as a cycle, with no verdicts.
   */
  async refresh(): Promise<CycleReport> {
    this.#live.mustBeOpen();
    return this.#cycle('read');
  }

  /** Time of the last cycle of any process. In memory, none is ever due at the end, as its results would be lost. */
  get #cycledMs(): number {
    if (this.durability === 'memory') return Number.POSITIVE_INFINITY;
    return this.#live.components.ledger.state.cycledMs;
  }

  async #cycle(access: 'decide' | 'read'): Promise<CycleReport> {
    const { clock } = this.#live.components;
    try {
      const judge = await withinTime(clock, this.#live.judged(), READY_LIMIT_MS, () => undefined);
      return judge ? judge.cycle(access) : unfinishedReport(this.#live.components, NOT_READ);
    } catch (error) {
      this.#live.report('judge', error);
      return unfinishedReport(this.#live.components, messageOf(error));
    }
  }

  /** Runs a decision that needs no judge. @throws LoopError `store-failed` if the store does not answer in time. */
  async #decideLive(decide: () => Promise<void>): Promise<void> {
    this.#live.mustBeOpen();
    const decision = this.#live.loaded.then(() => {
      this.#live.mustKeep();
      return decide();
    });
    await answerInTime(this.#live.components.clock, decision, () => this.rebuilding());
  }

  /** Runs a decision of a person. @throws LoopError `store-failed` if the store does not answer in time. */
  async #decide<Result>(decide: (judge: Judge) => Promise<Result>): Promise<Result> {
    this.#live.mustBeOpen();
    const decision = this.#live.judged().then((judge) => {
      this.#live.mustKeep();
      return decide(judge);
    });
    return answerInTime(this.#live.components.clock, decision, () => this.rebuilding());
  }

  /** Runs cycles in the background until `stop`. Reports errors, and does not keep the process alive. */
  start(options: { readonly everyMs?: number } = {}): void {
    this.#live.mustBeOpen();
    this.#background.start(options);
  }

  /** Stops the background cycles. A running cycle completes. */
  stop(): void {
    this.#background.stop();
  }

  /** Returns the health score, 0 (broken) to 1 (healthy), over everything recorded here. 1 before `ready()`. */
  healthScore(): number {
    return this.health().score;
  }

  /**
   * Returns health with its interval, and by task, model and source, and where records are. `known` is false if there is no
   * data yet, and before `ready()`.
   */
  health(): Health & { readonly durability: 'store' | 'memory' } {
    return { ...(this.#judgeNow()?.health() ?? UNKNOWN_HEALTH), durability: this.durability };
  }

  /**
   * Returns hourly health over the last 30 days, with the changes in between: deploys, fixes, models. Oldest first. Before
   * `ready()`, returns only the deploys.
   */
  healthHistory(): readonly HistoryItem[] {
    return this.#judgeNow()?.history() ?? historyOf([], this.#live.components.ledger.state.markers);
  }

  /**
   * Returns the patterns in the window as of the last cycle, those with the most impact first. Empty before `ready()`.
   */
  patterns(): readonly Pattern[] {
    return this.#judgeNow()?.patterns() ?? [];
  }

  /** Returns fixes, newest first. */
  fixes<Kind extends Change['kind']>(filter: FixFilter<Kind> = {}): readonly FixOfKind<Kind>[] {
    // Only fixes of the kind that was asked for are returned.
    return fixesOf(this.#live.components, readableFields(filter)) as readonly FixOfKind<Kind>[];
  }

  /** Returns the settings in force for a task, without any arm. */
  policy(task: string, scope: Omit<AdviceFor, 'task' | 'session'> = {}): Policy {
    const { policies, repeats } = this.#live.components;
    const asked = scopeOf({ ...readableFields(scope), task }, this.#options);
    return policies.lookup(asked, [], [], repeats.ofCall(asked.task, undefined, undefined));
  }

  /**
   * Returns the rules for a task or, without a task, all rules that a session may get, as texts.
   * With `session`, includes rules on trial in it. Has no side effects: a session that reads rules here and never
   * starts a task is in no trial.
   */
  advice(about: string | AdviceFor = {}, scope: Omit<AdviceFor, 'task'> = {}): readonly string[] {
    const asked = typeof about === 'string' ? { ...readableFields(scope), task: about } : about;
    return readAdvice(this.#live.tasks.active, scopeOf(asked, this.#options), this.#live.components.clock.now());
  }

  /**
   * Returns the text in force under this name, for `task`: by default the first task that read it. With `session`,
   * returns the version of that session, also one on trial. To send a text, use `prompts` of a task.
   * @throws LoopError `invalid-input` for an unknown name.
   */
  prompt(name: string, about: AdviceFor = {}): string {
    const texts = this.#texts(name);
    const task = texts.taskOf(name);
    const { session, ...asked } = { ...(task !== undefined && { task }), ...(readableFields(about) as AdviceFor) };
    const reader = { scope: scopeOf(asked, this.#options), session, atMs: this.#live.components.clock.now() };
    return texts.read(name, reader, this.#live.tasks.active);
  }

  /**
   * Proposes your own version of a named text. Once approved, it is compared with the text in force.
   * `task` says whose outcomes decide, if several tasks read the text.
   * @throws LoopError `invalid-input` for an unknown name, an unusable draft, and a version that failed before.
   */
  async tryPrompt(name: string, text: string, answer: Answer & { readonly task?: string }): Promise<Fix> {
    const said = checkAnswer('tryPrompt', answer);
    const texts = this.#texts(name);
    await this.rebuilt();
    return this.#decide(() => texts.propose({ name, text, task: answer.task }, said));
  }

  #texts(name: string): TaskTexts {
    const { texts } = this.#live.components.prompts;
    if (texts) return texts;
    const advice = "give new RSILoop({ prompts: namedTexts({ ... }) }) of 'rsi-loop/prompts' one";
    throw new LoopError('invalid-input', `no prompt is called ${showValue(name)}: ${advice}`);
  }

  /** Ends a session, so that a trial with session units can count it without waiting a day for further tasks. */
  endSession(session: string, end: SessionEnd = {}): void {
    this.observer.recordSimple('session', { success: true, ...readableFields(end), session, endsSession: true });
  }

  /** Returns every setting with its value, the source of the value, and its bounds. */
  policyTable(): readonly PolicyRow[] {
    return this.#live.components.policies.rows(this.#live.tasks.settingsOnTrial());
  }

  /**
   * Returns what a fix would change and why, its history, and the state of its trial.
   * @throws LoopError `unknown-fix`, and `invalid-input` before `ready()` has resolved.
   */
  explain(id: string): Explanation {
    const judge = this.#judgeNow();
    const fix = requireFix(this.#live.components, id);
    if (judge) return judge.explain(fix);
    throw new LoopError('invalid-input', 'the loop is not ready to explain: await loop.ready() first');
  }

  /** Approves a proposed fix for its trial, or keeps one whose trial was inconclusive. */
  async approve(id: string, answer: Answer): Promise<Fix> {
    return this.#decide(({ decisions }) => decisions.decide(id, 'approved', checkAnswer('approve', answer)));
  }

  /**
   * Applies a proposed fix to all tasks immediately, without a trial. A rule is written into its file.
   * The status becomes `applied-unverified`. A later verdict compares the drop in failures with the usual one.
   */
  async apply(id: string, answer: Answer): Promise<Fix> {
    return this.#decide(({ decisions }) => decisions.apply(id, checkAnswer('apply', answer)));
  }

  /** Rejects a proposal until its pattern changes or `reconsider` takes that back. Also rolls back a fix whose trial was inconclusive. */
  async reject(id: string, answer: Answer & { readonly reason: string }): Promise<Fix> {
    return this.#decide(({ decisions }) => decisions.decide(id, 'rejected', checkAnswer('reject', answer)));
  }

  /**
   * Records that tasks of this name may run again after a failure. The ledger stores the answer, and waiting fixes that
   * repeat such tasks can then be tried.
   * @throws LoopError `invalid-input` if the program that runs the task sets `idempotent: false`.
   */
  async allowRepeat(task: string, answer: Answer): Promise<void> {
    await this.#decide(({ decisions }) => decisions.answerRepeat(task, true, checkAnswer('allowRepeat', answer)));
  }

  /**
   * Records that tasks of this name must not run again after a failure. Withdraws waiting fixes that repeat them, and
   * rolls back their running trials.
   */
  async forbidRepeat(task: string, answer: Answer): Promise<void> {
    await this.#decide(({ decisions }) => decisions.answerRepeat(task, false, checkAnswer('forbidRepeat', answer)));
  }

  /** Rolls back a fix that is on trial or in force. The previous settings apply again immediately. */
  async rollback(id: string, answer: Answer = { by: 'host' }): Promise<Fix> {
    return this.#decide(({ decisions }) => decisions.rollback(id, checkAnswer('rollback', answer)));
  }

  /**
   * Takes back a rejection, or a rollback by a person: the fix is proposed again. The ledger keeps both steps.
   * @throws LoopError `illegal-step` if a trial rejected the fix, or it is not finished.
   */
  async reconsider(id: string, answer: Answer): Promise<Fix> {
    return this.#decide(({ decisions }) => decisions.reconsider(id, checkAnswer('reconsider', answer)));
  }

  /**
   * Activates the kill switch: rolls back every running trial and starts none until `unfreeze`. Confirmed fixes stay.
   * If the store cannot save the freeze, it still holds until this process ends, and the store's error is thrown.
   */
  async freeze(answer: Answer = { by: 'host' }): Promise<void> {
    const said = checkAnswer('freeze', answer);
    await this.#live.loaded;
    await this.#live.freeze(said);
    this.#live.mustKeep();
  }

  /** Returns who froze the loop, when and why; undefined while trials may run. */
  frozen(): LedgerState['frozen'] {
    return this.#live.components.ledger.state.frozen;
  }

  /**
   * Pauses trials: none starts, and running trials draw no arms until `resume`. Tasks then run as without the fix and do
   * not count, so the evidence up to now stays valid. Confirmed fixes stay in force.
   */
  async pause(answer: Answer = { by: 'host' }): Promise<void> {
    await this.#decideLive(() => this.#live.note('paused', checkAnswer('pause', answer)));
  }

  /** Returns who paused trials, when and why; undefined while they run. */
  paused(): LedgerState['paused'] {
    return this.#live.components.ledger.state.paused;
  }

  /** Ends a pause: running trials go on with the evidence that they had. */
  async resume(answer: Answer = { by: 'host' }): Promise<void> {
    await this.#decideLive(() => this.#live.note('resumed', checkAnswer('resume', answer)));
  }

  /** Ends a freeze. */
  async unfreeze(answer: Answer = { by: 'host' }): Promise<void> {
    await this.#decideLive(() => this.#live.unfreeze(checkAnswer('unfreeze', answer)));
  }

  /**
   * Erases records permanently: from the journal of every process, saved state and this loop, and their words from
   * decisions. Other running loops forget them with their next cycle. Rules in agent files stay.
   * @throws LoopError `invalid-input` for a filter without a field.
   */
  async erase(filter: EraseFilter, options: EraseOptions = {}): Promise<EraseReceipt> {
    this.#live.mustBeOpen();
    return (await this.#live.judged()).erase(filter, options);
  }

  /** Calls the handler for every event of that kind. Returns an unsubscribe function. */
  on<Kind extends LoopEvent['kind']>(
    kind: Kind,
    handler: (event: Extract<LoopEvent, { kind: Kind }>) => void,
  ): () => void {
    checkHandler(kind, handler);
    return this.#live.components.events.on(kind, handler);
  }

  /**
   * Resolves when everything recorded so far is as durable as the store can make it.
   * @throws LoopError `store-failed` if the given store cannot be read and records are in memory only.
   */
  async flush(): Promise<void> {
    this.#live.state.intake.written.drain();
    const { store } = this;
    await store.journal.flush();
    if (this.hasLostStore) throw new LoopError('store-failed', IN_MEMORY);
  }

  /**
   * Ends background work, flushes and releases everything. If `start` was called and no cycle ran within its interval, in
   * this process or another one, runs it first. Outcomes recorded afterwards are reported as dropped.
   * Resolves after 30 seconds even if the store hangs, and reports that.
   */
  close(): Promise<void> {
    const runDueCycle = this.#background.end();
    this.#closing ??= this.#live.close(this.sources, runDueCycle && (() => runDueCycle(this.#cycledMs)));
    return this.#closing;
  }
}
