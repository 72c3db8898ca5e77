import { LoopError } from 'rsi-loop';
import { FileLock, FileLog } from 'rsi-loop/node';
import type { RunClaim, RunRequest, RunStep, RunStore } from './run-step.js';

/** Runs in a folder, which the processes of one machine share: a file of steps for each, and one of requests. */
export class RunFolder implements RunStore {
  readonly folder: string;
  readonly #steps: FileLog<RunStep>;
  readonly #requests: FileLog<RunRequest>;

  constructor(folder: string) {
    this.folder = folder;
    this.#steps = new FileLog(folder, 'run');
    this.#requests = new FileLog(folder, 'request');
  }

  list(): Promise<readonly string[]> {
    return this.#steps.list();
  }

  load(run: string): Promise<readonly RunStep[]> {
    return this.#steps.load(run);
  }

  add(run: string, step: RunStep): Promise<void> {
    return this.#steps.add(run, step);
  }

  async claim(run: string): Promise<RunClaim> {
    const lock = await FileLock.take(this.folder, `run-${run}.lock`);
    if (lock instanceof FileLock) return { release: () => lock.release() };
    const owner = lock.isElsewhere
      ? `a process of another machine or container has run ${run}, if it is still alive: delete ${lock.path} if it is not`
      : `process ${lock.pid} has run ${run}: wait until it has ended, or cancel it`;
    throw new LoopError('store-conflict', owner);
  }

  request(run: string, request: RunRequest): Promise<void> {
    return this.#requests.add(run, request);
  }

  requests(run: string): Promise<readonly RunRequest[]> {
    return this.#requests.load(run);
  }

  /** Returns whether a living process has the run. */
  async isRunning(run: string): Promise<boolean> {
    return FileLock.isHeld(this.folder, `run-${run}.lock`);
  }

  async close(): Promise<void> {
    await Promise.all([this.#steps.close(), this.#requests.close()]);
  }
}
