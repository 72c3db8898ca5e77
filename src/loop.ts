import type { Change } from './contract/change.js';
import type { CycleReport } from './contract/cycle-report.js';
import type { EraseFilter, EraseOptions, EraseReceipt } from './contract/erasure.js';
import { LoopError } from './contract/errors.js';
import type { Fix } from './contract/fix.js';
import type { Health } from './contract/health.js';
import type { LoopEvent, RebuildProgress } from './contract/loop-event.js';
import type { Outcome } from './contract/outcome.js';
import type { Pattern } from './contract/pattern.js';
import type { Policy } from './contract/settings.js';
import type { Store } from './contract/store.js';
import type { AdviceFor } from './engine/advice.js';
import { type Answer, checkAnswer, checkHandler } from './engine/check-arguments.js';
import type { Components } from './engine/components.js';
import { Engine } from './engine/engine.js';
import { createFixedComponents, type FixedComponents } from './engine/fixed-components.js';
import { INTERNALS } from './engine/internals.js';
import { type FixFilter, type FixOfKind, fixesOf } from './engine/loop-state.js';
import type { RSILoopOptions } from './engine/options.js';
import { Sources } from './engine/sources.js';
import { WriteBuffer } from './engine/write-buffer.js';
import type { HostCatalog } from './fix/host-catalog.js';
import { type Explanation, explain } from './inspect/explain.js';
import { type HistoryItem, historyOf } from './inspect/history.js';
import type { LedgerState } from './ledger/reduce.js';
import { readableFields } from './lib/readable.js';
import { messageOf, showValue } from './lib/text.js';
import { withinTime } from './lib/within-time.js';
import type { Observer } from './observe/observer.js';
import type { OutcomeFields } from './observe/outcome-observer.js';
import { sanitizeName } from './observe/sanitize.js';
import { type Begin, createBegin } from './run/begin.js';
import { Executor } from './run/executor.js';
import type { PolicyRow } from './run/policy-table.js';
import { Runner } from './run/runner.js';

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
  /**
   * Starts a task and returns its settings; call `end()` when it finishes. `run`, hooks and services are built on it.
   */
  readonly begin: Begin;
  /**
   * @internal For functions that take the loop. Defined in the constructor, because a computed name here would prevent
   * bundlers from removing the class.
   */
  declare readonly [INTERNALS]: Components;
  readonly #options: RSILoopOptions;
  readonly #components: FixedComponents;
  readonly #ready: Promise<void>;
  readonly #writeBuffer: WriteBuffer;
  readonly #engine: Engine;
  #cancelNext: (() => void) | undefined;
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
    const { clock, store, newId, observer, policies, repeats, events, report, random, capture } = this.#components;
    this.#writeBuffer = new WriteBuffer({
      journal: () => this.store.journal,
      random,
      onDropped: (count, reason) => events.emit({ kind: 'outcomes-dropped', count, reason }),
      report: (error, advice) => this.#report('store', error, advice),
    });
    const executor = new Executor({ ...this.#components, rules: options.rules });
    this.#engine = new Engine({ front: this.#components, options, executor });
    const { tasks } = this.#engine;
    this.observer = observer;
    this.fixer = this.#components.catalog;
    this.sources = new Sources(this, (source, error) => this.#report(source, error));
    this.begin = createBegin({
      clock,
      writer: store.journal.writer,
      newId,
      sanitizeName,
      ...(options.source !== undefined && { source: options.source }),
      mayRepeat: (task, call, models) => repeats.ofCall(task, call, models),
      slowestMs: (task, atMs) => this.#engine.components.analyzer.slowestMs(task, atMs),
      assign: (start, mayRepeat) => this.#engine.assign(start, mayRepeat),
      policyFor: (scope, arms, mayRepeat) => {
        const { add, hold } = tasks.changes(arms);
        return policies.lookup(scope, add, hold, mayRepeat);
      },
      adviceFor: (scope, arms, session) => tasks.adviceOf(scope, arms, session),
      givenFor: (scope, arms, session) => tasks.givenTo(scope, arms, session),
      writeStart: (start) => this.#writeBuffer.addStart(start),
      recordEnd: (begun, end) => observer.recordEnd(begun, end) !== undefined,
      enclosing: () => capture.current(),
      report,
    });
    const runner = new Runner(this.begin, executor, capture, report);
    this.run = runner.run.bind(runner);
    this.wrap = runner.wrap.bind(runner);
    store.onProblem?.(({ message }) => report({ where: 'store', message }));
    this.#ready = this.#engine.load();
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
   * Resolves when decisions have been read, and with them the policy in force. Until then, tasks run under your own
   * settings, without arms.
   * Records are read too, unless there are too many to wait for: see `rebuilding`.
   */
  ready(): Promise<void> {
    return this.#ready;
  }

  /**
   * Returns the progress of a replay of stored records, if saved state is missing, damaged or of another version.
   * Returns undefined when all are known.
   * During a replay, tasks and recording work. Health is unknown, there are no patterns, and cycles wait.
   */
  rebuilding(): RebuildProgress | undefined {
    return this.#engine.rebuilding();
  }

  /** Resolves when all stored records are known. Rejects if the store cannot be read, or the loop is closed first. */
  async rebuilt(): Promise<void> {
    await this.#ready;
    await this.#engine.rebuilt();
    const progress = this.rebuilding();
    if (progress) throw new LoopError('closed', `the loop was closed: ${inWords(progress)}`);
  }

  /**
   * Runs one cycle now: reads new records, checks trials, proposes fixes, makes decisions and starts trials. Cycles run
   * one at a time.
   * If a failing store cuts the cycle short, emits a `problem` and says so in the report. The next cycle catches up.
   */
  async runCycle(): Promise<CycleReport> {
    this.#mustBeOpen();
    const { clock } = this.#components;
    const isReady = await withinTime(
      clock,
      this.#ready.then(() => true),
      READY_LIMIT_MS,
      () => false,
    );
    return isReady ? this.#engine.cycle() : this.#engine.unfinished(NOT_READ);
  }

  /**
   * Runs cycles in the background until `stop`. Does not keep the process alive. Cycles never overlap, and errors are
   * reported.
   */
  start(options: { readonly everyMs?: number } = {}): void {
    this.#mustBeOpen();
    const { everyMs = 60_000 } = readableFields(options);
    if (typeof everyMs !== 'number' || !(everyMs >= 10)) {
      throw new LoopError('invalid-input', `everyMs is ${showValue(everyMs)}: give milliseconds, at least 10`);
    }
    this.stop();
    const next = () => {
      this.#cancelNext = this.#components.clock.after(everyMs, go, { background: true });
    };
    const go = () => {
      const mine = this.#cancelNext;
      const goOn = () => {
        if (this.#cancelNext === mine) next();
      };
      void this.runCycle().then(goOn, goOn);
    };
    next();
  }

  /** Stops the background cycles. A running cycle completes. */
  stop(): void {
    this.#cancelNext?.();
    this.#cancelNext = undefined;
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
  policy(
    task: string,
    scope: { readonly model?: string; readonly tool?: string; readonly agent?: string } = {},
  ): Policy {
    const asked = { source: this.#options.source ?? 'generic', ...readableFields(scope), task };
    const { policies, repeats } = this.#components;
    return policies.lookup(keepNames(asked), [], [], repeats.ofCall(asked.task, undefined, undefined).may);
  }

  /**
   * Returns the rules for a task or, without a task, all rules that a session may get, as texts.
   * With `session`, includes rules on trial in it. Has no side effects: a session that reads rules here and never
   * starts a task is in no trial.
   */
  advice(about: string | AdviceFor = {}, scope: Omit<AdviceFor, 'task'> = {}): readonly string[] {
    const asked: AdviceFor =
      typeof about === 'string' ? { ...readableFields(scope), task: about } : readableFields(about);
    const source = this.#options.source ?? 'generic';
    return this.#engine.tasks.readAdvice(keepNames({ source, ...asked }));
  }

  /** Ends a session, so that a trial with session units can count it without waiting a day for further tasks. */
  endSession(session: string, end: SessionEnd = {}): void {
    this.observer.recordSimple('session', { success: true, ...readableFields(end), session, endsSession: true });
  }

  /** Returns every setting with its value, the source of the value, and its bounds. */
  policyTable(): readonly PolicyRow[] {
    const { kinds } = this.#engine.components;
    const trials = this.fixes({ status: 'trial' }).flatMap(
      ({ change }) => kinds.of(change).effect(change).settings ?? [],
    );
    return this.#components.policies.rows(trials);
  }

  /** Returns what a fix would change and why, its history, and the state of its trial. */
  explain(id: string): Explanation {
    return explain(this.#engine.decisions.requireFix(id), this.#engine.components, this.rebuilding());
  }

  /** Approves a proposed fix for its trial, or keeps one whose trial was inconclusive. */
  async approve(id: string, answer: Answer): Promise<Fix> {
    return this.#decide((engine) => engine.decisions.decide(id, 'approved', checkAnswer('approve', answer)));
  }

  /**
   * Applies a proposed fix to all tasks immediately, without a trial. A rule is written into its file.
   * The status becomes `applied-unverified`. Later, a verdict compares the drop in failures with the usual drop without
   * a change.
   */
  async apply(id: string, answer: Answer): Promise<Fix> {
    return this.#decide((engine) => engine.decisions.apply(id, checkAnswer('apply', answer)));
  }

  /** Rejects a proposal permanently, unless its pattern changes. Also rolls back a fix whose trial was inconclusive. */
  async reject(id: string, answer: Answer & { readonly reason: string }): Promise<Fix> {
    return this.#decide((engine) => engine.decisions.decide(id, 'rejected', checkAnswer('reject', answer)));
  }

  /**
   * Records that tasks of this name may run again after a failure. The ledger stores the answer, and waiting fixes that
   * repeat such tasks can then be tried.
   * @throws LoopError `invalid-input` if the program that runs the task sets `idempotent: false`.
   */
  async allowRepeat(task: string, answer: Answer): Promise<void> {
    await this.#decide((engine) => engine.decisions.answerRepeat(task, true, checkAnswer('allowRepeat', answer)));
  }

  /**
   * Records that tasks of this name must not run again after a failure. Withdraws waiting fixes that repeat them, and
   * rolls back their running trials.
   */
  async forbidRepeat(task: string, answer: Answer): Promise<void> {
    await this.#decide((engine) => engine.decisions.answerRepeat(task, false, checkAnswer('forbidRepeat', answer)));
  }

  /** Rolls back a fix that is on trial or in force. The previous settings apply again immediately. */
  async rollback(id: string, answer: Answer = { by: 'host' }): Promise<Fix> {
    return this.#decide((engine) => engine.decisions.rollback(id, checkAnswer('rollback', answer)));
  }

  /**
   * Activates the kill switch: rolls back every running trial and starts none until `unfreeze`. Confirmed fixes stay.
   * If the store cannot save the freeze, it still holds until this process ends, and the store's error is thrown.
   */
  async freeze(answer: Answer = { by: 'host' }): Promise<void> {
    const said = checkAnswer('freeze', answer);
    await this.#ready;
    await this.#engine.decisions.freeze(said);
  }

  /** Returns who froze the loop, when and why; undefined while trials may run. */
  frozen(): LedgerState['frozen'] {
    return this.#engine.decisions.frozen();
  }

  /** Ends a freeze. */
  async unfreeze(answer: Answer = { by: 'host' }): Promise<void> {
    await this.#decide((engine) => engine.decisions.unfreeze(checkAnswer('unfreeze', answer)));
  }

  /**
   * Erases records permanently: from the journal of every process, saved state and this loop, and their words from
   * decisions. Other running loops forget them with their next cycle. Rules in agent files stay.
   * @throws LoopError `invalid-input` for a filter without a field.
   */
  async erase(filter: EraseFilter, options: EraseOptions = {}): Promise<EraseReceipt> {
    this.#mustBeOpen();
    await this.#ready;
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
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.stop();
    if (this.sources.names.length > 0) {
      await this.#inTime(this.sources.stop(), 'a source', 'what it has not sent is not recorded');
    }
    this.#engine.stopAsking();
    this.#writeBuffer.drain();
    await this.#inTime(this.#leave(), 'the running cycle', 'the next process reads its records again');
    await this.#inTime(Promise.resolve(this.store.close?.()), 'the store', 'what it has not written is lost');
  }

  async #leave(): Promise<void> {
    await this.#ready;
    await this.#engine.shutdown();
  }

  /** Waits for one step of the shutdown, up to a time limit. */
  #inTime(work: Promise<void>, part: string, consequence: string): Promise<void> {
    return withinTime(this.#components.clock, work, CLOSE_LIMIT_MS, () => {
      this.#components.report({
        where: 'close',
        message: `${part} did not end within ${CLOSE_LIMIT_MS / 1000} s: ${consequence}`,
      });
    });
  }

  #take(outcome: Outcome): void {
    if (this.#engine.isErased(outcome)) {
      this.#components.events.emit({ kind: 'outcomes-dropped', count: 1, reason: 'erased before' });
      return;
    }
    this.#writeBuffer.addOutcome(outcome);
    this.#engine.take(outcome);
  }

  /** Runs a decision. @throws LoopError `store-failed` if the store does not answer in time. */
  async #decide<Result>(decide: (engine: Engine) => Promise<Result>): Promise<Result> {
    this.#mustBeOpen();
    const work = this.#ready.then(() => decide(this.#engine));
    return withinTime(this.#components.clock, work, ANSWER_LIMIT_MS, () => {
      const progress = this.rebuilding();
      if (progress) throw new LoopError('store-failed', `${inWords(progress)}: try again when all are read`);
      const advice = 'look whether it was decided with loop.fixes(), and try again';
      throw new LoopError('store-failed', `the store gave no answer within ${ANSWER_LIMIT_MS / 1000} s: ${advice}`);
    });
  }

  #mustBeOpen(): void {
    if (this.#closing) throw new LoopError('closed', CLOSED);
  }

  #report(where: string, error: unknown, advice?: string): void {
    const message = messageOf(error);
    this.#components.report({ where, message: advice ? `${message}; ${advice}` : message });
  }
}

/** Maximum time a cycle waits until the store has been read, in milliseconds. */
const READY_LIMIT_MS = 600_000;
const NOT_READ = 'the store has not been read after 10 minutes: it does not answer, or holds very much';
/** Maximum time for each step of `close`, in milliseconds. */
const CLOSE_LIMIT_MS = 10_000;
/** Maximum time for the store to save a decision, in milliseconds. */
const ANSWER_LIMIT_MS = 60_000;

function inWords({ records, of }: RebuildProgress): string {
  return `${records} of ${of} stored records have been read again`;
}

const CLOSED = 'the loop is closed: make a new one';

/** Sanitizes names in starts and ends, so that no secret in them is stored. */
function keepNames<Names extends Readonly<Record<string, unknown>>>(names: Names): Names {
  const kept = Object.entries(names).map(([key, name]) => [key, typeof name === 'string' ? sanitizeName(name) : name]);
  return Object.fromEntries(kept) as Names; // the same keys, with text values
}
