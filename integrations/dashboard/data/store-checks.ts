import { checkStore } from 'rsi-loop/node';
import { version } from '../../../package.json';
import type { StoreView } from '../views.js';

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
