import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BenchHistory, type BenchRuns, FileRuns } from 'rsi-loop/bench';
import { FileLog, type ImprovementStep } from 'rsi-loop/improve';
import { approve, type Deciding, reject } from '../../reports/approve-version.js';
import { findVersion, readImprovements } from '../../reports/kept-improvements.js';

/** Results of benchmarks and improvements. */
export interface BenchSource {
  /** Place of the results, for people. */
  readonly name: string;
  readonly history: Pick<BenchHistory, 'list'>;
  readonly runs: Pick<BenchRuns, 'load'>;
  readonly log: Pick<FileLog<ImprovementStep>, 'list' | 'load'>;
  /** Decides on a version that is proven better. Undefined if this dashboard only shows them. */
  readonly decide?: (version: string, kind: 'approve' | 'reject', deciding: Deciding) => Promise<void>;
  /** Returns another value once there are new results. */
  size(): Promise<number>;
}

/** File that an approved version is written to, as by `rsi improve approve`. */
const APPROVED_FILE = './rsi.approved.json';

/** Returns the results that `rsi bench` and `rsi improve` keep in a folder. */
export function benchFolder(folder: string, file = APPROVED_FILE): BenchSource {
  return {
    name: folder,
    history: new BenchHistory(folder),
    runs: new FileRuns(folder),
    log: new FileLog(folder),
    decide: async (version, kind, deciding) => {
      const found = findVersion(await readImprovements(folder), version);
      if (kind === 'reject') await reject(found, deciding, folder);
      else await approve(found, deciding, { folder, file });
    },
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
