import type { BenchRun, BenchRuns } from './bench-run.js';

/** Keeps runs in memory: a comparison can resume within this process. */
export class MemoryRuns implements BenchRuns {
  readonly #runs: BenchRun[] = [];

  async load(comparison: string): Promise<readonly BenchRun[]> {
    return this.#runs.filter((run) => run.comparison === comparison);
  }

  async save(run: BenchRun): Promise<void> {
    this.#runs.push(run);
  }
}
