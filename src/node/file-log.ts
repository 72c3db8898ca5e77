import type { ImprovementLog } from '../contract/improvement-log.js';
import { LineFiles } from './line-files.js';

/** Keeps the steps of improvements in a folder, one file of lines for each. */
export class FileLog<Step extends object> implements ImprovementLog<Step> {
  readonly #files: LineFiles;

  constructor(folder: string) {
    this.#files = new LineFiles(folder, 'steps');
  }

  async load(improvement: string): Promise<readonly Step[]> {
    const lines = await this.#files.read(nameOf(improvement));
    return lines.map((line) => line.step as Step); // the checksum shows that this program wrote it
  }

  async add(improvement: string, step: Step): Promise<void> {
    await this.#files.append(nameOf(improvement), { step });
  }

  /** Closes the files. */
  async close(): Promise<void> {
    await this.#files.close();
  }
}

/** The files of runs lie in the same folder. */
function nameOf(improvement: string): string {
  return `improve-${improvement}`;
}
