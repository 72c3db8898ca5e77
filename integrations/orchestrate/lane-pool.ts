import { SystemClock } from 'rsi-loop';
import { mustBe } from 'rsi-loop/kit';
import type { Amount, WorstCase } from 'rsi-loop/oversee';
import { type Lane, type LaneEvents, type LaneOptions, startProcess, startThread } from './lane.js';
import type { FromLane, ToLane } from './lane-messages.js';
import { fromPlainError, toPlainError } from './plain-error.js';
import type { TaskCall, TaskHost, WorkerPool, WorkerResult } from './worker.js';

/** Options of `openPool`. */
export interface PoolOptions extends LaneOptions {
  /** Tasks at the same time, each in a thread or process of its own. Default 2. */
  readonly count?: number;
  /** Time that a stopped task has to end before its thread or process is killed, in milliseconds. Default 1,000. */
  readonly graceMs?: number;
}

/**
 * Runs tasks in worker threads. `file` calls `serveTask`. A thread that crashes or exceeds `memoryMb` fails the attempt of
 * its task, and the next one gets a new thread.
 */
export function threads(file: string | URL, options: PoolOptions = {}): WorkerPool {
  return new LanePool('thread', (events) => startThread(file, options, events), options);
}

/**
 * Runs tasks in child processes, which share nothing with this one. `file` calls `serveTask`. A process that crashes or
 * exceeds `memoryMb` fails the attempt of its task. A killed process takes those that it started with it.
 */
export function processes(file: string | URL, options: PoolOptions = {}): WorkerPool {
  return new LanePool('process', (events) => startProcess(file, options, events), options);
}

class LanePool implements WorkerPool {
  readonly count: number;
  readonly #what: string;
  readonly #start: (events: LaneEvents) => Lane;
  readonly #graceMs: number;
  readonly #idle: PooledLane[] = [];

  constructor(
    what: string,
    start: (events: LaneEvents) => Lane,
    { count = 2, graceMs = 1_000, memoryMb }: PoolOptions,
  ) {
    mustBe(Number.isInteger(count) && count > 0, 'count', count, 'a whole number from 1');
    mustBe(Number.isFinite(graceMs) && graceMs >= 0, 'graceMs', graceMs, 'milliseconds from 0');
    mustBe(memoryMb === undefined || (Number.isInteger(memoryMb) && memoryMb > 0), 'memoryMb', memoryMb, 'megabytes');
    this.count = count;
    this.#what = what;
    this.#start = start;
    this.#graceMs = graceMs;
  }

  async run(call: TaskCall, host: TaskHost): Promise<WorkerResult> {
    const lane = this.#free() ?? new PooledLane(this.#what, this.#start);
    try {
      return await lane.run(call, host, this.#graceMs);
    } finally {
      if (lane.isUsable) this.#idle.push(lane);
      else lane.kill();
    }
  }

  #free(): PooledLane | undefined {
    let lane = this.#idle.pop();
    while (lane && !lane.isUsable) lane = this.#idle.pop();
    return lane;
  }

  async close(): Promise<void> {
    for (const lane of this.#idle.splice(0)) lane.kill();
  }
}

/** Call in progress in a lane. */
interface LaneCall {
  readonly number: number;
  readonly host: TaskHost;
  readonly resolve: (result: WorkerResult) => void;
  readonly reject: (error: unknown) => void;
  /** Calls of the worker that it pays for, by question. */
  readonly spending: Map<number, { resolve(actual: Amount): void; reject(error: unknown): void }>;
}

/** Lane that runs one task after another. */
class PooledLane {
  /** Whether it can take another call: it lives, and its last call has ended. */
  isUsable = true;
  readonly #what: string;
  readonly #lane: Lane;
  #count = 0;
  #call: LaneCall | undefined;

  constructor(what: string, start: (events: LaneEvents) => Lane) {
    this.#what = what;
    this.#lane = start({
      onMessage: (message) => this.#take(message as FromLane), // `serveTask` sends nothing else
      onEnd: (how, cause) => this.#died(how, cause),
    });
  }

  async run(task: TaskCall, host: TaskHost, graceMs: number): Promise<WorkerResult> {
    const number = ++this.#count;
    const { signal } = host;
    let cancelTimer = () => {};
    const onAbort = () => {
      this.#post({ kind: 'abort', call: number, reason: toPlainError(signal.reason) });
      cancelTimer = new SystemClock().after(graceMs, () => this.#fail(signal.reason));
    };
    this.#lane.keepAlive(true);
    this.isUsable = false;
    try {
      return await new Promise<WorkerResult>((resolve, reject) => {
        this.#call = { number, host, resolve, reject, spending: new Map() };
        this.#post({ kind: 'call', call: number, task });
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort, { once: true });
      });
    } finally {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
      this.#call = undefined;
      this.#lane.keepAlive(false);
    }
  }

  kill(): void {
    this.#lane.kill();
  }

  #take(message: FromLane): void {
    const call = this.#call;
    if (!call || message.call !== call.number) return;
    switch (message.kind) {
      case 'done':
        this.isUsable = true;
        call.resolve({ result: message.result });
        break;
      case 'failed':
        this.isUsable = true;
        this.#fail(fromPlainError(message.error));
        break;
      case 'send':
        void this.#answer(call, message.question, () => call.host.send(message.to, message.body));
        break;
      case 'receive':
        void this.#answer(call, message.question, () => call.host.receive(message.from));
        break;
      case 'reserve':
        void this.#reserve(call, message.question, message.worst);
        break;
      case 'settle':
        call.spending.get(message.question)?.resolve(message.actual);
        call.spending.delete(message.question);
        break;
      default:
        message satisfies never;
    }
  }

  async #answer({ number: call }: LaneCall, question: number, work: () => Promise<unknown>): Promise<void> {
    try {
      this.#post({ kind: 'answer', call, question, value: await work() });
    } catch (error) {
      this.#post({ kind: 'answer', call, question, error: toPlainError(error) });
    }
  }

  /** Reserves an amount until the worker settles it. What a dead worker reserved counts as spent. */
  async #reserve({ number: call, host, spending }: LaneCall, question: number, worst: WorstCase): Promise<void> {
    let isGranted = false;
    const granted = () =>
      new Promise<Amount>((resolve, reject) => {
        isGranted = true;
        spending.set(question, { resolve, reject });
        this.#post({ kind: 'answer', call, question, value: question });
      });
    try {
      await host.spend(worst, granted, (actual) => actual);
    } catch (error) {
      if (!isGranted) this.#post({ kind: 'answer', call, question, error: toPlainError(error) });
    }
  }

  #died(how: string, cause: unknown): void {
    this.isUsable = false;
    this.#fail(new Error(`the ${this.#what} of the worker ended: ${how}`, { cause }));
  }

  #fail(error: unknown): void {
    for (const { reject } of this.#call?.spending.values() ?? []) reject(error);
    this.#call?.reject(error);
  }

  #post(message: ToLane): void {
    this.#lane.post(message);
  }
}
