import { LoopError } from 'rsi-loop';
import type { KeptRun, KeptRuns } from '../../reports/kept-runs.js';

/**
 * Finds a run by its id, or the beginning of it.
 * @throws LoopError `invalid-input` if there is none, or more than one.
 */
export async function findRun(runs: KeptRuns, asked: string | undefined): Promise<KeptRun> {
  if (asked === undefined) throw new LoopError('invalid-input', 'which run? "runs list" shows their ids');
  const ids = await runs.ids();
  const found = ids.includes(asked) ? [asked] : ids.filter((id) => id.startsWith(asked));
  const run = found.length === 1 ? await runs.find(found[0] ?? '') : undefined;
  if (run) return run;
  const what = found.length > 1 ? `several runs begin with "${asked}"` : `there is no run "${asked}" in ${runs.name}`;
  const known = (found.length > 1 ? found : ids).slice(0, 8).join(', ');
  throw new LoopError(
    'invalid-input',
    `${what}: ${known === '' ? '--folder names another folder' : `give one of ${known}`}`,
  );
}
