import { type Clock, LoopError, type OpenTask } from 'rsi-loop';
import { inSlices, messageOf, mustBe } from 'rsi-loop/kit';
import type { Amount } from './amount.js';
import { passDepth } from './nested-depth.js';
import { OpenWork } from './open-work.js';
import type { LeftProcesses } from './process-groups.js';
import type { WatchedCall, WatchFinding, WatchOptions } from './progress-watch.js';
import type { Purse } from './purse.js';
import { issueOf, type Receipt, type StopReason } from './receipt.js';
import { isOverBudget, RunMoney } from './run-money.js';
import { RunProcesses } from './run-processes.js';
import { RunTimers } from './run-timers.js';
import { RunWatch } from './run-watch.js';
import type { SecondOpinion } from './second-opinion.js';
import type { SharedLimits } from './shared-limits.js';
import type { RunOptions, Supervised, Work, WorstCase } from './supervised.js';
import { watchUnder } from './watch-settings.js';

/** Parts that a run works with. */
export interface RunParts {
  readonly task: string;
  readonly open: OpenTask;
  readonly purse: Purse;
  readonly shared: SharedLimits;
  readonly clock: Clock;
  readonly watch: WatchOptions | false;
  readonly graceMs: number;
  readonly opinion: SecondOpinion | undefined;
  readonly options: RunOptions;
  /** Run that this one is a child of. */
  readonly around: SupervisedRun | undefined;
  readonly onFinding: (run: SupervisedRun, finding: WatchFinding) => void;
  readonly onLeft: (run: SupervisedRun, left: LeftProcesses) => void;
  readonly onStop: (receipt: Receipt) => void;
  readonly child: <Result>(
    run: SupervisedRun,
    task: string,
    work: Work<Result>,
    options: RunOptions,
  ) => Promise<Result>;
}

/** Refused calls after which a run is stopped: its work does not notice that the budget is used up. */
const MAX_REFUSED = 3;

/** One run of some work: its budget, its watch, and how it is stopped. */
export class SupervisedRun {
  readonly id: string;
  readonly task: string;
  readonly session: string | undefined;
  readonly purse: Purse;
  readonly #parts: RunParts;
  readonly #stop = new AbortController();
  readonly #watch: RunWatch | undefined;
  readonly processes: RunProcesses;
  readonly #timers: RunTimers;
  readonly #work = new OpenWork();
  readonly #money: RunMoney;
  readonly #startedMs: number;
  #hasEnded = false;
  #refused = 0;
  #left = 0;
  #stopped: { readonly why: StopReason; readonly message: string; readonly running: readonly string[] } | undefined;

  constructor(parts: RunParts) {
    const { open, task, purse, clock, options } = parts;
    this.#parts = parts;
    this.id = open.id;
    this.task = task;
    this.session = options.session;
    this.purse = purse;
    this.#startedMs = clock.monotonic();
    this.#money = new RunMoney({
      ...{ task, purse, shared: parts.shared, session: this.session, signal: this.signal },
      onRefused: (error) => this.#refuse(error),
    });
    this.#timers = new RunTimers(clock);
    this.processes = new RunProcesses({
      ...{ limits: options.budget ?? {}, graceMs: parts.graceMs, clock, around: parts.around?.processes },
      onExceeded: (why, message) => this.stop(why, message),
      onLeft: (left) => {
        this.#left += left.processes.length;
        parts.onLeft(this, left);
      },
    });
    this.#watch =
      parts.watch === false
        ? undefined
        : new RunWatch({
            ...{ task, clock, opinion: parts.opinion, signal: this.signal },
            options: watchUnder(open.policy, parts.watch),
            onFinding: (finding) => parts.onFinding(this, finding),
            onStuck: ({ kind, message }) => this.stop(kind, message),
          });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Commands, calls and children in progress. */
  get running(): readonly string[] {
    return [...this.#work.names, ...this.processes.running];
  }

  /** Runs the work to its end, or to the end of the grace time after a stop. Records the outcome. */
  async execute<Result>(work: Work<Result>): Promise<Result> {
    const { open, options } = this.#parts;
    const { minutes } = options.budget ?? {};
    const caller = () => this.stop('caller', `the caller aborted it: ${messageOf(options.signal?.reason)}`);
    if (minutes !== undefined)
      this.#timers.after(minutes * 60_000, () => this.stop('time', `its ${minutes} minutes are over`));
    if (this.depthLeft < 0) this.stop('depth', 'the process that started this one allows no further run inside of it');
    if (options.signal?.aborted) caller();
    options.signal?.addEventListener('abort', caller, { once: true });
    try {
      const result = await this.#ended(work);
      open.end(this.#stopped ? this.#failure() : { success: true, ...this.#facts });
      return result;
    } catch (error) {
      if (!this.#stopped && this.#money.isOutOfBudget(error)) this.#giveReceipt('budget', messageOf(error), true);
      open.end(this.#stopped ? this.#failure() : { success: false, error, ...this.#facts });
      throw error;
    } finally {
      this.#hasEnded = true;
      options.signal?.removeEventListener('abort', caller);
      this.#timers.close();
      this.#watch?.close();
    }
  }

  /** Stops the run: its signal is aborted, and after the grace time the run rejects and its processes are killed. */
  stop(why: StopReason, message: string): void {
    if (this.#stopped || this.signal.aborted) return;
    this.#stopped = { why, message, running: this.running };
    this.processes.kill('SIGTERM');
    const code = why === 'budget' ? 'budget-exceeded' : 'stopped';
    this.#stop.abort(new LoopError(code, `${this.task} was stopped: ${message}`));
  }

  async #spend<Result>(
    worst: WorstCase,
    work: (signal: AbortSignal) => Result | PromiseLike<Result>,
    measure?: (result: Result) => Amount,
  ): Promise<Result> {
    await this.#mustRun();
    const { kind = this.task } = worst;
    mustBe(typeof kind === 'string' && kind !== '', 'kind', JSON.stringify(kind), 'the name of a tool or model');
    const held = await this.#money.reserve(worst);
    const end = this.#work.begin('a call');
    let actual: Amount = {};
    try {
      const result = await held.run(() => work(this.signal));
      if (measure) actual = measure(result);
      return result;
    } finally {
      end();
      this.alive();
      await held.settle(actual);
    }
  }

  async #child<Result>(task: string, work: Work<Result>, options: Omit<RunOptions, 'session'> = {}): Promise<Result> {
    this.#mayNest();
    await this.#mustRun();
    const end = this.#work.begin(task);
    this.alive();
    try {
      return await this.#parts.child(this, task, work, options);
    } finally {
      end();
      this.alive();
    }
  }

  /** Stops each run around a new child that does not allow so many inside each other. */
  #mayNest(): void {
    let level = 1;
    for (let run: SupervisedRun | undefined = this; run; run = run.#parts.around, level++) {
      const { depth = level } = run.#parts.options.budget ?? {};
      if (level > depth) run.stop('depth', `${level} runs would be inside each other, and ${depth} are allowed`);
    }
  }

  /** How many runs may be inside each other in this one. */
  get depthLeft(): number {
    const { around, options } = this.#parts;
    return Math.min(options.budget?.depth ?? Infinity, (around?.depthLeft ?? Infinity) - 1);
  }

  async #wait<Result>(what: string, upToMs: number, work: () => Result | PromiseLike<Result>): Promise<Result> {
    mustBe(
      typeof what === 'string' && what.trim() !== '',
      'what',
      JSON.stringify(what),
      'what the run waits for, such as "npm test"',
    );
    mustBe(Number.isFinite(upToMs) && upToMs > 0, 'upToMs', upToMs, 'milliseconds above 0');
    await this.#mustRun();
    const end = this.#work.begin(what);
    const endWait = this.#await(upToMs);
    try {
      return await work();
    } finally {
      end();
      endWait();
    }
  }

  /** Announces a wait of this run. The runs around it are patient too, and still count their own calls. */
  #await(upToMs: number): () => void {
    const ends = [this.#watch?.wait(upToMs)];
    for (let run = this.#parts.around; run; run = run.#parts.around) ends.push(run.#watch?.wait(upToMs, true));
    return () => {
      for (const end of ends) end?.();
    };
  }

  #note(call: WatchedCall): void {
    if (this.#hasEnded) return;
    this.#watch?.add(call);
    this.#parts.around?.alive();
  }

  /** Takes note that something has ended, in this run and in those around it. */
  alive(): void {
    this.#watch?.alive();
    this.#parts.around?.alive();
  }

  /** Returns the run as its work sees it: functions that may be taken out of it. */
  #view(): Supervised {
    const { policy, advice } = this.#parts.open;
    return {
      ...{ signal: this.signal, policy, advice },
      spend: (worst, work, measure) => this.#work.track(this.#spend(worst, work, measure)),
      wait: (what, { upToMs }, work) => this.#work.track(this.#wait(what, upToMs, work)),
      note: (call) => this.#note(call),
      child: (task, work, options) => this.#work.track(this.#child(task, work, options)),
      spawn: (command, args, options = {}) => {
        this.processes.count(command, args);
        if (this.#isClosed) throw this.#closedReason();
        return this.processes.spawn(command, args, passDepth(options, this.depthLeft));
      },
      hints: () => this.#watch?.takeHints() ?? [],
      left: () => this.purse.left,
      spent: () => this.purse.spent,
    };
  }

  /** Resolves as the work does, when all that it began has ended. After a stop, at the end of the grace time at the latest. */
  async #ended<Result>(work: Work<Result>): Promise<Result> {
    let isLate = false;
    const late = new Promise<void>((resolve) => {
      const give = () => this.#timers.after(this.#parts.graceMs, resolve);
      this.signal.addEventListener('abort', give, { once: true });
      if (this.signal.aborted) give();
    }).then(() => {
      isLate = true;
    });
    let thrown: unknown;
    const working = (async () => {
      await undefined;
      const result = await work(this.#view());
      await this.#allEnded();
      return { result };
    })().catch(async (error: unknown) => {
      thrown = error;
      this.#halt(error);
      await this.#allEnded();
    });
    const ended = await Promise.race([working, late]);
    this.processes.close();
    const stopped = this.#stopped;
    if (stopped) this.#giveReceipt(stopped.why, stopped.message, !isLate, stopped.running);
    if (ended) return ended.result;
    // Errors of a stopped run are results of the stop.
    throw stopped ? this.signal.reason : thrown;
  }

  /** Resolves when all that the work began has ended, and what outlived its processes. */
  async #allEnded(): Promise<void> {
    await this.#work.ended();
    await this.processes.ended();
  }

  /** Ends what the work left behind when it failed. */
  #halt(error: unknown): void {
    if (this.signal.aborted) return;
    this.processes.terminate();
    this.#stop.abort(new LoopError('stopped', `${this.task} has failed: ${messageOf(error)}`));
  }

  #giveReceipt(why: StopReason, message: string, hasEnded: boolean, running = this.running): void {
    const { clock, onStop } = this.#parts;
    this.#stopped ??= { why, message, running };
    const { spent, reserved } = this.purse;
    onStop({
      ...{ id: this.id, task: this.task, why, message },
      spent: {
        usd: spent.usd + reserved.usd,
        tokens: spent.tokens + reserved.tokens,
        calls: spent.calls + reserved.calls,
      },
      ...{ durationMs: clock.monotonic() - this.#startedMs, running, hasEnded, atMs: clock.now() },
    });
  }

  #failure() {
    const { why = 'caller', message = '' } = this.#stopped ?? {};
    const { context, ...facts } = this.#facts;
    return {
      success: false,
      error: message,
      issues: [issueOf(why)],
      ...facts,
      context: { ...context, stopReason: why },
    };
  }

  /** Facts of the outcome, however the run ends. */
  get #facts() {
    return { costUsd: this.purse.spent.usd, ...(this.#left > 0 && { context: { leftProcesses: this.#left } }) };
  }

  /** Counts a refused call. Work that goes on in spite of refusals is stopped. */
  #refuse(error: unknown): void {
    this.#refused++;
    if (isOverBudget(error) && this.#refused >= MAX_REFUSED)
      this.stop('budget', `${this.#refused} calls were refused. ${messageOf(error)}`);
  }

  get #isClosed(): boolean {
    return this.#hasEnded || this.signal.aborted;
  }

  #closedReason(): unknown {
    return this.signal.reason ?? new LoopError('stopped', `${this.task} has ended: begin nothing after its end`);
  }

  /** Rejects after the end. It waits for other work first, so that code which tries again and again blocks nothing. */
  async #mustRun(): Promise<void> {
    if (!this.#isClosed) return;
    await inSlices.yieldToEventLoop();
    throw this.#closedReason();
  }
}
