import type { StoreCheck } from 'rsi-loop/node';
import { readStudies, type StudySummary, studyWords } from '../../reports/studies.js';
import { shortPath } from '../terminal/short-path.js';
import { NamedFile } from './change-file.js';
import { SkillSteps } from './skill-steps.js';
import { SkillsFolder } from './skill-units.js';
import { FileSteps, type StudyState } from './steps.js';

/** Checks the studies in the folder of a loop: a line for each one that has not ended. */
export async function checkStudies(store: string): Promise<readonly StoreCheck[]> {
  const checks: StoreCheck[] = [];
  for (const study of await readStudies(store)) {
    const isOnDisk = study.kind === 'file' || study.kind === 'skills';
    const shown = isOnDisk ? shortPath(study.name) : study.name;
    const advice = isOnDisk ? ADVICE[study.kind][await stateOf(study, store)]?.(shown) : undefined;
    const found = `${shown}: ${studyWords(study)}`;
    checks.push({ name: 'prove', ok: advice === undefined, found, ...(advice !== undefined && { advice }) });
  }
  return checks;
}

type Advice = Readonly<Partial<Record<StudyState | 'gone', (name: string) => string>>>;

const ADVICE: Readonly<Record<'file' | 'skills', Advice>> = {
  file: {
    changed: (file) => `a marker was removed from ${file}, so its sessions do not count: rsi prove ${file} --stop`,
    missing: (file) => `${file} holds its lines again, so its sessions do not count: rsi prove ${file} --stop`,
    gone: (file) => `${file} cannot be read: put it back, or rsi prove ${file} --stop`,
  },
  skills: {
    changed: (folder) => `a skill of ${folder} was renamed, so sessions do not count: rsi prove ${folder} --stop`,
    missing: (folder) => `${folder} holds its skills again, so sessions do not count: rsi prove ${folder} --stop`,
    gone: (folder) => `${folder} cannot be read: put it back`,
  },
};

async function stateOf({ name, kind }: StudySummary, store: string): Promise<StudyState | 'gone'> {
  try {
    const found =
      kind === 'skills'
        ? new SkillSteps(new SkillsFolder(name), store).find()
        : await new FileSteps(new NamedFile(name), store).find();
    return found?.state ?? 'gone';
  } catch {
    return 'gone';
  }
}
