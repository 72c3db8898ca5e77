import { checkStore } from 'rsi-loop/node';
import { version } from '../../../package.json';
import type { StoreView } from '../views.js';
import type { DataSource } from './source.js';

/** Time for which a check is valid, in milliseconds. A check reads all records of a folder. */
const VALID_MS = 60_000;

/** Checks of one folder, at most one per minute. */
export class StoreChecks {
  readonly #folder: string;
  #newest: { readonly atMs: number; readonly view: Promise<StoreView> } | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  view(nowMs: number): Promise<StoreView> {
    const known = this.#newest;
    if (known && Math.abs(nowMs - known.atMs) < VALID_MS) return known.view;
    const newest = { atMs: nowMs, view: check(this.#folder) };
    this.#newest = newest;
    newest.view.catch(() => {
      if (this.#newest === newest) this.#newest = undefined;
    });
    return newest.view;
  }
}

/** Returns the report of `rsi doctor`, which may be a minute old. */
export async function storeView({ loop, checks, nowMs }: DataSource): Promise<StoreView> {
  if (loop.hasLostStore) return { facts: [], findings: [LOST] };
  return checks?.view(nowMs) ?? { facts: [{ name: 'store', value: 'memory' }], findings: [IN_MEMORY] };
}

async function check(folder: string): Promise<StoreView> {
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
