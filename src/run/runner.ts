import type { Begin, OpenTask } from './begin.js';
import type { Capture } from './capture.js';
import type { RunContext, RunOptions, RunOptionsWithModels, Work } from './options.js';

/** Does the work of tasks that were begun, and ends them. */
export interface TaskExecutor {
  /** `isLate`: it was begun a while ago, and its times count from now. */
  job<Value>(
    task: string,
    begun: OpenTask,
    work: Work<Value>,
    options: RunOptions<Value>,
    isLate?: boolean,
  ): TaskJob<Value>;
}

export interface TaskJob<Value> {
  run(): Promise<Value>;
}

/**
 * Runs the host's functions as tasks. One task is one outcome, whatever it took. The executor comes when it is loaded:
 * tasks that begin before are begun at once, and their work waits for it.
 */
export class Runner {
  readonly #begin: Begin;
  readonly #capture: Capture;
  readonly #loading: Promise<TaskExecutor>;
  #executor: TaskExecutor | undefined;
  #loaded: (executor: TaskExecutor) => void = () => {};

  constructor(begin: Begin, capture: Capture) {
    this.#begin = begin;
    this.#capture = capture;
    this.#loading = new Promise((resolve) => {
      this.#loaded = resolve;
    });
  }

  /** Takes the executor; only the first one counts. */
  use(executor: TaskExecutor): void {
    this.#executor ??= executor;
    this.#loaded(this.#executor);
  }

  /** Runs one task. Gives the function's own value or throws its own error; `LoopError` only for what we ended. */
  run<Value>(task: string, work: Work<Value, string>, options: RunOptionsWithModels<Value>): Promise<Value>;
  run<Value>(task: string, work: Work<Value>, options?: RunOptions<Value>): Promise<Value>;
  run<Value>(task: string, work: Work<Value, never>, options: RunOptions<Value> = NO_OPTIONS): Promise<Value> {
    const first = options.models?.[0];
    const begun = this.#begin(task, first === undefined ? options : { ...options, model: first });
    // The overloads promise the function exactly the kind of model that its options offer.
    const open = work as Work<Value>;
    const job = this.#executor?.job(task, begun, open, options) ?? this.#later(task, begun, open, options);
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

  #later<Value>(task: string, begun: OpenTask, work: Work<Value>, options: RunOptions<Value>): TaskJob<Value> {
    return { run: async () => (await this.#loading).job(task, begun, work, options, true).run() };
  }
}

const NO_OPTIONS: RunOptions<unknown> = {};

function runJob<Value>(job: TaskJob<Value>): Promise<Value> {
  return job.run();
}
