import { LoopError } from 'rsi-loop';
import type { SandboxAnswer } from '../sandbox.js';
import type { Network } from './host/network.js';
import type { WorkerSetup } from './messages.js';
import { type Job, PooledWorker } from './pooled-worker.js';

/** Worker threads of one sandbox. They start when they are needed, and one that ended is replaced. */
export class WorkerPool {
  readonly #setup: Omit<WorkerSetup, 'state'>;
  readonly #size: number;
  readonly #network: Network;
  readonly #workers = new Set<PooledWorker>();
  readonly #ready: PooledWorker[] = [];
  readonly #waiting: Job[] = [];
  #isClosed = false;

  constructor(setup: Omit<WorkerSetup, 'state'>, size: number, network: Network) {
    this.#setup = setup;
    this.#size = size;
    this.#network = network;
  }

  /** @throws LoopError `closed`, `missing-peer`. */
  run(job: Omit<Job, 'resolve' | 'reject'>): Promise<SandboxAnswer> {
    if (this.#isClosed) return Promise.reject(new LoopError('closed', 'the sandbox is closed: open another one'));
    if (job.settings.signal?.aborted) return Promise.resolve(STOPPED);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...job, resolve, reject });
      this.#serve();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve(STOPPED);
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#ready.pop();
      if (worker === undefined) {
        this.#startWorker();
        return;
      }
      const job = this.#waiting.shift();
      if (job?.settings.signal?.aborted) {
        this.#ready.push(worker);
        job.resolve(STOPPED);
      } else if (job) worker.run(job);
    }
  }

  /** Starts a worker while fewer than `size` are there. */
  #startWorker(): void {
    if (this.#workers.size >= this.#size || this.#isClosed) return;
    const worker = new PooledWorker(this.#setup, this.#network, {
      onReady: () => {
        this.#ready.push(worker);
        this.#serve();
      },
      onEnd: (_, { error }) => this.#replace(worker, error),
    });
    this.#workers.add(worker);
  }

  #replace(worker: PooledWorker, failed: LoopError | undefined): void {
    this.#workers.delete(worker);
    const at = this.#ready.indexOf(worker);
    if (at >= 0) this.#ready.splice(at, 1);
    if (failed) for (const { reject } of this.#waiting.splice(0)) reject(failed);
    else this.#startWorker();
  }
}

const STOPPED: SandboxAnswer = {
  kind: 'failed',
  reason: 'stopped',
  message: 'the caller stopped the run',
  calls: [],
  log: [],
  durationMs: 0,
};
