import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LoopError } from '../contract/errors.js';
import { type FileKind, FORMAT, otherFormat } from './format.js';
import { parseLine, sealedHead, sealLine } from './line.js';

/**
 * Folder of files with one object per line. A process killed while it writes loses at most the line of that moment.
 * Damaged lines are skipped.
 */
export class LineFiles {
  readonly #folder: string;
  readonly #kind: FileKind;
  readonly #files = new Map<string, Promise<FileHandle>>();

  constructor(folder: string, kind: FileKind) {
    this.#folder = folder;
    this.#kind = kind;
  }

  /**
   * Returns the objects of a file, oldest first; none if there is no such file.
   * @throws LoopError `store-failed` if the file cannot be read or has another format.
   */
  async read(name: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const path = this.#pathOf(name);
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw new LoopError('store-failed', `cannot read ${path}: ${error.message}`, { cause: error });
    });
    return text.split('\n').flatMap((line) => {
      const value = parseLine(line)?.value;
      if (value === undefined) return [];
      if (!('format' in value)) return [value];
      if (value.format === FORMAT) return [];
      throw new LoopError('store-failed', otherFormat(this.#kind, path, value.format));
    });
  }

  /** Resolves when the object is on the disk. */
  async append(name: string, value: object): Promise<void> {
    const opening = this.#files.get(name) ?? this.#open(name);
    this.#files.set(name, opening);
    const file = await opening;
    // One write per line: lines of concurrent writes do not mix.
    await file.appendFile(`${sealLine(JSON.stringify(value).slice(1))}\n`);
    await file.datasync();
  }

  /** Closes the files. */
  async close(): Promise<void> {
    const files = [...this.#files.values()];
    this.#files.clear();
    for (const file of files) await (await file).close();
  }

  async #open(name: string): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = await open(this.#pathOf(name), 'a', 0o600);
    const { size } = await file.stat();
    // After a torn line, the next one begins on a line of its own.
    await file.appendFile(size === 0 ? `${sealLine(`${sealedHead(this.#kind).slice(0, -1)}}`)}\n` : '\n');
    return file;
  }

  #pathOf(name: string): string {
    return join(this.#folder, `${name}.jsonl`);
  }
}
