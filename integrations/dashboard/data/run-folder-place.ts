import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RunFolder } from 'rsi-loop/orchestrate';
import type { RunPlace } from '../../reports/kept-runs.js';

/** Returns the runs that `orchestrate()` keeps in a folder. */
export function runFolderPlace(folder: string): RunPlace {
  const runs = new RunFolder(folder);
  const versionOf = async (id: string): Promise<[string, string]> => {
    const { size, mtimeMs } = await stat(join(folder, `run-${id}.jsonl`));
    return [id, `${size} ${mtimeMs}`];
  };
  return {
    name: folder,
    versions: async () => new Map(await Promise.all((await runs.list()).map(versionOf))),
    isRunning: (id) => runs.isRunning(id),
    open: () => new RunFolder(folder),
  };
}
