import { LoopError } from 'rsi-loop';
import { addTo } from 'rsi-loop/kit';
import type { RunClaim, RunRequest, RunStep, RunStore } from './run-step.js';

/** Runs in memory: a stopped run can be continued within this process. */
export class MemoryRunStore implements RunStore {
  readonly #steps = new Map<string, RunStep[]>();
  readonly #requests = new Map<string, RunRequest[]>();
  readonly #claimed = new Set<string>();

  async list(): Promise<readonly string[]> {
    return [...this.#steps.keys()].sort();
  }

  async load(run: string): Promise<readonly RunStep[]> {
    return [...(this.#steps.get(run) ?? [])];
  }

  async add(run: string, step: RunStep): Promise<void> {
    addTo(this.#steps, run, step);
  }

  async claim(run: string): Promise<RunClaim> {
    if (this.#claimed.has(run))
      throw new LoopError('store-conflict', `this process has run ${run}: wait until it has ended, or use another id`);
    this.#claimed.add(run);
    return {
      release: async () => {
        this.#claimed.delete(run);
      },
    };
  }

  async request(run: string, request: RunRequest): Promise<void> {
    addTo(this.#requests, run, request);
  }

  async requests(run: string): Promise<readonly RunRequest[]> {
    return this.#requests.get(run) ?? [];
  }

  async close(): Promise<void> {}
}
