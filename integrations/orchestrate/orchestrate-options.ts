import { LoopError } from 'rsi-loop';
import { mustBe, showValue } from 'rsi-loop/kit';
import type { Budget, Receipt, SuperviseOptions } from 'rsi-loop/oversee';
import { MemoryRunStore } from './memory-run-store.js';
import { DEFAULT_PLAN_LIMITS, type PlanLimits, type Planner } from './plan.js';
import { RunFolder } from './run-folder.js';
import type { RunState } from './run-state.js';
import type { RunStep, RunStore } from './run-step.js';
import type { TaskSpec } from './task.js';
import type { Worker } from './worker.js';

/** Options of `orchestrate`. */
export interface OrchestrateOptions extends Pick<SuperviseOptions, 'onAlert'> {
  /** Tasks of the run, with the tasks that they come after. */
  readonly tasks?: readonly TaskSpec[];
  /** Plans tasks: those of a run without `tasks`, the parts of goals, and what replaces a failed task. */
  readonly plan?: Planner;
  /** Limits on what `plan` may add. */
  readonly planLimits?: PlanLimits;
  /** Workers by name: functions, or pools of threads, processes or machines. */
  readonly workers: Readonly<Record<string, Worker>>;
  /** Tasks at the same time, from 1. Default 4. */
  readonly concurrency?: number;
  /** Limits of the run with all of its tasks. With `folder`, what was spent before a kill still counts. */
  readonly budget?: Budget;
  /** Id of the run: letters, digits, `-` and `_`. The same id continues an unfinished run. Default: a new one. */
  readonly id?: string;
  /**
   * Runs again what failed in a run that has ended, and what was skipped because of it; what is done is kept. Default
   * false: a run that has ended gives its result again.
   */
  readonly retry?: boolean;
  /** Folder in which runs are kept, so that they survive a kill. Default: memory. */
  readonly folder?: string;
  /** Place in which runs are kept, instead of a folder. */
  readonly store?: RunStore;
  /** Name of the run in the loop. Default `orchestrate`. */
  readonly name?: string;
  /** Session of its tasks in the loop. */
  readonly session?: string;
  /** Stops the run in order. The same call continues it. */
  readonly signal?: AbortSignal;
  /** Time that stopped workers have to end, in milliseconds. Default 1,000. */
  readonly graceMs?: number;
  /** Called after each step, when it is stored. `run` may be ahead of it by the steps that are being stored. */
  readonly onStep?: (step: RunStep, run: RunState) => void;
  /** Called with the receipt if the run was stopped. */
  readonly onStop?: (receipt: Receipt) => void;
}

/** Options with their defaults. */
export type OrchestrateSettings = Omit<OrchestrateOptions, 'folder' | 'planLimits' | 'session'> &
  Required<Pick<OrchestrateOptions, 'tasks' | 'concurrency' | 'id' | 'store' | 'name' | 'graceMs'>> & {
    readonly session: string | undefined;
    readonly planLimits: Required<PlanLimits>;
    /** Whether `store` was made here, and is closed at the end. */
    readonly ownsStore: boolean;
    /** Whether the tasks were given, to compare them with those of a stored run. */
    readonly hasTasks: boolean;
  };

/** @throws LoopError `invalid-input` for an option out of range. */
export function readOptions(options: OrchestrateOptions & { readonly id: string }): OrchestrateSettings {
  const { tasks, plan, workers, concurrency = 4, graceMs = 1_000, folder, store, id } = options;
  const { name = 'orchestrate', session, planLimits, ...rest } = options;
  checkWorkers(workers);
  mustBe(Number.isInteger(concurrency) && concurrency > 0, 'concurrency', concurrency, 'a whole number from 1');
  mustBe(Number.isFinite(graceMs) && graceMs >= 0, 'graceMs', graceMs, 'milliseconds from 0');
  mustBe(typeof id === 'string' && /^[\w-]{1,100}$/.test(id), 'id', id, '1 to 100 letters, digits, "-" or "_"');
  mustBe(folder === undefined || store === undefined, 'folder', folder, 'either folder or store');
  mustBe(plan === undefined || typeof plan === 'function', 'plan', plan, 'a function');
  const limits = { ...DEFAULT_PLAN_LIMITS, ...planLimits };
  for (const [key, limit] of Object.entries(limits))
    mustBe(Number.isInteger(limit) && limit >= 0, `planLimits.${key}`, limit, 'a whole number from 0');
  return {
    ...rest,
    ...{ tasks: tasks ?? [], hasTasks: tasks !== undefined, workers, concurrency, graceMs, id, name, session },
    ...{ planLimits: limits, store: store ?? openStore(folder), ownsStore: store === undefined },
  };
}

/** @throws LoopError `invalid-input` naming the worker that is none. */
function checkWorkers(workers: unknown): void {
  if (typeof workers !== 'object' || workers === null)
    throw new LoopError('invalid-input', `workers is ${showValue(workers)}: give functions or pools by name`);
  for (const [key, worker] of Object.entries(workers as Readonly<Record<string, unknown>>)) {
    const isPool = typeof worker === 'object' && worker !== null && 'run' in worker && 'count' in worker;
    if (typeof worker !== 'function' && !isPool)
      throw new LoopError('invalid-input', `worker ${key} is ${showValue(worker)}: give a function or a pool`);
  }
}

export function openStore(folder: string | undefined): RunStore {
  return folder === undefined ? new MemoryRunStore() : new RunFolder(folder);
}
