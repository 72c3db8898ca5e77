import { classifyFailure, type ErrorRule } from '../classify/classify-error.js';
import type { Clock } from '../contract/clock.js';
import type { JsonObject } from '../contract/json.js';
import type { Random } from '../lib/random.js';
import type { OpenTask } from './begin.js';
import { HostFunctions } from './host-functions.js';
import { LimitsByPolicy } from './limits.js';
import { ModelStates } from './model-state.js';
import type { RunOptions, Work } from './options.js';
import type { RunParts } from './parts.js';
import type { Report } from './problem.js';
import { restoreRunState, saveRunState } from './run-state.js';
import { TaskRun } from './task-run.js';

export interface ExecutorOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly report: Report;
  /** User-defined rules for classifying errors. */
  readonly rules?: readonly ErrorRule[] | undefined;
}

/** Runs tasks under the policy they started with, and tracks the health of the models they call. */
export class Executor {
  readonly #parts: RunParts;

  constructor({ clock, random, report, rules = [] }: ExecutorOptions) {
    const classify = (error: unknown) => classifyFailure(error, { rules });
    const host = new HostFunctions(clock, report);
    const models = new ModelStates(clock);
    this.#parts = { clock, random, report, classify, host, models, limits: new LimitsByPolicy() };
  }

  /** Prepares the run of a task that has begun. */
  taskRun<Value>(name: string, started: OpenTask, work: Work<Value>, options: RunOptions<Value>): TaskRun<Value> {
    return new TaskRun(this.#parts, { name, started, work, options });
  }

  /** Returns what this process learned about models and tasks, as JSON for the next process. */
  saveState(): JsonObject {
    return saveRunState(this.#parts.models, this.#parts.clock);
  }

  /** Restores the state that `saveState` returned in another process. Never throws: unreadable parts are reported. */
  restoreState(state: unknown): void {
    restoreRunState(state, this.#parts.models, this.#parts.clock, this.#parts.report);
  }
}
