import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FileLog, Study, type StudyEntry, type StudyReport } from 'rsi-loop/prove';
import { PROGRAM_STUDIES } from '../../reports/studies.js';

/** Study that a program runs, with `provePrompt` or `proveSet`. */
interface ProgramStudy {
  readonly kind: (typeof PROGRAM_STUDIES)[number];
  readonly name: string;
  readonly report: StudyReport;
}

/** Returns the study of this name in the folder of a loop; `undefined` if no program runs one. */
export async function findProgramStudy(store: string, name: string): Promise<ProgramStudy | undefined> {
  const folder = join(store, 'prove');
  if (!existsSync(folder)) return undefined;
  for (const kind of PROGRAM_STUDIES) {
    const log = new FileLog<StudyEntry>(folder, kind);
    try {
      for (const id of await log.list()) {
        const study = await Study.find(log, id);
        const own = study?.opened.name ?? id;
        if (study && [own, id].includes(name)) return { kind, name: own, report: await study.report() };
      }
    } finally {
      await log.close();
    }
  }
  return undefined;
}
