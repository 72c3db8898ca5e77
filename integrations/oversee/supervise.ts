import type { Clock, Model, RSILoop } from 'rsi-loop';
import { isWithin, type LoopHandle, modelAnswers, mustBe, partsOf } from 'rsi-loop/kit';
import { checkAmount } from './amount.js';
import { CallSizes } from './call-sizes.js';
import { KeptSizes } from './kept-sizes.js';
import { inheritedDepth } from './nested-depth.js';
import type { LeftProcesses } from './process-groups.js';
import type { WatchFinding, WatchOptions } from './progress-watch.js';
import { Purse, type SpendingAlert } from './purse.js';
import type { Receipt, StopReason } from './receipt.js';
import { checkProcessLimits } from './run-processes.js';
import { SecondOpinion } from './second-opinion.js';
import { type SharedBudgets, SharedLimits } from './shared-limits.js';
import type { RunBudget, RunOptions, Work } from './supervised.js';
import { SupervisedRun } from './supervised-run.js';

/** Options of `supervise`. */
export interface SuperviseOptions extends SharedBudgets {
  /** Limits of each run, with its children. Default: none. */
  readonly budget?: RunBudget;
  /** When a run counts as stuck. `false` ends only what exceeds a limit. */
  readonly watch?: WatchOptions | false;
  /** Time that a stopped run has to end before it rejects and its processes are killed, in milliseconds. Default 1,000. */
  readonly graceMs?: number;
  /** Model that is asked before the watch stops a run. It cannot lift a limit. */
  readonly opinion?: Pick<Model, 'complete'>;
  /** Called when 50, 80, 90 and 95 % of a limit of a run are spent. */
  readonly onAlert?: (alert: SpendingAlert) => void;
  /** Called for each sign of no progress before a stop. `notify` is the step at which a person should look. */
  readonly onFinding?: (finding: WatchFinding, run: { readonly id: string; readonly task: string }) => void;
  /** Called when processes of a run went on after the command that started them, and were killed. */
  readonly onLeft?: (left: LeftProcesses, run: { readonly id: string; readonly task: string }) => void;
  /** Called with the receipt of each stop. */
  readonly onStop?: (receipt: Receipt) => void;
}

/** Runs work under supervision. */
export interface Guarded {
  /**
   * Runs `work` once, as a task of the loop. Resolves or rejects as `work` does.
   * @throws LoopError `stopped` or `budget-exceeded` with the reason, if the run was stopped.
   */
  <Result>(task: string, work: Work<Result>, options?: RunOptions): Promise<Result>;
  /** Returns the runs in progress, without children. */
  running(): readonly { readonly id: string; readonly task: string }[];
  /** Stops every run in progress and resolves when all have ended. */
  stop(why: StopReason, message: string): Promise<void>;
  /** Kills all processes of the runs immediately: for a process that exits without waiting for its runs. */
  killProcesses(): void;
}

/** Loop that supervised runs are tasks of. Every `RSILoop` is one. */
export type SupervisingLoop = LoopHandle & { readonly begin: RSILoop['begin'] };

const GRACE_MS = 1_000;

/**
 * Supervises long runs: each stays inside its budget of money, tokens, calls and time, and is stopped if it makes no
 * progress. Every stop leaves a receipt and is a failed outcome of the loop.
 * @throws LoopError `invalid-input` naming the option that is out of range.
 */
export function supervise(loop: SupervisingLoop, options: SuperviseOptions = {}): Guarded {
  return new Supervisor(loop, options).guarded();
}

class Supervisor {
  readonly #loop: SupervisingLoop;
  readonly #options: SuperviseOptions;
  readonly #clock: Clock;
  readonly #shared: SharedLimits;
  readonly #kept: KeptSizes;
  readonly #sizes: CallSizes;
  readonly #running = new Map<SupervisedRun, Promise<unknown>>();

  constructor(loop: SupervisingLoop, options: SuperviseOptions) {
    checkBudget(options.budget);
    if (options.opinion !== undefined) modelAnswers.mustBeModel(options.opinion);
    const { graceMs = GRACE_MS } = options;
    mustBe(Number.isFinite(graceMs) && graceMs >= 0, 'graceMs', graceMs, 'milliseconds from 0');
    this.#loop = loop;
    this.#options = options;
    this.#clock = partsOf(loop).clock;
    this.#shared = new SharedLimits(options, this.#clock);
    this.#kept = new KeptSizes({
      snapshots: () => partsOf(loop).store.snapshots,
      now: () => this.#clock.now(),
      after: (ms) => new Promise((resolve) => this.#clock.after(ms, resolve, { background: true })),
    });
    this.#sizes = new CallSizes(this.#kept);
  }

  guarded(): Guarded {
    const guarded = <Result>(task: string, work: Work<Result>, options: RunOptions = {}) =>
      this.#run(task, work, { ...options, budget: { ...this.#options.budget, ...options.budget } });
    const running = () => [...this.#running.keys()].map(({ id, task }) => ({ id, task }));
    const stop = async (why: StopReason, message: string) => {
      for (const run of this.#running.keys()) run.stop(why, message);
      await Promise.allSettled(this.#running.values());
    };
    const killProcesses = () => {
      for (const run of this.#running.keys()) run.processes.killAll();
    };
    return Object.assign(guarded, { running, stop, killProcesses });
  }

  async #run<Result>(task: string, work: Work<Result>, options: RunOptions, parent?: SupervisedRun): Promise<Result> {
    checkBudget(options.budget);
    const { depth = Infinity, ...amount } = options.budget ?? {};
    // The outermost run of a process is inside the run that started the process.
    const inner = { ...options, budget: { ...amount, depth: parent ? depth : Math.min(depth, inheritedDepth() - 1) } };
    const { onAlert, onFinding, onLeft, onStop, opinion, watch = {}, graceMs = GRACE_MS } = this.#options;
    const purse = parent
      ? parent.purse.child(task, amount)
      : new Purse(task, amount, (alert) => this.#call('onAlert', () => onAlert?.(alert)), undefined, this.#sizes);
    const { session } = options;
    const run = new SupervisedRun({
      ...{ task, purse, watch, graceMs, options: inner, around: parent },
      open: this.#loop.begin(task, { ...(session !== undefined && { session }), ...(parent && { parent: parent.id }) }),
      shared: this.#shared,
      clock: this.#clock,
      opinion: opinion && new SecondOpinion(opinion, this.#clock, (message) => this.#report('opinion', message)),
      onFinding: ({ id }, finding) => this.#call('onFinding', () => onFinding?.(finding, { id, task })),
      onLeft: ({ id }, left) => this.#call('onLeft', () => onLeft?.(left, { id, task })),
      onStop: (receipt) => this.#call('onStop', () => onStop?.(receipt)),
      child: (around, childTask, childWork, childOptions) => this.#child(around, childTask, childWork, childOptions),
    });
    const { capture } = partsOf(this.#loop);
    // Calls inside are recorded as children of this task.
    const result = capture.run(run.id, () => run.execute(work), undefined);
    if (parent) return result;
    this.#running.set(run, result);
    try {
      return await result;
    } finally {
      this.#running.delete(run);
      await this.#kept.save();
    }
  }

  /** A child is stopped with the run around it. It has the same session, and its limits come on top. */
  async #child<Result>(around: SupervisedRun, task: string, work: Work<Result>, options: RunOptions): Promise<Result> {
    const { session, signal } = around;
    const inner = { ...options, ...(session !== undefined && { session }) };
    const signals = options.signal ? [signal, options.signal] : [signal];
    return this.#run(task, work, { ...inner, signal: AbortSignal.any(signals) }, around);
  }

  /** Callbacks of the host must not change how a run ends. */
  #call(where: string, callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#report(where, `threw ${String(error)}`);
    }
  }

  #report(where: string, message: string): void {
    partsOf(this.#loop).events.emit({ kind: 'problem', where: `oversee.${where}`, message });
  }
}

function checkBudget(budget: RunBudget | undefined): void {
  if (budget === undefined) return;
  checkAmount(budget, 'budget');
  checkProcessLimits(budget);
  const { minutes = 1, depth = 1 } = budget;
  mustBe(isWithin(depth, 0) && Number.isInteger(depth), 'budget.depth', depth, 'a whole number from 0');
  mustBe(Number.isFinite(minutes) && minutes > 0, 'budget.minutes', minutes, 'a number above 0');
}
