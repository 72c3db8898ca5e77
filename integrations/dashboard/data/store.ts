import { checkStore } from 'rsi-loop/node';
import { version } from '../../../package.json';
import type { StoreView } from '../views.js';
import type { DataSource } from './source.js';

/** Returns the report of `rsi doctor`. Reads all records of a folder. */
export async function storeView({ loop, folder }: Pick<DataSource, 'loop' | 'folder'>): Promise<StoreView> {
  if (loop.hasLostStore) return { facts: [], findings: [LOST] };
  if (folder === undefined) return { facts: [{ name: 'store', value: 'memory' }], findings: [IN_MEMORY] };
  const checks = await checkStore(folder, { version });
  const findings = checks
    .filter(({ ok }) => !ok)
    .map(({ name, found, advice }) => ({
      level: 'attention' as const,
      message: `${name}: ${found}`,
      ...(advice !== undefined && { advice }),
    }));
  return {
    facts: [{ name: 'store', value: folder }, ...checks.map(({ name, found }) => ({ name, value: found }))],
    findings: findings.length > 0 ? findings : [FINE],
  };
}

const FINE = { level: 'ok', message: 'Nothing needs attention.' } as const;
const IN_MEMORY = {
  level: 'ok',
  message: 'Records and decisions are in memory and lost when the process ends.',
  advice: 'Pass `store: new FileStore("./rsi_data")` to the loop to keep them.',
} as const;
const LOST = {
  level: 'attention',
  message: 'The store could not be read when the loop started. Records are in memory since then.',
  advice: 'Run "rsi doctor" on the folder, repair what it names, and start the process again.',
} as const;
