import type { Random } from '../lib/random.js';
import type { Clock } from '../ports.js';
import type { JsonObject } from '../records.js';
import type { Begin } from './begin.js';
import type { Capture } from './capture.js';
import type { Classify } from './failure.js';
import { Job, type JobParts } from './job.js';
import { Lanes } from './lane.js';
import type { RunContext, RunOptions, RunOptionsWithModels, Work } from './options.js';
import { Plans } from './plan.js';
import type { Report } from './problem.js';
import { restoreRunState, saveRunState } from './run-state.js';

export interface RunnerOptions {
  readonly begin: Begin;
  readonly clock: Clock;
  readonly random: Random;
  readonly capture: Capture;
  readonly classify: Classify;
  readonly report: Report;
}

/** Executes the host's functions under the policy in force. One task is one outcome, whatever it took. */
export class Runner {
  readonly #parts: JobParts;
  readonly #capture: Capture;
  readonly #begin: Begin;

  constructor({ begin, capture, ...rest }: RunnerOptions) {
    this.#begin = begin;
    this.#capture = capture;
    this.#parts = { ...rest, lanes: new Lanes(rest.clock), plans: new Plans() };
  }

  /** Runs one task. Gives the function's own value or throws its own error; `LoopError` only for what we ended. */
  run<Value>(task: string, work: Work<Value, string>, options: RunOptionsWithModels<Value>): Promise<Value>;
  run<Value>(task: string, work: Work<Value>, options?: RunOptions<Value>): Promise<Value>;
  run<Value>(task: string, work: Work<Value, never>, options: RunOptions<Value> = NO_OPTIONS): Promise<Value> {
    const first = options.models?.[0];
    const begun = this.#begin(task, first === undefined ? options : { ...options, model: first });
    // The overloads promise the function exactly the kind of model that its options offer.
    const job = new Job(this.#parts, task, begun, work as Work<Value>, options);
    return this.#capture.run(begun.id, runJob<Value>, job);
  }

  /** Gives a function that runs one task per call and hands its arguments on. */
  wrap<Arguments extends unknown[], Value>(
    task: string,
    work: (context: RunContext<string>, ...values: Arguments) => Value | PromiseLike<Value>,
    options: RunOptionsWithModels<Value>,
  ): (...values: Arguments) => Promise<Value>;
  wrap<Arguments extends unknown[], Value>(
    task: string,
    work: (context: RunContext, ...values: Arguments) => Value | PromiseLike<Value>,
    options?: RunOptions<Value>,
  ): (...values: Arguments) => Promise<Value>;
  wrap<Arguments extends unknown[], Value>(
    task: string,
    work: (context: RunContext<never>, ...values: Arguments) => Value | PromiseLike<Value>,
    options?: RunOptions<Value>,
  ): (...values: Arguments) => Promise<Value> {
    // As in `run`: the overloads tie the kind of model to the options.
    const open = work as (context: RunContext, ...values: Arguments) => Value | PromiseLike<Value>;
    return (...values) => this.run<Value>(task, (context) => open(context, ...values), options);
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

const NO_OPTIONS: RunOptions<unknown> = {};

function runJob<Value>(job: Job<Value>): Promise<Value> {
  return job.run();
}
