import { appendFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StudyFolder } from '../../../integrations/cli/prove/study-folder.js';
import { FileLog, Study, type StudyEntry } from '../../../integrations/prove/index.js';
import { MemoryStudyLog } from '../../../integrations/prove/memory-study-log.js';
import { seededRandom } from '../../../src/lib/random.js';
import { sealLine } from '../../../src/node/line.js';

function logOf(folder: string, path: string) {
  const { id = '' } = new StudyFolder(join(folder, 'rsi_data')).newest(realpathSync(path)) ?? {};
  return join(folder, 'rsi_data', 'prove', id);
}

/** Returns the entries in the log of the newest study. */
export async function entries(folder: string, path: string): Promise<readonly StudyEntry[]> {
  const file = new FileLog<StudyEntry>(logOf(folder, path), 'prove');
  const known = await file.load('study');
  await file.close();
  return known;
}

/** A study that has begun gets a seed of its own, so that its draws are the same in every run. */
export async function setSeed(folder: string, path: string, seed: number): Promise<void> {
  const known = await entries(folder, path);
  writeEntries(
    folder,
    path,
    known.map((entry) => (entry.kind === 'opened' ? { ...entry, seed } : entry)),
    writeFileSync,
  );
}

function writeEntries(
  folder: string,
  path: string,
  steps: readonly StudyEntry[],
  write: (file: string, text: string) => void,
): void {
  const lines = steps.map((step) => `${sealLine(JSON.stringify({ step }).slice(1))}\n`);
  write(join(logOf(folder, path), 'prove-study.jsonl'), lines.join(''));
}

/** Adds sessions whose failures depend on the lines that they get, drawn by the study itself. */
export async function simulate(
  folder: string,
  path: string,
  { sessions, odds: oddsOf }: { readonly sessions: number; readonly odds: ReadonlyMap<number, number> },
): Promise<void> {
  const random = seededRandom(4);
  const known = await entries(folder, path);
  // In memory, because each entry of a file waits for the disk.
  const log = new MemoryStudyLog();
  for (const entry of known) await log.add('study', entry);
  const study = await Study.find(log, 'study');
  for (let session = 0; session < sessions; session++) {
    const isIn = (await study?.begin(`s${session}`)) ?? [];
    const odds = isIn.reduce((product, has, line) => product * (has ? (oddsOf.get(line) ?? 1) : 1), 1);
    await study?.end(`s${session}`, { failures: random() < odds / (1 + odds) ? 1 : 0 });
  }
  writeEntries(folder, path, (await log.load('study')).slice(known.length), appendFileSync);
}
