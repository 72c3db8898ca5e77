import { LineFiles } from 'rsi-loop/node';
import type { BenchRun, BenchRuns } from './bench-run.js';

/**
 * Keeps the runs of benchmarks in a folder, one file of lines per comparison. A process killed while it writes loses at
 * most the run of that moment, which is then run again.
 */
export class FileRuns implements BenchRuns {
  readonly #files: LineFiles;

  constructor(folder: string) {
    this.#files = new LineFiles(folder, 'runs');
  }

  async load(comparison: string): Promise<readonly BenchRun[]> {
    const lines = await this.#files.read(comparison);
    return lines.map((line) => ({ comparison, ...(line as unknown as Omit<BenchRun, 'comparison'>) })); // the checksum shows that this program wrote it
  }

  async save({ comparison, ...run }: BenchRun): Promise<void> {
    await this.#files.append(comparison, run);
  }

  /** Closes the files. */
  async close(): Promise<void> {
    await this.#files.close();
  }
}
