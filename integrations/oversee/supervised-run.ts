import { type Clock, LoopError, type OpenTask } from 'rsi-loop';
import { inSlices, messageOf, mustBe } from 'rsi-loop/kit';
import type { Amount } from './amount.js';
import { OpenWork } from './open-work.js';
import { ProcessGroups } from './process-groups.js';
import type { WatchedCall, WatchFinding, WatchOptions } from './progress-watch.js';
import type { Purse } from './purse.js';
import { issueOf, type Receipt, type StopReason } from './receipt.js';
import { isOverBudget, RunMoney } from './run-money.js';
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
  readonly #groups = new ProcessGroups();
  readonly #work = new OpenWork();
  readonly #money: RunMoney;
  readonly #startedMs: number;
  readonly #timers = new Set<() => void>();
  #hasEnded = false;
  #refused = 0;
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
    return [...this.#work.names, ...this.#groups.running];
  }

  /** Runs the work to its end, or to the end of the grace time after a stop. Records the outcome. */
  async execute<Result>(work: Work<Result>): Promise<Result> {
    const { open, options } = this.#parts;
    const { minutes } = options.budget ?? {};
    const caller = () => this.stop('caller', `the caller aborted it: ${messageOf(options.signal?.reason)}`);
    if (minutes !== undefined)
      this.#after(minutes * 60_000, () => this.stop('time', `its ${minutes} minutes are over`));
    if (options.signal?.aborted) caller();
    options.signal?.addEventListener('abort', caller, { once: true });
    try {
      const result = await this.#ended(work);
      open.end(this.#stopped ? this.#failure() : { success: true, costUsd: this.purse.spent.usd });
      return result;
    } catch (error) {
      if (!this.#stopped && this.#money.isOutOfBudget(error)) this.#giveReceipt('budget', messageOf(error), true);
      open.end(this.#stopped ? this.#failure() : { success: false, error, costUsd: this.purse.spent.usd });
      throw error;
    } finally {
      this.#hasEnded = true;
      options.signal?.removeEventListener('abort', caller);
      for (const cancel of this.#timers) cancel();
      this.#watch?.close();
      this.#groups.kill('SIGKILL');
    }
  }

  /** Stops the run: its signal is aborted, and after the grace time the run rejects and its processes are killed. */
  stop(why: StopReason, message: string): void {
    if (this.#stopped || this.signal.aborted) return;
    this.#stopped = { why, message, running: this.running };
    this.#groups.kill('SIGTERM');
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
        if (this.#isClosed) throw this.#closedReason();
        return this.#groups.spawn(command, args, options);
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
      const give = () => this.#after(this.#parts.graceMs, resolve);
      this.signal.addEventListener('abort', give, { once: true });
      if (this.signal.aborted) give();
    }).then(() => {
      isLate = true;
    });
    let thrown: unknown;
    const working = (async () => {
      await undefined;
      const result = await work(this.#view());
      await this.#work.ended();
      return { result };
    })().catch(async (error: unknown) => {
      thrown = error;
      this.#halt(error);
      await this.#work.ended();
    });
    const ended = await Promise.race([working, late]);
    const stopped = this.#stopped;
    if (stopped) this.#giveReceipt(stopped.why, stopped.message, !isLate, stopped.running);
    if (ended) return ended.result;
    // Errors of a stopped run are results of the stop.
    throw stopped ? this.signal.reason : thrown;
  }

  /** Ends what the work left behind when it failed. */
  #halt(error: unknown): void {
    if (this.signal.aborted) return;
    this.#groups.kill('SIGTERM');
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
    const context = { stopReason: why };
    return { success: false, error: message, issues: [issueOf(why)], costUsd: this.purse.spent.usd, context };
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

  #after(delayMs: number, run: () => void): void {
    const cancel = this.#parts.clock.after(
      delayMs,
      () => {
        this.#timers.delete(cancel);
        run();
      },
      { background: true },
    );
    this.#timers.add(cancel);
  }
}
