import type { RunClaim, RunRequest, RunStep, RunStore } from '../../../integrations/orchestrate/index.js';
import type { MemoryRunStore } from '../../../integrations/orchestrate/memory-run-store.js';

/** Process that can be killed: after its death, it stores nothing and no effect of it happens. */
export class Life {
  isDead = false;
  #left: number;

  /** Dies before or after the given number of steps. */
  constructor(steps: number) {
    this.#left = steps;
  }

  /** Returns whether the process lives on. */
  step(): boolean {
    if (!this.isDead && --this.#left < 0) this.isDead = true;
    return !this.isDead;
  }
}

export const NEVER = new Promise<never>(() => undefined);

/** Store as a process sees it that can be killed before and after each step. */
export class MortalStore implements RunStore {
  readonly #real: MemoryRunStore;
  readonly #life: Life;

  constructor(real: MemoryRunStore, life: Life) {
    this.#real = real;
    this.#life = life;
  }

  list(): Promise<readonly string[]> {
    return this.#real.list();
  }

  load(run: string): Promise<readonly RunStep[]> {
    return this.#real.load(run);
  }

  async add(run: string, step: RunStep): Promise<void> {
    if (!this.#life.step()) return NEVER;
    await this.#real.add(run, step);
    return this.#life.step() ? undefined : NEVER;
  }

  /** A killed process holds no claim. */
  async claim(): Promise<RunClaim> {
    return { release: async () => undefined };
  }

  async request(run: string, request: RunRequest): Promise<void> {
    await this.#real.request(run, request);
  }

  requests(run: string): Promise<readonly RunRequest[]> {
    return this.#real.requests(run);
  }

  async close(): Promise<void> {}
}
