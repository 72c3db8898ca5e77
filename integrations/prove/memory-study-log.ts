import type { ImprovementLog } from 'rsi-loop/kit';
import type { StudyEntry } from './study-entry.js';

/** Log in memory: the study ends with its process. */
export class MemoryStudyLog implements ImprovementLog<StudyEntry> {
  readonly #entries = new Map<string, StudyEntry[]>();

  async load(study: string): Promise<readonly StudyEntry[]> {
    return this.#entries.get(study) ?? [];
  }

  async add(study: string, entry: StudyEntry): Promise<void> {
    const known = this.#entries.get(study);
    if (known) known.push(entry);
    else this.#entries.set(study, [entry]);
  }
}
