import { type AdviceFor, adviceOf, readAdvice } from './advice.js';
import { BurstAlarm } from './analyze/bursts.js';
import { classifyError } from './classify/classify-error.js';
import { askWatermark, observe, turn } from './cycle.js';
import { announce, applyEntry, changesOf } from './decisions.js';
import { LoopError } from './errors.js';
import { type Explanation, explain } from './explain.js';
import type { Fixer } from './fix/fixer.js';
import type { GateAnswer } from './fix/questions.js';
import { type HistoryItem, historyOf } from './history.js';
import { type InForce, inForce, NOTHING_IN_FORCE } from './in-force.js';
import { Intake } from './intake.js';
import { keepFiles } from './keep-files.js';
import type { LedgerState } from './ledger/reduce.js';
import { messageOf } from './lib/text.js';
import type { Observer, OutcomeFields } from './observe/observer.js';
import type { RSILoopOptions } from './options.js';
import type { Policy } from './policy.js';
import type { Lease, Store } from './ports.js';
import type {
  CycleReport,
  Fix,
  FixId,
  FixStatus,
  Health,
  LedgerEntry,
  LoopEvent,
  Outcome,
  Pattern,
} from './records.js';
import { openRooms, ROOMS, type Rooms, roomOptions, withoutStore } from './rooms.js';
import { type Begin, createBegin } from './run/begin.js';
import type { PolicyRow } from './run/policy-table.js';
import { Runner } from './run/runner.js';
import { loadState, saveState } from './state.js';
import { withCauses } from './study.js';
import { assignArms } from './verify/assign.js';

export interface FixFilter {
  readonly status?: FixStatus;
  readonly task?: string;
}

/** Who decided and why; both stand in the ledger for ever. */
export interface Answer {
  readonly by: string;
  readonly reason?: string;
}

/** How a session ended as a whole; recorded as an outcome of the task `session`. */
export type SessionEnd = Partial<Omit<OutcomeFields, 'session' | 'endsSession'>>;

/** So many records may wait before they are taken in without a cycle, which keeps cycles short. */
const RECORDS_PER_TURN = 10_000;
/** State is saved when so many were recorded since; a process that is killed makes its successor read them again. */
const RECORDS_PER_SAVE = 100_000;
/** How often a process that runs tasks looks whether another one decided something. */
const FOLLOW_EVERY_MS = 1_000;

/** Observes outcomes, finds patterns, tries fixes on a random part of the work, and keeps what is proven to help. */
export class RSILoop {
  /** Takes outcomes: `record` whatever you have, `recordSimple` the typed and fast way. */
  readonly observer: Observer;
  /** `fixer.register` adds your own ways to mend patterns. */
  readonly fixer: Fixer;
  /** Runs a function as a task, under the policy in force. One task, one outcome. */
  readonly run: Runner['run'];
  /** Gives a function that runs as a task each time it is called. */
  readonly wrap: Runner['wrap'];
  /** Hands out the settings for one task, and takes its end. `run`, hooks and services are made of it. */
  readonly begin: Begin;
  /** @internal For functions that take the loop. Defined in the constructor: a computed name here would keep bundlers from leaving the class out. */
  declare readonly [ROOMS]: Rooms;
  #rooms: Rooms;
  readonly #options: RSILoopOptions;
  readonly #bursts = new BurstAlarm();
  readonly #ready: Promise<void>;
  readonly #runner: Runner;
  readonly #intake: Intake;
  #inForce: InForce = NOTHING_IN_FORCE;
  #isReady = false;
  #savedEntries = 0;
  /** Recorded since records were last taken in, and since state was last saved. */
  #unread = 0;
  #unsaved = 0;
  #followedMs = Number.NEGATIVE_INFINITY;
  #seen: ReadonlySet<string> = new Set();
  #lease: Lease | undefined;
  /** One turn at a time. */
  #turns: Promise<unknown> = Promise.resolve();
  #cancelNext: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  /** @throws LoopError `invalid-policy` when settings or bounds name or hold something that cannot be. */
  constructor(options: RSILoopOptions = {}) {
    this.#options = options;
    Object.defineProperty(this, ROOMS, { get: () => this.#rooms });
    this.#rooms = openRooms(options, {
      onOutcome: (outcome) => this.#take(outcome),
      onEntry: (entry, before) => this.#apply(entry, before),
      onAnswer: (fix, answer) => this.#hear(fix, answer),
    });
    const { clock, store, newId, observer, fixer, policies, events, random, capture } = this.#rooms;
    const report = (problem: { where: string; message: string }) => events.emit({ kind: 'problem', ...problem });
    this.#intake = new Intake({
      store: () => this.#rooms.store,
      random,
      onDropped: (count, reason) => events.emit({ kind: 'outcomes-dropped', count, reason }),
      report: (error, advice) => this.#report('store', error, advice),
    });
    this.observer = observer;
    this.fixer = fixer;
    this.begin = createBegin({
      clock,
      writer: store.writer,
      newId,
      ...(options.source !== undefined && { source: options.source }),
      assign: (start) => this.#assign(start),
      policyFor: (scope, arms) => {
        const { add, hold } = changesOf(arms, this.#inForce);
        return policies.lookup(scope, add, hold);
      },
      adviceFor: (scope, arms, session) => adviceOf(this.#inForce, scope, arms, session),
      writeStart: (start) => this.#intake.addStart(start),
      recordEnd: (begun, end) => void observer.recordEnd(begun, end),
      enclosing: () => capture.current(),
      report,
    });
    const { rules = [] } = options;
    const classify = (error: unknown) => classifyError(error, { rules });
    this.#runner = new Runner({ begin: this.begin, clock, random, capture, classify, report });
    this.run = this.#runner.run.bind(this.#runner);
    this.wrap = this.#runner.wrap.bind(this.#runner);
    store.onProblem((problem) => report({ where: 'store', message: problem.message }));
    this.#ready = this.#load();
  }

  /** Where records live: the store it was given, or one in memory when that one could not be read. */
  get store(): Store {
    return this.#rooms.store;
  }

  /** Resolves when what the store holds has been read. Before that, tasks run under your own settings, without arms. */
  ready(): Promise<void> {
    return this.#ready;
  }

  /**
   * One turn of the loop now: take in what happened, judge the trials, propose, decide, start trials. Turns wait for one
   * another. One that a failing store cut short is told as `problem`, says so in its report, and is made up for by the next.
   */
  async runCycle(): Promise<CycleReport> {
    this.#mustBeOpen();
    await this.#ready;
    return this.#queue(() => this.#turn());
  }

  /** Runs cycles in the background until `stop`. Never keeps the process alive, never overlaps, tells its errors. */
  start({ everyMs = 60_000 }: { readonly everyMs?: number } = {}): void {
    this.#mustBeOpen();
    if (!(everyMs >= 10)) throw new LoopError('invalid-input', `everyMs is ${everyMs}: give milliseconds, at least 10`);
    this.stop();
    const next = () => {
      this.#cancelNext = this.#rooms.clock.after(everyMs, go, { background: true });
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

  /** Ends the background cycles; the one that is running finishes. */
  stop(): void {
    this.#cancelNext?.();
    this.#cancelNext = undefined;
  }

  /** 0 (broken) to 1 (healthy), over everything recorded here. */
  healthScore(): number {
    return this.health().score;
  }

  /** Health with its interval, and by task, model and source. `known` is false while there is nothing to judge by. */
  health(): Health {
    return this.#rooms.health.health(this.#rooms.clock.now());
  }

  /** Health hour by hour over the last 30 days, and between the hours what changed: deploys, fixes, models. Oldest first. */
  healthHistory(): readonly HistoryItem[] {
    return historyOf(this.#rooms);
  }

  /** Patterns in the window, the costliest first, as far as the last cycle has read. */
  patterns(): readonly Pattern[] {
    const { analyzer, clock, ledger } = this.#rooms;
    return withCauses(analyzer.patterns(clock.now()), ledger.state.causes);
  }

  /** Fixes, the newest first. */
  fixes(filter: FixFilter = {}): readonly Fix[] {
    return [...this.#rooms.ledger.state.fixes.values()]
      .filter(({ status, task }) => status === (filter.status ?? status) && task === (filter.task ?? task))
      .sort((a, b) => b.proposedMs - a.proposedMs || (a.id < b.id ? -1 : 1));
  }

  /** The settings in force for a task, without any arm. */
  policy(
    task: string,
    scope: { readonly model?: string; readonly tool?: string; readonly agent?: string } = {},
  ): Policy {
    return this.#rooms.policies.lookup({ source: this.#options.source ?? 'generic', ...scope, task });
  }

  /**
   * The rules for a task or, without one, for all that a session may hold, each in its own words. With `session` also those
   * on trial in it. Reading changes nothing: a session that reads its rules here and never begins a task is in no trial.
   */
  advice(about: string | AdviceFor = {}, scope: Omit<AdviceFor, 'task'> = {}): readonly string[] {
    const asked = typeof about === 'string' ? { ...scope, task: about } : about;
    const source = this.#options.source ?? 'generic';
    return readAdvice(this.#inForce, { source, ...asked }, this.#rooms.clock.now());
  }

  /** Says that a session is over: a trial that draws sessions can count it without waiting a day for it to rest. */
  endSession(session: string, end: SessionEnd = {}): void {
    this.observer.recordSimple('session', { success: true, ...end, session, endsSession: true });
  }

  /** Every setting with its value, where the value comes from, and its bounds. */
  policyTable(): readonly PolicyRow[] {
    const trials = this.fixes({ status: 'trial' }).flatMap(({ change }) => (change.kind === 'policy' ? [change] : []));
    return this.#rooms.policies.rows(trials);
  }

  /** What a fix would change and why, what happened to it, and where its trial stands. */
  explain(id: string): Explanation {
    return explain(this.#mustHave(id), this.#rooms);
  }

  /** Lets a proposed fix begin its trial, or keeps one that could not be proven. */
  approve(id: string, answer: Answer): Promise<Fix> {
    return this.#decide(id, 'approved', answer);
  }

  /**
   * Puts a proposed fix in force for everybody at once, without a trial; a rule is written into its file. It is called
   * `kept-unproven`, and later told with how far failures fell since, beside how far they fall by themselves.
   */
  async apply(id: string, { by, reason = `applied at once by ${by}` }: Answer): Promise<Fix> {
    await this.#whenReady(id);
    await this.#move(id, () => 'kept-unproven', by, reason);
    return this.#file(id);
  }

  /** Turns a proposal down, for good unless its pattern changes; ends the trial of a fix that could not be proven. */
  refuse(id: string, answer: Answer & { readonly reason: string }): Promise<Fix> {
    return this.#decide(id, 'refused', answer);
  }

  /** Takes a fix back that is on trial or in force; the settings before it hold again at once. */
  async rollback(id: string, answer: Answer = { by: 'host' }): Promise<Fix> {
    await this.#whenReady(id);
    await this.#move(id, () => 'rolled-back', answer.by, answer.reason ?? 'taken back by hand');
    return this.#file(id);
  }

  /**
   * The kill switch: takes every running trial back and starts no other until `thaw`. Confirmed fixes stay. When the store
   * cannot keep it, it holds in this process until that ends, and the store's error is thrown.
   */
  async freeze({ by, reason = 'frozen by hand' }: Answer = { by: 'host' }): Promise<void> {
    await this.#ready;
    const { clock, ledger } = this.#rooms;
    try {
      await ledger.append(({ fixes }) => {
        const move = { kind: 'fix-moved', atMs: clock.now(), by, to: 'rolled-back', reason } as const;
        const onTrial = [...fixes.values()].filter(({ status }) => status === 'trial');
        return [
          { kind: 'frozen', atMs: move.atMs, by, reason },
          ...onTrial.map(({ id: fixId }): LedgerEntry => ({ ...move, fixId })),
        ];
      });
    } catch (error) {
      this.#rooms = { ...this.#rooms, noTrials: `${reason} (${by})` };
      this.#inForce = inForce(this.#rooms);
      throw error;
    }
  }

  /** Who froze the loop, when and why; undefined while trials may run. */
  frozen(): LedgerState['frozen'] {
    return this.#rooms.ledger.state.frozen;
  }

  /** Ends a freeze. */
  async thaw({ by, reason = 'thawed by hand' }: Answer = { by: 'host' }): Promise<void> {
    await this.#ready;
    await this.#rooms.ledger.append(() => [{ kind: 'thawed', atMs: this.#rooms.clock.now(), by, reason }]);
  }

  /** Calls the handler for every event of that kind; gives the function that ends it. */
  on<Kind extends LoopEvent['kind']>(
    kind: Kind,
    handler: (event: Extract<LoopEvent, { kind: Kind }>) => void,
  ): () => void {
    return this.#rooms.events.on(kind, handler);
  }

  /** Resolves when everything recorded so far is as safe as the store can make it. */
  async flush(): Promise<void> {
    this.#intake.letThrough();
    await this.#rooms.store.flush();
  }

  /** Ends background work, flushes and frees everything. Recording afterwards is reported as dropped. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.stop();
    this.#rooms.questions.close();
    this.#rooms.study?.close();
    this.#rooms.ruleDrafts?.close();
    this.#intake.letThrough();
    await this.#ready;
    await this.#turns;
    await this.#takeLeave().catch((error) => this.#report('store', error));
    await this.#rooms.store.close();
  }

  async #turn(): Promise<CycleReport> {
    try {
      const leads = await this.#leads();
      const report = await turn(this.#rooms, { leads, onPatterns: (patterns) => this.#tellPatterns(patterns) });
      this.#tellHealth(report.health);
      if (leads && this.#unsaved >= RECORDS_PER_SAVE) await this.#save();
      return report;
    } catch (error) {
      this.#report('cycle', error, 'this turn was cut short, the next one goes on from there');
      const atMs = this.#rooms.clock.now();
      const known = { atMs, patterns: this.patterns(), fixes: this.fixes(), verdicts: [], health: this.health() };
      return { ...known, unfinished: messageOf(error) };
    }
  }

  #take(outcome: Outcome): void {
    const { clock, health, events } = this.#rooms;
    this.#intake.addOutcome(outcome);
    health.add(outcome, clock.now());
    this.#unread++;
    this.#unsaved++;
    if (this.#unread >= RECORDS_PER_TURN && this.#isReady && this.#closing === undefined) this.#takeIn();
    const [issue] = outcome.issues;
    if (outcome.success || issue === undefined || issue === 'cancelled') return;
    const burst = this.#bursts.add({ task: outcome.task, issue, fingerprint: outcome.fingerprint ?? '' }, outcome.atMs);
    if (burst) events.emit(burst);
  }

  /** Takes in what is left, so that the next process starts from here. */
  async #takeLeave(): Promise<void> {
    try {
      if (!(await this.#lease?.held())) return;
      await observe(this.#rooms, await askWatermark(this.#rooms));
      await this.#save();
    } finally {
      await this.#lease?.release();
    }
  }

  async #save(): Promise<void> {
    this.#unsaved = 0;
    await saveState(this.#rooms, this.#runner.saveState());
  }

  /** A short turn between cycles that only reads. */
  #takeIn(): void {
    this.#unread = 0;
    void this.#queue(async () => {
      if (await this.#leads()) await observe(this.#rooms, await askWatermark(this.#rooms));
    }).catch((error) => this.#report('cycle', error));
  }

  #assign(start: Parameters<typeof assignArms>[1]): ReturnType<typeof assignArms> {
    if (!this.#isReady) return NO_ARMS;
    this.#lookAround(start.atMs);
    return this.#inForce.trials.length === 0 ? NO_ARMS : assignArms(this.#inForce.trials, start);
  }

  /** Takes in, now and then, what other processes decided: settings, approvals, the kill switch. */
  #lookAround(atMs: number): void {
    if (Math.abs(atMs - this.#followedMs) < FOLLOW_EVERY_MS) return;
    this.#followedMs = atMs;
    void this.#rooms.ledger.follow().catch((error) => this.#report('ledger', error));
  }

  async #apply(entry: LedgerEntry, before: LedgerState): Promise<void> {
    await applyEntry(this.#rooms, entry, before, this.#rooms.ledger.length <= this.#savedEntries);
    if (entry.kind !== 'cycle') this.#inForce = inForce(this.#rooms);
    if (this.#isReady) announce(this.#rooms, entry, before);
  }

  async #load(): Promise<void> {
    try {
      const saved = await loadState(this.#rooms, roomOptions(this.#options));
      if (saved) {
        this.#rooms = { ...this.#rooms, ...saved.rooms };
        this.#rooms.experience.restore(saved.library);
        this.#savedEntries = saved.entries;
        this.#runner.restoreState(saved.run);
      }
      await this.#rooms.ledger.follow();
    } catch (error) {
      this.#report('store', error, 'the loop goes on in memory, without trials: mend the store and start again');
      this.#rooms = withoutStore(this.#rooms, (entry, before) => this.#apply(entry, before));
    }
    // What the past ignored was told in the past.
    this.#rooms.verifier.takeIgnored();
    this.#isReady = true;
  }

  async #decide(id: string, kind: 'approved' | 'refused', { by, reason }: Answer): Promise<Fix> {
    await this.#whenReady(id);
    return this.#move(id, (fix) => answered(fix, kind), by, reason ?? `${kind} by ${by}`);
  }

  /** What the gate answers counts only while the fix is where it was when the gate was asked. */
  async #hear({ id, status }: Fix, { kind, by, reason = `${kind} by ${by}` }: GateAnswer): Promise<boolean> {
    let isHeard = false;
    const to = (fix: Fix) => {
      isHeard = fix.status === status;
      return isHeard ? answered(fix, kind) : undefined;
    };
    await this.#move(id, to, by, reason);
    return isHeard;
  }

  async #move(id: string, to: (fix: Fix) => FixStatus | undefined, by: string, reason: string): Promise<Fix> {
    const { clock, ledger } = this.#rooms;
    await ledger.append(() => {
      const fix = this.#mustHave(id);
      const next = to(fix);
      return next ? [{ kind: 'fix-moved', atMs: clock.now(), by, fixId: fix.id, to: next, reason }] : [];
    });
    return this.#mustHave(id);
  }

  /** Writes a rule, or takes it out, without waiting for the next turn where this process is the one that decides. */
  async #file(id: string): Promise<Fix> {
    const { ruleFiles, clock } = this.#rooms;
    const { change } = this.#mustHave(id);
    if (change.kind === 'rule' && ruleFiles.isWritable(change.file)) {
      await this.#queue(async () => {
        if (await this.#leads()) await keepFiles(this.#rooms, clock.now());
      });
    }
    return this.#mustHave(id);
  }

  async #whenReady(id: string): Promise<Fix> {
    this.#mustBeOpen();
    await this.#ready;
    await this.#rooms.ledger.follow();
    return this.#mustHave(id);
  }

  #mustHave(id: string): Fix {
    const fix = this.#rooms.ledger.state.fixes.get(id as FixId); // a string that is no fix id finds nothing
    if (fix) return fix;
    throw new LoopError('unknown-fix', `no fix ${JSON.stringify(id)}: take an id from loop.fixes()`);
  }

  #mustBeOpen(): void {
    if (this.#closing) throw new LoopError('closed', 'the loop is closed: make a new one');
  }

  /** One process at a time decides; it keeps the lease until it closes or loses it. */
  async #leads(): Promise<boolean> {
    if (this.#lease && (await this.#lease.held())) return true;
    this.#lease = await this.#rooms.store.lease('cycle');
    return this.#lease !== undefined;
  }

  #queue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turns.then(work);
    this.#turns = result.catch(() => undefined);
    return result;
  }

  #tellPatterns(patterns: readonly Pattern[]): void {
    const recurring = patterns.filter((pattern) => pattern.recurring);
    for (const pattern of recurring) {
      if (!this.#seen.has(pattern.id)) this.#rooms.events.emit({ kind: 'pattern-found', pattern });
    }
    this.#seen = new Set(recurring.map(({ id }) => id));
  }

  #tellHealth(health: Health): void {
    const threshold = this.#options.healthThreshold;
    if (threshold === undefined || !health.known || health.score >= threshold) return;
    this.#rooms.events.emit({ kind: 'health-below', health, threshold });
  }

  #report(where: string, error: unknown, advice?: string): void {
    const message = messageOf(error);
    this.#rooms.events.emit({ kind: 'problem', where, message: advice ? `${message}; ${advice}` : message });
  }
}

const NO_ARMS: ReturnType<typeof assignArms> = [];

/**
 * Where an answer takes a fix. While its trial runs only the trial speaks for it, so that a proposal approved twice is not
 * thereby kept unproven.
 */
function answered({ id, status, verdict }: Fix, kind: 'approved' | 'refused'): FixStatus {
  if (status === 'kept-unproven') return kind === 'approved' ? status : 'rolled-back';
  if (status !== 'trial') return kind;
  if (kind === 'refused') return 'rolled-back';
  if (verdict?.kind === 'unproven') return 'kept-unproven';
  throw new LoopError(
    'illegal-step',
    `fix ${id} is on trial already: wait for its verdict, or take it back with rollback`,
  );
}
