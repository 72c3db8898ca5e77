import type { Rate } from 'rsi-loop';
import { LineFiles } from 'rsi-loop/node';
import type { Comparison } from './comparison.js';
import type { Variant } from './problem-runner.js';

/** Start of a run (one pass), a baseline or a comparison. */
export interface BenchStart {
  readonly seed: number;
  readonly atMs: number;
  readonly suite: string;
  readonly action: 'run' | 'baseline' | 'compare';
  /** Versions that are compared with the agent as it is; none for a run or a baseline. */
  readonly candidates: readonly Variant[];
  /** Id of its runs, see `comparisonId` and `baselineId`. */
  readonly runs: string;
}

/** End of a baseline or a comparison, with its figures. */
export interface BenchEnd {
  readonly seed: number;
  readonly atMs: number;
  /** Of a run or a baseline. */
  readonly score?: Rate;
  /** Mean score of each problem of a run or a baseline, 0 to 1. */
  readonly problems?: Readonly<Record<string, number>>;
  readonly costUsd?: number;
  readonly comparisons?: readonly Comparison[];
}

/** Run, baseline or comparison. Without an end it was interrupted, or is running. */
export interface BenchRecord extends BenchStart {
  readonly end?: BenchEnd;
}

const FILE = 'history';

/** Benchmarks of a folder in the order of their starts, in a file beside their runs. */
export class BenchHistory {
  readonly #files: LineFiles;

  constructor(folder: string) {
    this.#files = new LineFiles(folder, 'benchmarks');
  }

  /** Resolves when the start is on the disk. */
  start(start: BenchStart): Promise<void> {
    return this.#files.append(FILE, { start });
  }

  /** Resolves when the end is on the disk. */
  end(end: BenchEnd): Promise<void> {
    return this.#files.append(FILE, { end });
  }

  /** Returns every benchmark, oldest first. A damaged line is skipped. */
  async list(): Promise<readonly BenchRecord[]> {
    // The checksums show that this class wrote them.
    const lines = (await this.#files.read(FILE)) as readonly { readonly start?: BenchStart; readonly end?: BenchEnd }[];
    const ends = new Map(lines.flatMap(({ end }) => (end ? [[end.seed, end]] : [])));
    return lines.flatMap(({ start }) => {
      if (!start) return [];
      const end = ends.get(start.seed);
      return [{ ...start, ...(end && { end }) }];
    });
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#files.close();
  }
}
