import { LoopError } from '../contract/errors.js';
import { showValue } from '../lib/text.js';
import type { Begin } from './begin.js';
import type { Capture } from './capture.js';
import type { Executor } from './executor.js';
import type { RunContext, RunOptions, RunOptionsWithModels, Work } from './options.js';
import type { Report } from './problem.js';
import { readRunOptions } from './read-run-options.js';
import type { TaskRun } from './task-run.js';

/** Runs the host's functions as tasks. One task is one outcome, however many attempts it takes. */
export class Runner {
  readonly #begin: Begin;
  readonly #capture: Capture;
  readonly #report: Report;
  readonly #executor: Executor;
  readonly #untilDecided: () => Promise<void> | undefined;

  /** `untilDecided` resolves when tasks may begin; undefined if they may begin now. */
  constructor(
    begin: Begin,
    executor: Executor,
    capture: Capture,
    report: Report,
    untilDecided: () => Promise<void> | undefined = () => undefined,
  ) {
    this.#begin = begin;
    this.#untilDecided = untilDecided;
    this.#capture = capture;
    this.#executor = executor;
    this.#report = report;
  }

  /**
   * Runs one task. Resolves with the function's own value or rejects with its own error.
   * Rejects with a `LoopError` only if the loop ended the task, or `work` is not a function.
   * Invalid options are reported and ignored.
   */
  run<Value>(task: string, work: Work<Value, string>, options: RunOptionsWithModels<Value>): Promise<Value>;
  run<Value>(task: string, work: Work<Value>, options?: RunOptions<Value>): Promise<Value>;
  run<Value>(task: string, work: Work<Value, never>, given: RunOptions<Value> = NO_OPTIONS): Promise<Value> {
    if (typeof work !== 'function') return Promise.reject(noFunction('run', task, work));
    const wait = this.#untilDecided();
    // The overloads guarantee that the function accepts the kind of model that its options offer.
    if (wait) return wait.then(() => this.run<Value>(task, work as Work<Value>, given));
    const options = readRunOptions(given, this.#report);
    const name = typeof task === 'string' ? task : ''; // `begin` reports a task without a name
    const started = this.#begin(name, options);
    const open = work as Work<Value>; // as above
    const run = this.#executor.taskRun(name, started, open, options, this.#capture.enclosing());
    return this.#capture.run(run, runTask<Value>, run);
  }

  /**
   * Returns a function that runs one task per call and passes on its arguments and its `this`.
   * @throws LoopError `invalid-input` if `work` is not a function.
   */
  wrap<Arguments extends unknown[], Value, This = unknown>(
    task: string,
    work: (this: This, context: RunContext<string>, ...values: Arguments) => Value | PromiseLike<Value>,
    options: RunOptionsWithModels<Value>,
  ): (this: This, ...values: Arguments) => Promise<Value>;
  wrap<Arguments extends unknown[], Value, This = unknown>(
    task: string,
    work: (this: This, context: RunContext, ...values: Arguments) => Value | PromiseLike<Value>,
    options?: RunOptions<Value>,
  ): (this: This, ...values: Arguments) => Promise<Value>;
  wrap<Arguments extends unknown[], Value, This = unknown>(
    task: string,
    work: (this: This, context: RunContext<never>, ...values: Arguments) => Value | PromiseLike<Value>,
    options?: RunOptions<Value>,
  ): (this: This, ...values: Arguments) => Promise<Value> {
    if (typeof work !== 'function') throw noFunction('wrap', task, work);
    // As in `run`: the overloads tie the kind of model to the options.
    const open = work as (this: This, context: RunContext, ...values: Arguments) => Value | PromiseLike<Value>;
    const run = <Result>(call: Work<Result>, how?: RunOptions<Result>) => this.run<Result>(task, call, how);
    return function (this: This, ...values) {
      return run<Value>((context) => open.call(this, context, ...values), options);
    };
  }
}

const NO_OPTIONS: RunOptions<unknown> = {};

function noFunction(verb: 'run' | 'wrap', task: unknown, work: unknown): LoopError {
  const found = work === undefined || work === null ? `${work}` : `a ${typeof work}`;
  const call = `loop.${verb}(${showValue(task)}, async ({ signal }) => ...)`;
  return new LoopError(
    'invalid-input',
    `${verb}(${showValue(task)}) was given ${found} instead of a function: write ${call}`,
  );
}

function runTask<Value>(run: TaskRun<Value>): Promise<Value> {
  return run.run();
}
