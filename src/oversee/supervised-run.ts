import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import { type Amount, RESOURCE_NAMES } from '../lib/amount.js';
import { mustBe } from '../lib/must-be.js';
import { messageOf } from '../lib/text.js';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.js';
import { ProcessGroups } from '../node/process-groups.js';
import type { OpenTask } from '../run/begin.js';
import type { WatchFinding, WatchOptions } from './progress-watch.js';
import type { Purse } from './purse.js';
import { issueOf, type Receipt, type StopReason } from './receipt.js';
import { RunWatch } from './run-watch.js';
import type { SecondOpinion } from './second-opinion.js';
import type { SharedLimits } from './shared-limits.js';
import type { RunOptions, Supervised, Work } from './supervised.js';
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
  /** Names of the calls and children in progress. */
  readonly #running = new Map<number, string>();
  readonly #startedMs: number;
  readonly #timers = new Set<() => void>();
  #count = 0;
  #refused = 0;
  /** Last error of a limit that runs share. */
  #sharedRefusal: unknown;
  #stopped: { readonly why: StopReason; readonly message: string; readonly running: readonly string[] } | undefined;

  constructor(parts: RunParts) {
    const { open, task, purse, clock, options } = parts;
    this.#parts = parts;
    this.id = open.id;
    this.task = task;
    this.session = options.session;
    this.purse = purse;
    this.#startedMs = clock.monotonic();
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
    return [...this.#running.values(), ...this.#groups.running];
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
      if (!this.#stopped && this.#isOutOfBudget(error)) this.#giveReceipt('budget', messageOf(error), true);
      open.end(this.#stopped ? this.#failure() : { success: false, error, costUsd: this.purse.spent.usd });
      throw error;
    } finally {
      options.signal?.removeEventListener('abort', caller);
      for (const cancel of this.#timers) cancel();
      this.#watch?.close();
      this.#groups.kill('SIGKILL');
    }
  }

  /** Stops the run: its signal is aborted, and after the grace time the run rejects and its processes are killed. */
  stop(why: StopReason, message: string): void {
    if (this.#stopped) return;
    this.#stopped = { why, message, running: this.running };
    this.#groups.kill('SIGTERM');
    const code = why === 'budget' ? 'budget-exceeded' : 'stopped';
    this.#stop.abort(new LoopError(code, `${this.task} was stopped: ${message}`));
  }

  async #spend<Result>(
    worst: Amount,
    work: (signal: AbortSignal) => Result | PromiseLike<Result>,
    measure?: (result: Result) => Amount,
  ): Promise<Result> {
    await this.#mustRun();
    const { shared } = this.#parts;
    const { resources } = shared;
    const unmeasured = () => this.purse.unmeasured(worst, resources);
    for (let wait = unmeasured(); wait; wait = unmeasured()) await wait;
    await this.#mustRun();
    const own = this.#reserve(() => this.purse.reserve(worst));
    const held = resources.length === 0 ? undefined : await this.#reserveShared(own, worst);
    const call = this.#begin('a call');
    let actual: Amount = {};
    try {
      const result = await work(this.signal);
      if (measure) actual = measure(result);
      return result;
    } finally {
      this.#running.delete(call);
      const real = own.settle(actual);
      await held?.settle(real);
    }
  }

  async #child<Result>(task: string, work: Work<Result>, options: Omit<RunOptions, 'session'> = {}): Promise<Result> {
    await this.#mustRun();
    const call = this.#begin(task);
    try {
      return await this.#parts.child(this, task, work, options);
    } finally {
      this.#running.delete(call);
    }
  }

  async #wait<Result>(what: string, upToMs: number, work: () => Result | PromiseLike<Result>): Promise<Result> {
    mustBe(
      typeof what === 'string' && what.trim() !== '',
      'what',
      JSON.stringify(what),
      'what the run waits for, such as "npm test"',
    );
    mustBe(upToMs > 0 && Number.isFinite(upToMs), 'upToMs', upToMs, 'milliseconds above 0');
    await this.#mustRun();
    const call = this.#begin(what);
    const end = this.#watch?.wait(upToMs);
    try {
      return await work();
    } finally {
      this.#running.delete(call);
      end?.();
    }
  }

  /** Returns the run as its work sees it: functions that may be taken out of it. */
  #view(): Supervised {
    const { policy, advice } = this.#parts.open;
    return {
      ...{ signal: this.signal, policy, advice },
      spend: (worst, work, measure) => this.#spend(worst, work, measure),
      wait: (what, { upToMs }, work) => this.#wait(what, upToMs, work),
      note: (call) => this.#watch?.add(call),
      child: (task, work, options) => this.#child(task, work, options),
      spawn: (command, args, options = {}) => {
        this.signal.throwIfAborted();
        return this.#groups.spawn(command, args, options);
      },
      hints: () => this.#watch?.takeHints() ?? [],
      left: () => this.purse.left,
      spent: () => this.purse.spent,
    };
  }

  /** Resolves as the work does. After a stop, it rejects at the end of the grace time at the latest. */
  async #ended<Result>(work: Work<Result>): Promise<Result> {
    const late = new Promise<never>((_, reject) => {
      const give = () => this.#after(this.#parts.graceMs, () => reject(this.signal.reason));
      if (this.signal.aborted) give();
      else this.signal.addEventListener('abort', give, { once: true });
    });
    let hasEnded = false;
    try {
      const working = Promise.resolve().then(() => work(this.#view()));
      working.catch(() => undefined);
      const result = await Promise.race([working, late]);
      hasEnded = true;
      return result;
    } catch (error) {
      hasEnded = error !== this.signal.reason || this.#stopped === undefined;
      // Errors of a stopped run are results of the stop.
      throw this.#stopped ? this.signal.reason : error;
    } finally {
      const stopped = this.#stopped;
      if (stopped) this.#giveReceipt(stopped.why, stopped.message, hasEnded, stopped.running);
    }
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

  #reserve<Reserved>(reserve: () => Reserved): Reserved {
    try {
      return reserve();
    } catch (error) {
      throw this.#refuse(error);
    }
  }

  async #reserveShared(own: ReturnType<Purse['reserve']>, worst: Amount) {
    try {
      const estimated = RESOURCE_NAMES.filter((each) => each !== 'calls' && worst[each] === undefined);
      return await this.#parts.shared.reserve(own.reserved, estimated, this.session);
    } catch (error) {
      own.settle({ usd: 0, tokens: 0, calls: 0 });
      this.#sharedRefusal = error;
      throw this.#refuse(error);
    }
  }

  /** Whether a limit of this run, and not of a run around it, ended it. */
  #isOutOfBudget(error: unknown): boolean {
    return this.purse.refused(error) || (isOverBudget(error) && error === this.#sharedRefusal);
  }

  /** Counts a refused call. Work that goes on in spite of refusals is stopped. */
  #refuse(error: unknown): unknown {
    this.#refused++;
    if (isOverBudget(error) && this.#refused >= MAX_REFUSED)
      this.stop('budget', `${this.#refused} calls were refused. ${messageOf(error)}`);
    return error;
  }

  /** Rejects after a stop. It waits for other work first, so that code which tries again and again blocks nothing. */
  async #mustRun(): Promise<void> {
    if (!this.signal.aborted) return;
    await yieldToEventLoop();
    throw this.signal.reason;
  }

  #begin(name: string): number {
    this.#running.set(++this.#count, name);
    return this.#count;
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

function isOverBudget(error: unknown): boolean {
  return LoopError.is(error) && error.code === 'budget-exceeded';
}
