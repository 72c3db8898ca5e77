import { closeSync, constants, existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ON_TRIAL } from './on-trial.js';
import { type KeptStudy, StudyFolder, triedSkills } from './study-folder.js';

const { O_APPEND, O_NOFOLLOW = 0, O_WRONLY } = constants;

/** Records which skills on trial an agent reads with a tool call. `input` are the arguments of the call. */
export function noteLoads(store: string, key: string, input: string): void {
  const folders = new StudyFolder(store);
  for (const study of folders.open()) {
    if (study.kind === undefined || !existsSync(fileOf(store, study))) continue;
    const read = triedSkills(study).filter(({ name }) => input.includes(`${name}/${ON_TRIAL}`));
    const lines = read.map(({ name }) => `${key} ${name}\n`).join('');
    if (lines === '') continue;
    const file = openSync(fileOf(store, study), O_WRONLY | O_APPEND | O_NOFOLLOW);
    try {
      writeSync(file, lines);
    } finally {
      closeSync(file);
    }
  }
}

/** Begins to count. */
export function startLoads(store: string, study: KeptStudy): void {
  writeFileSync(fileOf(store, study), '', { mode: 0o600 });
}

/** Returns for each skill on trial in how many sessions it was read; `undefined` if the study does not count that. */
export function loadsOf(store: string, study: KeptStudy): ReadonlyMap<string, number> | undefined {
  const path = fileOf(store, study);
  if (!existsSync(path)) return undefined;
  const sessions = new Map<string, Set<string>>();
  for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1)) {
    const [key = '', name = ''] = line.split(' ');
    sessions.set(name, (sessions.get(name) ?? new Set()).add(key));
  }
  return new Map([...sessions].map(([name, keys]) => [name, keys.size]));
}

function fileOf(store: string, { id }: KeptStudy): string {
  return join(store, 'prove', id, 'loads.txt');
}
