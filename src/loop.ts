import type { Analyzer } from './analyze/analyzer.js';
import type { Change } from './contract/change.js';
import type { CycleReport } from './contract/cycle-report.js';
import type { EraseFilter, EraseOptions, EraseReceipt } from './contract/erasure.js';
import type { Fix } from './contract/fix.js';
import type { Health } from './contract/health.js';
import type { LoopEvent, RebuildProgress } from './contract/loop-event.js';
import type { Pattern } from './contract/pattern.js';
import type { Policy } from './contract/settings.js';
import type { Store } from './contract/store.js';
import { type AdviceFor, readAdvice } from './engine/advice.js';
import { BackgroundCycles } from './engine/background-cycles.js';
import { beginOf } from './engine/begin-of.js';
import { type Answer, checkAnswer, checkHandler } from './engine/check-arguments.js';
import { Engine } from './engine/engine.js';
import { createFixedComponents, type FixedComponents } from './engine/fixed-components.js';
import { INTERNALS, type LoopInternals } from './engine/internals.js';
import { type FixFilter, type FixOfKind, fixesOf } from './engine/loop-state.js';
import type { RSILoopOptions } from './engine/options.js';
import { scopeOf } from './engine/scope-of.js';
import { Sources } from './engine/sources.js';
import { outcomeTaker } from './engine/take-outcome.js';
import { tryPrompt } from './engine/try-prompt.js';
import { WriteBuffer } from './engine/write-buffer.js';
import type { HostCatalog } from './fix/host-catalog.js';
import { type Explanation, explain } from './inspect/explain.js';
import { type HistoryItem, historyOf } from './inspect/history.js';
import type { LedgerState } from './ledger/reduce.js';
import { readableFields } from './lib/readable.js';
import type { Observer } from './observe/observer.js';
import type { OutcomeFields } from './observe/outcome-observer.js';
import type { Begin } from './run/begin.js';
import { Executor } from './run/executor.js';
import type { PolicyRow } from './run/policy-table.js';
import { Runner } from './run/runner.js';
import type { Verifier } from './verify/verifier.js';

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
  declare readonly [INTERNALS]: LoopInternals;
  readonly #options: RSILoopOptions;
  readonly #components: FixedComponents;
  readonly #writeBuffer: WriteBuffer;
  readonly #engine: Engine;
  readonly #background: BackgroundCycles;
  readonly #take: ReturnType<typeof outcomeTaker>;
  #closing: Promise<void> | undefined;

  /** @throws LoopError `invalid-policy` for unknown or invalid settings or bounds. */
  constructor(options: RSILoopOptions = {}) {
    this.#options = options;
    Object.defineProperty(this, INTERNALS, { get: () => this.#engine.components });
    this.#components = createFixedComponents(
      options,
      (outcome) => this.#take(outcome),
      () => this.#engine.components.ledger.state.repeats,
    );
    const { clock, store, observer, events, report, random, capture } = this.#components;
    this.#writeBuffer = new WriteBuffer({
      journal: () => this.store.journal,
      random,
      onDropped: (count, reason) => events.emit({ kind: 'outcomes-dropped', count, reason }),
      report: (error, advice) => this.#engine.report('store', error, advice),
    });
    const executor = new Executor({ ...this.#components, rules: options.rules });
    this.#engine = new Engine({ front: this.#components, options, executor });
    const takers = { components: this.#components, engine: this.#engine, writeBuffer: this.#writeBuffer };
    this.#take = outcomeTaker(takers, options);
    this.observer = observer;
    this.fixer = this.#components.catalog;
    this.sources = new Sources(this, (source, error) => this.#engine.report(source, error));
    this.#background = new BackgroundCycles(clock, () => this.runCycle());
    this.begin = beginOf(this.#components, options, {
      engine: this.#engine,
      writeStart: (start) => this.#writeBuffer.addStart(start),
    });
    const runner = new Runner(this.begin, executor, capture, report);
    this.run = runner.run.bind(runner);
    this.wrap = runner.wrap.bind(runner);
    store.onProblem?.(({ message }) => report({ where: 'store', message }));
    this.#engine.open();
  }

  /** Finds patterns in what was observed: `analyzer.patterns(nowMs)`, and the statistics of each task. */
  get analyzer(): Pick<Analyzer, 'patterns' | 'tasks'> {
    return this.#engine.components.analyzer;
  }

  /** Tests fixes on trial: `verifier.figures(id)` returns the current figures of one, and `course(id)` earlier ones. */
  get verifier(): Pick<Verifier, 'figures' | 'course'> {
    return this.#engine.components.verifier;
  }

  /** Store in use: the given one, or one in memory if the given one could not be read. */
  get store(): Store {
    return this.#engine.components.store;
  }

  /** Whether the given store could not be read. Records are then in memory and lost when the process ends. */
  get hasLostStore(): boolean {
    return this.store !== this.#components.store;
  }

  /**
   * Resolves when decisions have been read, and records too unless there are too many: see `rebuilding`. Until then,
   * tasks run under your own settings, without arms.
   */
  ready(): Promise<void> {
    return this.#engine.ready;
  }

  /**
   * Returns the progress of a replay of stored records, if saved state is missing, damaged or of another version; else
   * undefined. During a replay, tasks and recording work. Health is unknown, there are no patterns, and cycles wait.
   */
  rebuilding(): RebuildProgress | undefined {
    return this.#engine.rebuilding();
  }

  /** Resolves when all stored records are known. Rejects if the store cannot be read, or the loop is closed first. */
  async rebuilt(): Promise<void> {
    await this.#engine.rebuilt();
  }

  /**
   * Runs one cycle now: reads new records, checks trials, proposes fixes, makes decisions and starts trials. Cycles run
   * one at a time. If a store fails, emits a `problem` and says so in the report. The next cycle catches up.
   */
  async runCycle(): Promise<CycleReport> {
    this.#engine.mustBeOpen();
    return this.#engine.cycle('decide');
  }

  /**
   * Reads what other processes that share the store decided and counted. Decides and writes nothing. Returns the same
   * report as a cycle, with no verdicts.
   */
  async refresh(): Promise<CycleReport> {
    this.#engine.mustBeOpen();
    return this.#engine.cycle('read');
  }

  /** Runs cycles in the background until `stop`. Reports errors, and does not keep the process alive. */
  start(options: { readonly everyMs?: number } = {}): void {
    this.#engine.mustBeOpen();
    this.#background.start(options);
  }

  /** Stops the background cycles. A running cycle completes. */
  stop(): void {
    this.#background.stop();
  }

  /** Returns the health score, 0 (broken) to 1 (healthy), over everything recorded here. */
  healthScore(): number {
    return this.health().score;
  }

  /** Returns health with its interval, and by task, model and source. `known` is false if there is no data yet. */
  health(): Health {
    return this.#engine.health();
  }

  /** Returns hourly health over the last 30 days, with the changes in between: deploys, fixes, models. Oldest first. */
  healthHistory(): readonly HistoryItem[] {
    return this.rebuilding() ? [] : historyOf(this.#engine.components);
  }

  /** Returns the patterns in the window as of the last cycle, those with the most impact first. */
  patterns(): readonly Pattern[] {
    return this.#engine.patterns();
  }

  /** Returns fixes, newest first. */
  fixes<Kind extends Change['kind']>(filter: FixFilter<Kind> = {}): readonly FixOfKind<Kind>[] {
    // Only fixes of the kind that was asked for are returned.
    return fixesOf(this.#engine.components, readableFields(filter)) as readonly FixOfKind<Kind>[];
  }

  /** Returns the settings in force for a task, without any arm. */
  policy(task: string, scope: Omit<AdviceFor, 'task' | 'session'> = {}): Policy {
    const { policies, repeats } = this.#components;
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
    return readAdvice(this.#engine.tasks.active, scopeOf(asked, this.#options), this.#components.clock.now());
  }

  /**
   * Returns the text in force under this name, for `task`: by default the first task that read it. With `session`,
   * returns the version of that session, also one on trial. To send a text, use `prompts` of a task.
   * @throws LoopError `invalid-input` for an unknown name.
   */
  prompt(name: string, about: AdviceFor = {}): string {
    const { texts, clock } = this.#components;
    const [task] = texts.tasksOf(name);
    const { session, ...scope } = { ...(task !== undefined && { task }), ...(readableFields(about) as AdviceFor) };
    const asked = scopeOf(scope, this.#options);
    return texts.read(name, this.#engine.tasks.readTexts(asked, session, clock.now()), session).text;
  }

  /**
   * Proposes your own version of a named text. Once approved, it is compared with the text in force.
   * `task` says whose outcomes decide, if several tasks read the text.
   * @throws LoopError `invalid-input` for an unknown name, an unusable draft, and a version that failed before.
   */
  async tryPrompt(name: string, text: string, answer: Answer & { readonly task?: string }): Promise<Fix> {
    const said = checkAnswer('tryPrompt', answer);
    await this.#engine.rebuilt();
    return this.#engine.decide(() => tryPrompt(this.#engine.components, { name, text, task: answer.task }, said));
  }

  /** Ends a session, so that a trial with session units can count it without waiting a day for further tasks. */
  endSession(session: string, end: SessionEnd = {}): void {
    this.observer.recordSimple('session', { success: true, ...readableFields(end), session, endsSession: true });
  }

  /** Returns every setting with its value, the source of the value, and its bounds. */
  policyTable(): readonly PolicyRow[] {
    return this.#components.policies.rows(this.#engine.tasks.settingsOnTrial());
  }

  /** Returns what a fix would change and why, its history, and the state of its trial. */
  explain(id: string): Explanation {
    return explain(this.#engine.decisions.requireFix(id), this.#engine.components, this.rebuilding());
  }

  /** Approves a proposed fix for its trial, or keeps one whose trial was inconclusive. */
  async approve(id: string, answer: Answer): Promise<Fix> {
    return this.#engine.decide((decisions) => decisions.decide(id, 'approved', checkAnswer('approve', answer)));
  }

  /**
   * Applies a proposed fix to all tasks immediately, without a trial. A rule is written into its file.
   * The status becomes `applied-unverified`. A later verdict compares the drop in failures with the usual one.
   */
  async apply(id: string, answer: Answer): Promise<Fix> {
    return this.#engine.decide((decisions) => decisions.apply(id, checkAnswer('apply', answer)));
  }

  /** Rejects a proposal permanently, unless its pattern changes. Also rolls back a fix whose trial was inconclusive. */
  async reject(id: string, answer: Answer & { readonly reason: string }): Promise<Fix> {
    return this.#engine.decide((decisions) => decisions.decide(id, 'rejected', checkAnswer('reject', answer)));
  }

  /**
   * Records that tasks of this name may run again after a failure. The ledger stores the answer, and waiting fixes that
   * repeat such tasks can then be tried.
   * @throws LoopError `invalid-input` if the program that runs the task sets `idempotent: false`.
   */
  async allowRepeat(task: string, answer: Answer): Promise<void> {
    await this.#engine.decide((decisions) => decisions.answerRepeat(task, true, checkAnswer('allowRepeat', answer)));
  }

  /**
   * Records that tasks of this name must not run again after a failure. Withdraws waiting fixes that repeat them, and
   * rolls back their running trials.
   */
  async forbidRepeat(task: string, answer: Answer): Promise<void> {
    await this.#engine.decide((decisions) => decisions.answerRepeat(task, false, checkAnswer('forbidRepeat', answer)));
  }

  /** Rolls back a fix that is on trial or in force. The previous settings apply again immediately. */
  async rollback(id: string, answer: Answer = { by: 'host' }): Promise<Fix> {
    return this.#engine.decide((decisions) => decisions.rollback(id, checkAnswer('rollback', answer)));
  }

  /**
   * Activates the kill switch: rolls back every running trial and starts none until `unfreeze`. Confirmed fixes stay.
   * If the store cannot save the freeze, it still holds until this process ends, and the store's error is thrown.
   */
  async freeze(answer: Answer = { by: 'host' }): Promise<void> {
    const said = checkAnswer('freeze', answer);
    await this.#engine.ready;
    await this.#engine.decisions.freeze(said);
  }

  /** Returns who froze the loop, when and why; undefined while trials may run. */
  frozen(): LedgerState['frozen'] {
    return this.#engine.decisions.frozen();
  }

  /** Ends a freeze. */
  async unfreeze(answer: Answer = { by: 'host' }): Promise<void> {
    await this.#engine.decide((decisions) => decisions.unfreeze(checkAnswer('unfreeze', answer)));
  }

  /**
   * Erases records permanently: from the journal of every process, saved state and this loop, and their words from
   * decisions. Other running loops forget them with their next cycle. Rules in agent files stay.
   * @throws LoopError `invalid-input` for a filter without a field.
   */
  async erase(filter: EraseFilter, options: EraseOptions = {}): Promise<EraseReceipt> {
    this.#engine.mustBeOpen();
    await this.#engine.ready;
    return this.#engine.erase(filter, options);
  }

  /** Calls the handler for every event of that kind. Returns an unsubscribe function. */
  on<Kind extends LoopEvent['kind']>(
    kind: Kind,
    handler: (event: Extract<LoopEvent, { kind: Kind }>) => void,
  ): () => void {
    checkHandler(kind, handler);
    return this.#components.events.on(kind, handler);
  }

  /** Resolves when everything recorded so far is as durable as the store can make it. */
  async flush(): Promise<void> {
    this.#writeBuffer.drain();
    await this.store.journal.flush();
  }

  /**
   * Ends background work, flushes and releases everything. Outcomes recorded afterwards are reported as dropped.
   * Resolves after 20 seconds even if the store hangs, and reports that.
   */
  close(): Promise<void> {
    this.stop();
    this.#closing ??= this.#engine.close(this.sources, () => this.#writeBuffer.drain());
    return this.#closing;
  }
}
