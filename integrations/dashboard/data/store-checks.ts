import { MemoryStore, type RSILoop } from 'rsi-loop';
import type { StoreCheck } from 'rsi-loop/node';
import { version } from '../../../package.json';
import { checkStore } from '../../reports/check-store.js';
import { readStudies, studyWords } from '../../reports/studies.js';
import type { StoreView } from '../views.js';
import { describedStore } from './store-place.js';

/** Time for which a check is valid, in milliseconds. A check reads all records. */
const VALID_MS = 60_000;

/** Checks of one store, at most one per minute. */
export class StoreChecks {
  readonly #check: () => Promise<StoreView>;
  #newest: { readonly atMs: number; readonly view: Promise<StoreView> } | undefined;

  constructor(check: () => Promise<StoreView>) {
    this.#check = check;
  }

  view(nowMs: number): Promise<StoreView> {
    const known = this.#newest;
    if (known && Math.abs(nowMs - known.atMs) < VALID_MS) return known.view;
    const newest = { atMs: nowMs, view: this.#check() };
    this.#newest = newest;
    newest.view.catch(() => {
      if (this.#newest === newest) this.#newest = undefined;
    });
    return newest.view;
  }
}

/** Checks the store of a loop. `folder` is its folder, if the caller knows one. */
export async function checkLoop(
  loop: Pick<RSILoop, 'store'>,
  { folder: given, name }: { readonly folder?: string; readonly name: string },
): Promise<StoreView> {
  const store = describedStore(loop);
  const folder = given ?? store.folder;
  if (folder !== undefined) return checkFolder(folder);
  if (store.check !== undefined) return viewOf(name, await store.check());
  const finding = store instanceof MemoryStore ? IN_MEMORY : UNKNOWN;
  return { facts: [{ name: 'store', value: name }], findings: [finding] };
}

async function checkFolder(folder: string): Promise<StoreView> {
  const studies = (await readStudies(folder)).map((study) => ({
    name: 'on trial',
    value: `${PARTS[study.kind]} of ${study.name}: ${studyWords(study)}`,
  }));
  const { facts, findings } = viewOf(folder, await checkStore(folder, version));
  return { facts: [...facts, ...studies], findings };
}

function viewOf(name: string, checks: readonly StoreCheck[]): StoreView {
  const findings = checks
    .filter(({ ok }) => !ok)
    .map(({ name, found, advice }) => ({
      level: 'attention' as const,
      message: `${name}: ${found}`,
      ...(advice !== undefined && { advice }),
    }));
  return {
    facts: [{ name: 'store', value: name }, ...checks.map((check) => ({ name: check.name, value: check.found }))],
    findings: findings.length > 0 ? findings : [FINE],
  };
}

const PARTS = { file: 'lines', prompt: 'lines', skills: 'skills', set: 'parts' } as const;
const IN_MEMORY = {
  level: 'ok',
  message: 'Records and decisions are in memory and lost when the process ends.',
  advice: 'Pass `store: new FileStore("./rsi_data")` to the loop to keep them.',
} as const;
const UNKNOWN = { level: 'ok', message: 'This store has no checks of its own.' } as const;
const FINE = { level: 'ok', message: 'Nothing needs attention.' } as const;
