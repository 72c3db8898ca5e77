import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileLog, Study, StudyEntry } from 'rsi-loop/prove';

/** Study of the lines of a file or of a named text, or of a set of skills or tools, in numbers. */
export interface StudySummary {
  /** Path of the file or of the folder of skills, or name of the text or the set. */
  readonly name: string;
  readonly kind: 'file' | 'skills' | 'prompt' | 'set';
  /** Sessions that were judged, and those that have not ended. */
  readonly sessions: number;
  readonly waiting: number;
  /** Lines or members by verdict. */
  readonly helps: number;
  readonly harms: number;
  readonly undecided: number;
  /** Undecided ones that are shown not to halve the failures. */
  readonly useless: number;
}

/** Studies that programs run, by the prefix of their logs. */
export const PROGRAM_STUDIES = ['prompt', 'set'] as const;

/** Reads the studies in the folder of a loop that have not ended. Changes nothing. */
export async function readStudies(store: string): Promise<readonly StudySummary[]> {
  const folder = join(store, 'prove');
  if (!existsSync(folder)) return [];
  // Most folders hold no study, and this function is called for every status.
  const { FileLog, Study } = await import('rsi-loop/prove');
  const summary = async (
    log: FileLog<StudyEntry>,
    id: string,
    about: Pick<StudySummary, 'kind'> & { readonly name?: string },
  ) => {
    const study = await Study.find(log, id);
    return study ? [await inNumbers(study, id, about)] : [];
  };
  const found: StudySummary[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const own = join(folder, entry.name);
    const about = entry.isDirectory() ? openStudy(own) : undefined;
    if (about === undefined) continue;
    const log = new FileLog<StudyEntry>(own, 'prove');
    found.push(...(await summary(log, 'study', about)));
    await log.close();
  }
  for (const kind of PROGRAM_STUDIES) {
    const log = new FileLog<StudyEntry>(folder, kind);
    for (const id of await log.list()) found.push(...(await summary(log, id, { kind })));
    await log.close();
  }
  return found;
}

/** Describes a study: `703 sessions: 2 help, 1 harms, 3 look useless, 14 open`. */
export function studyWords({ sessions, helps, harms, undecided, useless }: StudySummary): string {
  const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
  const found = [
    counted(helps, 'helps', 'help'),
    counted(harms, 'harms', 'harm'),
    ...(useless > 0 ? [counted(useless, 'looks useless', 'look useless')] : []),
    ...(undecided === useless && useless > 0 ? [] : [`${undecided - useless} open`]),
  ];
  return `${counted(sessions, 'session', 'sessions')}: ${found.join(', ')}`;
}

/** Returns the file or folder whose study this folder keeps; undefined if the study has ended. */
function openStudy(own: string): Pick<StudySummary, 'name' | 'kind'> | undefined {
  if (existsSync(join(own, 'ended.json')) || !existsSync(join(own, 'study.json'))) return undefined;
  try {
    const { path, kind } = JSON.parse(readFileSync(join(own, 'study.json'), 'utf8')) as Record<string, unknown>; // checked below
    return typeof path === 'string' ? { name: path, kind: kind === 'skills' ? 'skills' : 'file' } : undefined;
  } catch {
    return undefined; // "rsi prove" reports a damaged study
  }
}

/** Returns a study in numbers. */
async function inNumbers(
  study: Study,
  id: string,
  about: Pick<StudySummary, 'kind'> & { readonly name?: string },
): Promise<StudySummary> {
  const { lines, sessions, waiting } = await study.report();
  const count = (wanted: string) => lines.filter(({ verdict }) => verdict === wanted).length;
  const useless = lines.filter(({ verdict, looksUseless }) => verdict === 'undecided' && looksUseless === true).length;
  const counts = { helps: count('helps'), harms: count('harms'), undecided: count('undecided'), useless };
  return { name: study.opened.name ?? id, ...about, sessions, waiting, ...counts };
}
