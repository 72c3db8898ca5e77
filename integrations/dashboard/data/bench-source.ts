import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BenchHistory, type BenchRuns, FileRuns } from 'rsi-loop/bench';
import { FileLog, type ImprovementStep } from 'rsi-loop/improve';

/** Results of benchmarks and improvements. */
export interface BenchSource {
  /** Place of the results, for people. */
  readonly name: string;
  readonly history: Pick<BenchHistory, 'list'>;
  readonly runs: Pick<BenchRuns, 'load'>;
  readonly log: Pick<FileLog<ImprovementStep>, 'list' | 'load'>;
  /** Returns another value once there are new results. */
  size(): Promise<number>;
}

/** Returns the results that `rsi bench` and `rsi improve` keep in a folder. */
export function benchFolder(folder: string): BenchSource {
  return {
    name: folder,
    history: new BenchHistory(folder),
    runs: new FileRuns(folder),
    log: new FileLog(folder),
    size: async () => {
      const names = await readdir(folder).catch(() => []);
      const sizes = names.map((name) =>
        stat(join(folder, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      );
      return (await Promise.all(sizes)).reduce((sum, one) => sum + one, names.length);
    },
  };
}
