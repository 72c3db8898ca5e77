import { Worker } from 'node:worker_threads';
import { type Clock, LoopError, SystemClock } from 'rsi-loop';
import type { SandboxAnswer, SandboxCall } from '../sandbox.js';
import { HostCalls } from './host/host-calls.js';
import type { Network } from './host/network.js';
import type { FromWorker, RunMessage, ToWorker, WorkerAnswer, WorkerEnd, WorkerSetup } from './messages.js';
import type { RunSettings } from './sandbox-settings.js';
import { workerFile } from './worker-file.js';

/** Time in which a worker ends a run that was stopped. Then the worker is terminated. */
const GRACE_MS = 100;
/** Memory of a worker besides that of programs, for its own work. */
const WORKER_MB = 128;

/** Run that waits for a worker or has one. */
export interface Job {
  readonly message: Omit<RunMessage, 'kind' | 'run'>;
  readonly settings: RunSettings;
  readonly resolve: (answer: SandboxAnswer) => void;
  readonly reject: (error: LoopError) => void;
}

/** Why a worker could not start. Others would fail the same way. */
export interface WorkerFailure {
  readonly error?: LoopError;
}

export interface WorkerEvents {
  /** The worker can take a run. */
  onReady(worker: PooledWorker): void;
  /** The worker ended. Its run has its answer. */
  onEnd(worker: PooledWorker, failure: WorkerFailure): void;
}

/** One worker thread, which runs one program at a time. An idle one does not keep the process alive. */
export class PooledWorker {
  readonly #worker: Worker;
  readonly #events: WorkerEvents;
  readonly #network: Network;
  readonly #state = new Int32Array(new SharedArrayBuffer(8));
  #current: CurrentRun | undefined;
  #runs = 0;
  #failure: Extract<WorkerEnd, { reason: unknown }> | undefined;
  #missing: LoopError | undefined;
  #hasStarted = false;
  #isEnding = false;
  #readsTypes = false;
  /** Job that waits until the worker can read TypeScript. */
  #loading: Job | undefined;

  constructor(setup: Omit<WorkerSetup, 'state'>, network: Network, events: WorkerEvents) {
    const program = workerFile();
    this.#network = network;
    this.#events = events;
    this.#worker = new Worker(program, {
      workerData: { ...setup, state: this.#state.buffer } satisfies WorkerSetup,
      eval: typeof program === 'string',
      execArgv: [],
      env: {},
      // Kept from the output of the process. Reading them would keep the process alive.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: WORKER_MB, stackSizeMb: 4 },
    });
    this.#worker.on('message', (message: FromWorker) => this.#take(message));
    this.#worker.on('error', (error: Error & { readonly code?: string }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#failure = isMemory
        ? { reason: 'memory', message: 'the worker of the program ran out of memory' }
        : { reason: 'crashed', message: `the worker of the program failed: ${error.message}`.slice(0, 500) };
    });
    this.#worker.on('exit', () => this.#gone());
  }

  /** Called only when the worker is ready. */
  run(job: Job): void {
    this.#worker.ref();
    if (!hasTypes(job.message) || this.#readsTypes) {
      this.#begin(job);
      return;
    }
    this.#loading = job;
    this.#send({ kind: 'load' });
  }

  #begin(job: Job): void {
    this.#runs += 1;
    const run = this.#runs;
    const calls = new HostCalls(job.settings, this.#network);
    this.#current = new CurrentRun(run, job, calls, {
      stop: () => {
        Atomics.store(this.#state, 0, run);
        this.#send({ kind: 'stop', run });
      },
      terminate: () => void this.#terminate(),
    });
    this.#send({ kind: 'run', run, ...job.message });
  }

  /** Ends its run with reason `stopped`, and the thread. */
  async terminate(): Promise<void> {
    this.#current?.end({ reason: 'stopped', message: 'the sandbox was closed' });
    await this.#terminate();
  }

  async #terminate(): Promise<void> {
    this.#isEnding = true;
    await this.#worker.terminate();
  }

  #take(message: FromWorker): void {
    const current = this.#current;
    switch (message.kind) {
      case 'ready':
        this.#hasStarted = true;
        // Sent before its end: it takes no run any more, and must keep the process alive for those who wait for the end.
        if (this.#isEnding) return;
        this.#worker.unref();
        this.#events.onReady(this);
        return;
      case 'loaded':
        this.#readsTypes = true;
        if (this.#loading) this.#begin(this.#loading);
        this.#loading = undefined;
        return;
      case 'missing':
        this.#lacks(message.packages, message.message);
        return;
      case 'call':
        if (message.run !== current?.run) return;
        void current.call(message).then((result) => {
          if (result) this.#send({ kind: 'result', run: message.run, call: message.call, ...result });
        });
        return;
      case 'done':
        if (message.run !== current?.run) return;
        this.#current = undefined;
        current.done(message);
        return;
      default:
        message satisfies never;
    }
  }

  #lacks(packages: readonly string[], message: string): void {
    const names = packages.join(' ');
    const why =
      packages.length > 0 ? `the sandbox needs ${names}: npm install ${names}` : `the sandbox failed: ${message}`;
    const error = new LoopError('missing-peer', why, { cause: message });
    if (this.#loading) {
      this.#loading.reject(error);
      this.#loading = undefined;
      this.#worker.unref();
      this.#events.onReady(this);
      return;
    }
    this.#missing = error;
    void this.#terminate();
  }

  #gone(): void {
    const end = this.#failure ?? { reason: 'crashed', message: 'the worker of the program ended' };
    this.#current?.end(end);
    this.#current = undefined;
    this.#loading?.resolve({ kind: 'failed', ...end, calls: [], log: [], durationMs: 0 });
    const failed = this.#hasStarted
      ? undefined
      : new LoopError('sandbox-refused', `cannot start a worker: ${end.message}`);
    const error = this.#missing ?? failed;
    this.#events.onEnd(this, error ? { error } : {});
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
    Atomics.add(this.#state, 1, 1);
    Atomics.notify(this.#state, 1);
  }
}

function hasTypes({ language, modules = {} }: Job['message']): boolean {
  return language === 'typescript' || Object.values(modules).some((module) => module.language === 'typescript');
}

/** Run in progress, from the view of the host. */
class CurrentRun {
  readonly run: number;
  readonly #job: Job;
  readonly #calls: HostCalls;
  readonly #worker: { stop(): void; terminate(): void };
  readonly #clock: Clock = new SystemClock();
  readonly #startedMs = this.#clock.monotonic();
  readonly #cancelTimeout: () => void;
  readonly #onAbort = () => this.#stop({ reason: 'stopped', message: 'the caller stopped the run' });
  #cancelGrace: () => void = () => undefined;
  #over: WorkerEnd | undefined;

  constructor(run: number, job: Job, calls: HostCalls, worker: { stop(): void; terminate(): void }) {
    this.run = run;
    this.#job = job;
    this.#calls = calls;
    this.#worker = worker;
    const { limits, signal } = job.settings;
    this.#cancelTimeout = this.#clock.after(limits.timeMs, () => this.#stop(this.#timedOut()));
    signal?.addEventListener('abort', this.#onAbort);
    if (signal?.aborted) this.#onAbort();
  }

  async call({ function: name, args }: Extract<FromWorker, { kind: 'call' }>) {
    const result = await this.#calls.call(name, args);
    if (result === undefined) {
      const { calls } = this.#job.settings.limits;
      this.#stop({ reason: 'calls', message: `the program called the host more than ${calls} times` });
    }
    return result;
  }

  done({ end, log, calls }: WorkerAnswer): void {
    if (this.#over === undefined && 'reason' in end && end.reason === 'timeout') this.#over = this.#timedOut();
    this.#finish(this.#over ?? end, log, calls);
  }

  /** Ends the run without an answer of the worker. */
  end(end: WorkerEnd): void {
    this.#finish(this.#over ?? end, [], []);
  }

  #stop(why: WorkerEnd): void {
    if (this.#over) return;
    this.#over = why;
    this.#calls.stop();
    this.#worker.stop();
    this.#cancelGrace = this.#clock.after(GRACE_MS, () => this.#worker.terminate());
  }

  #timedOut(): WorkerEnd {
    return { reason: 'timeout', message: `the program took longer than ${this.#job.settings.limits.timeMs} ms` };
  }

  #finish(end: WorkerEnd, log: readonly string[], served: readonly SandboxCall[]): void {
    this.#release();
    const durationMs = this.#clock.monotonic() - this.#startedMs;
    const trace = { calls: [...this.#calls.done, ...served], log, durationMs };
    const { refusal } = this.#calls;
    if ('output' in end) this.#job.resolve({ kind: 'answer', output: JSON.parse(end.output), ...trace });
    else {
      const isRefused = end.reason === 'error' && refusal !== undefined && end.message.includes(refusal);
      this.#job.resolve({ kind: 'failed', ...end, ...(isRefused && { reason: 'refused' }), ...trace });
    }
  }

  #release(): void {
    this.#cancelTimeout();
    this.#cancelGrace();
    this.#calls.stop();
    this.#job.settings.signal?.removeEventListener('abort', this.#onAbort);
  }
}
