import type { QuickJSDeferredPromise, QuickJSHandle } from 'quickjs-emscripten-core';
import type { SandboxCall, SandboxFailure } from '../../sandbox.js';
import type { HostFunction, HostResult, RunMessage, WorkerAnswer, WorkerEnd } from '../messages.js';
import { checkOutput, tooLong } from './check-output.js';
import type { AskHost, Watch } from './engine.js';
import type { QuickJsInstance } from './quickjs-instance.js';
import { RunLog } from './run-log.js';
import { seeded } from './seeded.js';

/** Jobs of promises that run before the watch is asked again. */
const JOBS = 1_000;
const MAX_MESSAGE = 2_000;
const OUT_OF_MEMORY = 'InternalError: out of memory';

/** One run of a program in an instance. */
export class QuickJsRun {
  readonly #instance: QuickJsInstance;
  readonly #message: RunMessage;
  readonly #ask: AskHost;
  readonly #watch: Watch;
  readonly #log: RunLog;
  readonly #served = { clock: 0, random: 0 };
  #calls = 0;
  /** Calls of the host that have not ended. */
  #open = 0;
  /** Set at a limit: everything that the program still does is interrupted. */
  #over: WorkerEnd | undefined;
  #wake: () => void = () => undefined;

  constructor(instance: QuickJsInstance, message: RunMessage, ask: AskHost, watch: Watch) {
    this.#instance = instance;
    this.#message = message;
    this.#ask = ask;
    this.#watch = watch;
    this.#log = new RunLog(message.limits.outputBytes);
    const random = seeded(message.seed);
    instance.functions = {
      call: (name, args) => this.#call(name as HostFunction, args), // the host checks the name
      clock: () => {
        this.#served.clock += 1;
        return Date.now();
      },
      random: () => {
        this.#served.random += 1;
        return random();
      },
      log: (line) => this.#log.add(this.#textOf(line, message.limits.outputBytes) ?? '(a line that is too long)'),
    };
    instance.runtime.setMaxStackSize(message.limits.stackBytes);
    instance.runtime.setInterruptHandler(() => this.#isOver());
  }

  async run(code: string, stopped: Promise<void>): Promise<WorkerAnswer> {
    void stopped.then(() => {
      this.#over ??= { reason: 'timeout', message: 'the run was stopped' };
      this.#wake();
    });
    let end: WorkerEnd;
    try {
      end = await this.#evaluate(code);
    } catch (error) {
      end = this.#crash(error);
    }
    return { end: this.#over ?? end, log: this.#log.end(), calls: this.#servedCalls() };
  }

  async #evaluate(code: string): Promise<WorkerEnd> {
    const { context, start } = this.#instance;
    const loaded = context.evalCode(code, 'program.js', { type: 'module', strict: true });
    if (loaded.error) return this.#failure(loaded.error);
    const module = await this.#settled(loaded.value);
    if ('reason' in module) return module;
    const main = context.getProp(module.value, 'default');
    const begun = context.callFunction(start, context.undefined, main, context.newString(this.#message.input));
    if (begun.error) return this.#failure(begun.error);
    const output = await this.#settled(begun.value);
    if ('reason' in output) return output;
    const { outputBytes } = this.#message.limits;
    const length = context.getNumber(context.getProp(output.value, 'length'));
    return length > outputBytes
      ? tooLong(length, outputBytes)
      : checkOutput(context.getString(output.value), outputBytes);
  }

  /** Runs jobs until the promise is settled. A value that is no promise is its own result. */
  async #settled(
    promise: QuickJSHandle,
  ): Promise<{ value: QuickJSHandle } | { reason: SandboxFailure; message: string }> {
    const { context, runtime } = this.#instance;
    for (;;) {
      const state = context.getPromiseState(promise);
      if (this.#isOver()) return { reason: 'timeout', message: 'the run was stopped' };
      if (state.type === 'fulfilled') return { value: state.value };
      if (state.type === 'rejected') return this.#failure(state.error);
      if (runtime.hasPendingJob()) runtime.executePendingJobs(JOBS);
      else if (this.#open > 0) await new Promise<void>((resolve) => (this.#wake = resolve));
      else return { reason: 'error', message: 'the program waits for a promise that is never settled' };
    }
  }

  /** Starts a call of the host. Returns a promise of its result as JSON. */
  #call(name: HostFunction, args: QuickJSHandle): QuickJSHandle {
    const { context } = this.#instance;
    const deferred = context.newPromise();
    const { calls, memoryBytes } = this.#message.limits;
    if (this.#calls >= calls) {
      this.#over ??= { reason: 'calls', message: `the program called the host more than ${calls} times` };
      return deferred.handle;
    }
    this.#calls += 1;
    const text = this.#textOf(args, memoryBytes / 16);
    if (text === undefined) {
      this.#settle(deferred, { error: `${name}: the arguments exceed ${memoryBytes / 16} bytes` });
      return deferred.handle;
    }
    this.#open += 1;
    void this.#ask(name, text).then((result) => {
      this.#open -= 1;
      try {
        this.#settle(deferred, result);
      } catch (error) {
        this.#over ??= this.#crash(error);
      }
      this.#wake();
    });
    return deferred.handle;
  }

  #settle(deferred: QuickJSDeferredPromise, result: HostResult): void {
    const { context } = this.#instance;
    if ('error' in result) deferred.reject(context.newError({ name: 'HostError', message: result.error }));
    else deferred.resolve(context.newString(JSON.stringify(result.value)));
  }

  #isOver(): boolean {
    if (this.#over === undefined && this.#watch() !== undefined) {
      this.#over = { reason: 'timeout', message: 'the run was stopped' };
    }
    return this.#over !== undefined;
  }

  /** Reads a string; `undefined` if it is too long. */
  #textOf(handle: QuickJSHandle, maxLength: number): string | undefined {
    const { context } = this.#instance;
    if (context.typeof(handle) !== 'string') return '';
    return context.getNumber(context.getProp(handle, 'length')) > maxLength ? undefined : context.getString(handle);
  }

  /** Failure of what the program threw. Reading it may run code of the program, which the watch interrupts. */
  #failure(thrown: QuickJSHandle): { reason: SandboxFailure; message: string } {
    const { context, isFull } = this.#instance;
    // The engine throws null if even the error cannot be allocated.
    const message = isFull && context.eq(thrown, context.null) ? OUT_OF_MEMORY : this.#describe(thrown);
    if (/^(?:Internal|Syntax)Error: stack overflow$/.test(message)) return this.#limit('stack');
    if (message === OUT_OF_MEMORY || message === 'InternalError: string too long') return this.#limit('memory');
    return { reason: 'error', message: message.slice(0, MAX_MESSAGE) };
  }

  #describe(thrown: QuickJSHandle): string {
    const { context } = this.#instance;
    const type = context.typeof(thrown);
    const read = (handle: QuickJSHandle) => this.#textOf(handle, MAX_MESSAGE * 100) ?? 'a message that is too long';
    if (type === 'string') return read(thrown);
    if (type !== 'object' || context.eq(thrown, context.null)) return `the program threw a value of type ${type}`;
    const parts = ['name', 'message'].map((name) => read(context.getProp(thrown, name))).filter((part) => part !== '');
    return parts.join(': ') || 'the program threw an object without a message';
  }

  #limit(reason: 'stack' | 'memory'): { reason: SandboxFailure; message: string } {
    const { stackBytes, memoryBytes } = this.#message.limits;
    const limit = reason === 'stack' ? stackBytes : memoryBytes;
    return { reason, message: `the program needs more than ${limit} bytes of ${reason}` };
  }

  /** Failure of the engine itself: it ran out of memory or stack in a place that cannot report it. */
  #crash(error: unknown): WorkerEnd {
    const message = String(error).slice(0, MAX_MESSAGE);
    if (error instanceof RangeError && /call stack/.test(message)) {
      return this.#limit('stack');
    }
    return this.#instance.isFull
      ? this.#limit('memory')
      : { reason: 'crashed', message: `the engine failed: ${message}` };
  }

  #servedCalls(): readonly SandboxCall[] {
    return (['clock', 'random'] as const)
      .filter((name) => this.#served[name] > 0)
      .map((name) => ({
        function: name,
        target: '',
        result: 'ok',
        durationMs: 0,
        bytes: 0,
        times: this.#served[name],
      }));
  }
}
