import { cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileSkillFolder, fileLogs, SkillLibrary } from 'rsi-loop/skills/core';
import { ManualClock } from '../../../src/testing/manual-clock.js';
import { VmSandbox } from '../../integrations/skills/vm-sandbox.js';

/** Folder with the published skills of several repositories, a folder each; `undefined` where there is none. */
export function publishedFolder(): string | undefined {
  const shared = join(import.meta.dirname, '../../../../shared/data/published-skills');
  const folder = process.env.RSI_PUBLISHED_SKILLS ?? shared;
  return existsSync(folder) ? folder : undefined;
}

/** Result for the skills of one repository. */
export interface PublishedReport {
  readonly repository: string;
  readonly skills: number;
  readonly files: number;
  readonly read: number;
  readonly unchanged: number;
  /** Skills whose texts are held back. */
  readonly held: readonly string[];
  readonly rejected: readonly string[];
  readonly changed: readonly string[];
}

const BATCH = 50;
const LONG_MS = 100 * 86_400_000;

/** Reads, deprecates, prunes and revives all skills of a repository, and compares every byte. */
export async function tryPublished(folder: string): Promise<PublishedReport> {
  const places = new Map(skillsIn(folder).map((place) => [basename(place), place]));
  const report = {
    read: 0,
    unchanged: 0,
    files: 0,
    held: [] as string[],
    rejected: [] as string[],
    changed: [] as string[],
  };
  const list = [...places];
  for (let at = 0; at < list.length; at += BATCH) {
    const home = mkdtempSync(join(tmpdir(), 'published-'));
    try {
      for (const [name, place] of list.slice(at, at + BATCH)) cpSync(place, join(home, name), { recursive: true });
      await tryFolder(home, report);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }
  return { repository: basename(folder), skills: places.size, ...report };
}

async function tryFolder(
  home: string,
  report: { read: number; unchanged: number; files: number; held: string[]; rejected: string[]; changed: string[] },
): Promise<void> {
  const clock = new ManualClock();
  const loop = new RSILoop({ clock });
  const files = new FileSkillFolder(home);
  const skills = new SkillLibrary(loop, { files, logs: fileLogs(home), sandbox: new VmSandbox() });
  const before = filesIn(home);
  const listed = await skills.list();
  report.files += before.size;
  report.read += listed.length;
  report.held.push(...listed.flatMap(({ name, suspect }) => (suspect === undefined ? [] : [`${name}: ${suspect}`])));
  report.rejected.push(...(await skills.rejected()).map(({ problem }) => problem));
  const names = listed.map(({ name }) => name);
  if (names[0] !== undefined) {
    await skills.deprecate(names[0], 'tried');
    await skills.revive(names[0]);
  }
  await skills.prune();
  await clock.advance(LONG_MS);
  const pruned = await skills.prune();
  for (const name of pruned) await skills.revive(name);
  const after = filesIn(home);
  const differs = (name: string) =>
    [...new Set([...before.keys(), ...after.keys()])].some(
      (path) => path.startsWith(`${name}/`) && before.get(path) !== after.get(path),
    );
  const changed = names.filter(differs);
  report.changed.push(...changed);
  report.unchanged += pruned.length - changed.length;
  await skills.close();
  await loop.close();
}

/** Returns the folders that hold a `SKILL.md`, without those that are links. */
function skillsIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.some((entry) => entry.name === 'SKILL.md' && entry.isFile())) return [folder];
  const inside = entries.filter((entry) => entry.isDirectory() && entry.name !== '.git');
  return inside.flatMap(({ name }) => skillsIn(join(folder, name)));
}

/** Returns every file outside of `.rsi`, with its bytes and its mode. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (place: string): void => {
    for (const name of readdirSync(place)) {
      const path = join(place, name);
      if (name === '.rsi') continue;
      if (lstatSync(path).isDirectory()) visit(path);
      else if (!lstatSync(path).isSymbolicLink())
        found.set(relative(folder, path), `${statSync(path).mode & 0o111} ${readFileSync(path).toString('base64')}`);
    }
  };
  visit(folder);
  return found;
}
