import { resolve } from 'node:path';
import type { StoreCheck } from 'rsi-loop/node';
import { version } from '../../../package.json';
import { checkStore } from '../../reports/check-store.js';
import { renderChecks } from '../doctor/render-doctor.js';
import { EXIT } from '../exit.js';
import { checkStudies } from '../prove/check-studies.js';
import { mustBeStore } from '../store/check-folder.js';
import { isDatabase, shownStore } from '../store/database.js';
import { lookAt } from '../terminal/look.js';
import { print } from '../terminal/output.js';
import { jsonOption, type ReadOptions, storeOption, verb } from '../verb.js';

/** The verb `rsi doctor`: checks the folder of a loop and says what to do about problems. */
export const doctor = verb<ReadOptions>({
  description:
    'Checks the folder or the database of a loop: rights, space, formats, the chain of the ledger, damaged records, lease, clocks, versions, studies of rsi prove. Changes nothing. Ends with exit code 1 if something needs attention.',
  examples: [
    ['doctor', './rsi_data'],
    ['doctor --store /var/lib/agent/rsi_data', 'another folder'],
  ],
  options: [storeOption(), jsonOption()],
  run: async ({ store, json }) => {
    const folder = isDatabase(store) ? shownStore(store) : resolve(store);
    const checks = isDatabase(store) ? await checkDatabase(store) : await checkFolder(store);
    const document = { format: 'rsi-doctor/1', folder, checks };
    await print({ document, text: renderChecks(folder, checks, lookAt(process.stdout, store)) }, json);
    return checks.every(({ ok }) => ok) ? EXIT.done : EXIT.attention;
  },
});

async function checkFolder(store: string): Promise<readonly StoreCheck[]> {
  await mustBeStore(store, { evenUnmarked: true });
  return [...(await checkStore(resolve(store), version)), ...(await checkStudies(resolve(store)))];
}

async function checkDatabase(url: string): Promise<readonly StoreCheck[]> {
  const { checkPostgres } = await import('rsi-loop/stores/postgres');
  const versions = { name: 'versions', ok: true, found: `rsi-loop ${version}, Node ${process.versions.node}` };
  return [...(await checkPostgres({ url })), versions];
}
