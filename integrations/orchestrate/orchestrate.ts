import type { RSILoop } from 'rsi-loop';
import { type Json, LoopError } from 'rsi-loop';
import { partsOf } from 'rsi-loop/kit';
import type { Amount, Supervised } from 'rsi-loop/oversee';
import { type SupervisingLoop, supervise } from 'rsi-loop/oversee';
import { mustHaveWorker } from './check-tasks.js';
import { type OrchestrateOptions, type OrchestrateSettings, readOptions } from './orchestrate-options.js';
import { Orchestration } from './orchestration.js';
import { RunState, type TaskNode } from './run-state.js';
import type { RunStatus, RunStep } from './run-step.js';
import { isGoal, type TaskState } from './task.js';

/** Loop that orchestrated tasks are tasks of. Every `RSILoop` is one. */
export type OrchestratingLoop = SupervisingLoop & { readonly run: RSILoop['run'] };

/** End of a run in this process. */
export interface RunResult {
  readonly id: string;
  /**
   * `done`: every task is done. `failed`: at least one failed. `cancelled`: tasks were cancelled, and none failed.
   * `stopped` by its signal or its budget: the same call continues the run.
   */
  readonly status: Exclude<RunStatus, 'running'>;
  /** Why the run was stopped or cancelled. */
  readonly why?: string;
  readonly tasks: ReadonlyMap<string, TaskState>;
  /** Amount that this process spent. */
  readonly spent: Required<Amount>;
}

/** Run in progress. It resolves when the run ends, also with failed tasks. */
export interface OrchestratedRun extends Promise<RunResult> {
  readonly id: string;
  /** Sends an event to the tasks that wait for it, now or later. The first one of a name counts. */
  emit(event: string, body?: Json, options?: { readonly by?: string }): Promise<void>;
  /** Cancels a task with its parts or, without `task`, the whole run. Tasks after it are skipped. */
  cancel(options?: { readonly task?: string; readonly by?: string; readonly reason?: string }): Promise<void>;
}

const NOTHING: Required<Amount> = { usd: 0, tokens: 0, calls: 0 };

/**
 * Runs tasks that depend on each other, each as a task of the loop: with its policy, its retries and its outcomes. Every
 * step is stored, so that the next process continues a run that was killed and repeats nothing that has a receipt.
 * Rejects with `invalid-input` for tasks that cannot run, such as a cycle, with `store-conflict` if another process has
 * the run, and with the error of the store or the planner.
 */
export function orchestrate(loop: OrchestratingLoop, options: OrchestrateOptions): OrchestratedRun {
  const { clock } = partsOf(loop);
  const newId = () => `${new Date(clock.now()).toISOString().replace(/\D/g, '').slice(0, 14)}-${randomSuffix()}`;
  const { id = newId() } = options;
  let onBegun: (orchestration: Orchestration | undefined) => void = () => undefined;
  const begun = new Promise<Orchestration | undefined>((resolve) => {
    onBegun = resolve;
  });
  let isOver = false;
  const result = execute(loop, { ...options, id }, onBegun).finally(() => {
    isOver = true;
    onBegun(undefined);
  });
  const running = async (what: string) => {
    const orchestration = await begun;
    if (orchestration && !isOver) return orchestration;
    throw new LoopError('illegal-step', `run ${id} has ended: there is nothing to ${what}`);
  };
  return Object.assign(result, {
    id,
    emit: async (event: string, body: Json = null, { by = 'host' }: { readonly by?: string } = {}) =>
      (await running('emit')).emit(event, body, by),
    cancel: async ({
      task,
      by = 'host',
      reason = 'no reason given',
    }: Parameters<OrchestratedRun['cancel']>[0] = {}) => {
      await (await running('cancel')).cancel(task, by, reason);
    },
  });
}

async function execute(
  loop: OrchestratingLoop,
  options: OrchestrateOptions & { readonly id: string },
  onBegun: (orchestration: Orchestration) => void,
): Promise<RunResult> {
  const settings = readOptions(options);
  const { id, store, ownsStore } = settings;
  try {
    const claim = await store.claim(id);
    try {
      const steps = await store.load(id);
      mustBeTheSame(settings, steps);
      const state = new RunState(steps);
      const isRetried = options.retry === true && state.counts.failed > 0;
      if (state.hasEnded && !isRetried) return { id, ...endOf(state), spent: NOTHING };
      mustHaveWorkers(settings, state);
      return await supervised(loop, settings, state, onBegun);
    } finally {
      await claim.release();
    }
  } finally {
    if (ownsStore) await store.close();
  }
}

/** Runs the tasks inside one budget. A run with failed tasks is a failed outcome of the loop. */
async function supervised(
  loop: OrchestratingLoop,
  settings: OrchestrateSettings,
  state: RunState,
  onBegun: (orchestration: Orchestration) => void,
): Promise<RunResult> {
  const { id, name, budget, store, graceMs, session, signal, workers, onAlert, onStop } = settings;
  const { minutes: _, ...amount } = budget ?? {};
  const isLasting = store.folder !== undefined && Object.keys(amount).length > 0;
  const guarded = supervise(loop, {
    ...(budget && { budget }),
    // Amounts that a killed process spent or reserved still count.
    ...(isLasting && { total: amount, folder: `${store.folder}/spent-${id}` }),
    // Silence is normal while tasks run. The run ends its tasks within its own grace time.
    ...{ watch: false, graceMs: graceMs + TIME_TO_STORE_MS },
    ...(onAlert && { onAlert }),
    ...(onStop && { onStop }),
  });
  let spent = NOTHING;
  const failure = new Error('some tasks failed');
  const work = async (run: Supervised) => {
    const orchestration = new Orchestration(
      { settings, task: loop.run, clock: partsOf(loop).clock, supervised: run },
      state,
    );
    onBegun(orchestration);
    try {
      const status = await orchestration.run();
      if (status !== 'failed') return;
      failure.message = describeFailure(state);
      throw failure;
    } finally {
      spent = run.spent();
    }
  };
  try {
    await guarded(name, work, { ...(session !== undefined && { session }), ...(signal && { signal }) });
  } catch (error) {
    if (error !== failure) throw error;
  } finally {
    await Promise.all(Object.values(workers).map((worker) => typeof worker === 'object' && worker.close()));
  }
  return { id, ...endOf(state), spent };
}

/** Time that the last steps have to be stored after the grace time, in milliseconds. */
const TIME_TO_STORE_MS = 30_000;

/** @throws LoopError `store-conflict` if the stored run has other tasks, `invalid-input` if there is nothing to run. */
function mustBeTheSame({ id, tasks, hasTasks, plan }: OrchestrateSettings, [first]: readonly RunStep[]): void {
  if (first?.kind !== 'started') {
    if (hasTasks || plan) return;
    throw new LoopError('invalid-input', `there is no run ${id} yet: give its tasks, or a plan`);
  }
  if (!hasTasks || JSON.stringify(tasks) === JSON.stringify(first.tasks)) return;
  throw new LoopError('store-conflict', `run ${id} was begun with other tasks: leave tasks out, or use another id`);
}

/** @throws LoopError `invalid-input` if a task of a stored run has no worker here. */
function mustHaveWorkers({ workers }: OrchestrateSettings, { tasks, hasEnded }: RunState): void {
  const names = Object.keys(workers);
  for (const { spec, status, endedMs } of tasks.values()) {
    const isRetried = hasEnded && (status === 'failed' || status === 'skipped');
    if ((endedMs === undefined || isRetried) && !isGoal(spec)) mustHaveWorker(spec, names);
  }
}

function endOf(state: RunState): Pick<RunResult, 'status' | 'why' | 'tasks'> {
  const { status, why, tasks } = state;
  return { status: status === 'running' ? 'stopped' : status, tasks, ...(why !== undefined && { why }) };
}

/** Returns `2 of 50 tasks failed; parse: TypeError: ...`. */
function describeFailure({ tasks, counts }: RunState): string {
  const first = [...tasks.values()].find(({ status }: TaskNode) => status === 'failed');
  return `${counts.failed} of ${tasks.size} tasks failed; ${first?.id}: ${first?.error}`;
}

function randomSuffix(): string {
  return globalThis.crypto.randomUUID().slice(0, 8);
}
