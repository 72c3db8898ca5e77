import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { FromWorker, HostFunction, HostResult, RunMessage, ToWorker, WorkerSetup } from '../messages.js';
import type { Engine } from './engine.js';

/** Packages of each engine. */
const PACKAGES = {
  quickjs: ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync'],
  wasi: ['@bjorn3/browser_wasi_shim'],
  types: ['sucrase'],
} as const;

/** Runs programs that the host sends, one at a time. */
export class WorkerProgram {
  readonly #port: MessagePort;
  readonly #setup: WorkerSetup;
  readonly #state: Int32Array;
  readonly #calls = new Map<number, (result: HostResult) => void>();
  #call = 0;
  #run = 0;
  #engine: Engine | undefined;
  #stop: () => void = () => undefined;

  constructor(port: MessagePort, setup: WorkerSetup) {
    this.#port = port;
    this.#setup = setup;
    this.#state = new Int32Array(setup.state);
  }

  start(): void {
    this.#port.on('message', (message: ToWorker) => this.#take(message));
    void this.#load();
  }

  async #load(): Promise<void> {
    try {
      this.#engine = await createEngine(this.#setup.engine);
      await this.#engine.load();
    } catch (error) {
      this.#missing(PACKAGES[this.#setup.engine], error);
      return;
    }
    await this.#getReady(this.#setup.memoryBytes);
  }

  async #loadTypes(): Promise<void> {
    try {
      await import('sucrase');
      this.#send({ kind: 'loaded' });
    } catch (error) {
      this.#missing(['sucrase'], error);
    }
  }

  async #getReady(memoryBytes: number): Promise<void> {
    await this.#engine?.prepare(memoryBytes);
    this.#send({ kind: 'ready' });
  }

  #take(message: ToWorker): void {
    switch (message.kind) {
      case 'run':
        void this.#runProgram(message);
        return;
      case 'load':
        void this.#loadTypes();
        return;
      case 'stop':
        if (message.run === this.#run) this.#stop();
        return;
      case 'result': {
        const settle = this.#calls.get(message.call);
        this.#calls.delete(message.call);
        settle?.(message);
        return;
      }
      default:
        message satisfies never;
    }
  }

  async #runProgram(message: RunMessage): Promise<void> {
    const { run, limits } = message;
    this.#run = run;
    this.#calls.clear();
    const deadlineMs = performance.now() + limits.timeMs;
    const watch = () =>
      performance.now() > deadlineMs || Atomics.load(this.#state, 0) === run ? ('timeout' as const) : undefined;
    const stopped = new Promise<void>((resolve) => {
      this.#stop = resolve;
    });
    const ask = Object.assign((name: HostFunction, args: string) => this.#ask(run, name, args), {
      now: (name: HostFunction, args: string) => this.#askNow(run, name, args),
    });
    const answer = await this.#engine?.run(message, ask, watch, stopped);
    if (answer) this.#send({ kind: 'done', run, ...answer });
    // The answer leaves first.
    setImmediate(() => void this.#getReady(limits.memoryBytes));
  }

  #ask(run: number, name: HostFunction, args: string): Promise<HostResult> {
    const call = this.#begin(run, name, args);
    return new Promise((resolve) => this.#calls.set(call, resolve));
  }

  /** Reads messages itself, as none is delivered while the thread sleeps. */
  #askNow(run: number, name: HostFunction, args: string): HostResult | undefined {
    const call = this.#begin(run, name, args);
    for (;;) {
      const sent = Atomics.load(this.#state, 1);
      if (Atomics.load(this.#state, 0) === run) return undefined;
      const received: { readonly message: ToWorker } | undefined = receiveMessageOnPort(this.#port);
      if (received === undefined) Atomics.wait(this.#state, 1, sent);
      else if (received.message.kind === 'result' && received.message.call === call) return received.message;
      else this.#take(received.message);
    }
  }

  #begin(run: number, name: HostFunction, args: string): number {
    this.#call += 1;
    this.#send({ kind: 'call', run, call: this.#call, function: name, args });
    return this.#call;
  }

  #missing(packages: readonly string[], error: unknown): void {
    this.#send({ kind: 'missing', packages: isMissing(error) ? packages : [], message: String(error) });
  }

  #send(message: FromWorker): void {
    this.#port.postMessage(message);
  }
}

/** @throws if a package of the engine is not installed. */
async function createEngine(engine: WorkerSetup['engine']): Promise<Engine> {
  if (engine === 'quickjs') return new (await import('./quickjs-engine.js')).QuickJsEngine();
  if (engine === 'types') return new (await import('./types-engine.js')).TypesEngine();
  return new (await import('./wasi-engine.js')).WasiEngine();
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}
