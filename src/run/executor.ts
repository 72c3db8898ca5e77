import { classifyFailure, type ErrorRule } from '../classify/classify-error.js';
import type { Random } from '../lib/random.js';
import type { Clock } from '../ports.js';
import type { JsonObject } from '../records.js';
import type { OpenTask } from './begin.js';
import { HostFunctions } from './host-functions.js';
import { Job, type JobParts } from './job.js';
import { Lanes } from './lane.js';
import type { RunOptions, Work } from './options.js';
import { Plans } from './plan.js';
import type { Report } from './problem.js';
import { restoreRunState, saveRunState } from './run-state.js';
import type { TaskExecutor } from './runner.js';

export interface ExecutorOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly report: Report;
  /** The user's own, for naming errors. */
  readonly rules?: readonly ErrorRule[] | undefined;
}

/** Works on tasks under the policy each was begun with, and knows how the models they ask are doing. */
export class Executor implements TaskExecutor {
  readonly #parts: JobParts;

  constructor({ clock, random, report, rules = [] }: ExecutorOptions) {
    const classify = (error: unknown) => classifyFailure(error, { rules });
    const host = new HostFunctions(clock, report);
    this.#parts = { clock, random, report, classify, host, lanes: new Lanes(clock), plans: new Plans() };
  }

  job<Value>(task: string, begun: OpenTask, work: Work<Value>, options: RunOptions<Value>, isLate = false): Job<Value> {
    return new Job(this.#parts, task, begun, work, options, isLate);
  }

  /** What this process learned of models and tasks, as JSON, so that the next one need not learn it again. */
  saveState(): JsonObject {
    return saveRunState(this.#parts.lanes, this.#parts.clock);
  }

  /** Takes up what `saveState` gave in another process. Never throws: what cannot be read is reported. */
  restoreState(state: unknown): void {
    restoreRunState(state, this.#parts.lanes, this.#parts.clock, this.#parts.report);
  }
}
