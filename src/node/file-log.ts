import type { ImprovementLog } from '../contract/improvement-log.js';
import { LineFiles } from './line-files.js';

/**
 * Log of steps, such as those of improvements, in a folder: one file of lines for each id. Several processes may add to
 * it.
 */
export class FileLog<Step extends object> implements ImprovementLog<Step> {
  readonly #files: LineFiles;
  readonly #prefix: string;

  /** The files of runs may lie in the same folder: `prefix` begins the names of these. */
  constructor(folder: string, prefix = 'improve') {
    this.#files = new LineFiles(folder, 'steps');
    this.#prefix = prefix;
  }

  /** Returns the ids in the folder, sorted. */
  async list(): Promise<readonly string[]> {
    const begin = this.#nameOf('');
    return (await this.#files.names()).flatMap((name) => (name.startsWith(begin) ? name.slice(begin.length) : []));
  }

  async load(id: string): Promise<readonly Step[]> {
    const lines = await this.#files.read(this.#nameOf(id));
    return lines.map((line) => line.step as Step); // the checksum shows that this program wrote it
  }

  async add(id: string, step: Step): Promise<void> {
    await this.#files.append(this.#nameOf(id), { step });
  }

  /** Closes the files. */
  async close(): Promise<void> {
    await this.#files.close();
  }

  #nameOf(id: string): string {
    return `${this.#prefix}-${id}`;
  }
}
