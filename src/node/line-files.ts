import { type FileHandle, mkdir, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LoopError } from '../contract/errors.js';
import { type FileKind, FORMAT, otherFormat } from './format.js';
import { parseLine, sealedHead, sealLine } from './line.js';

const ENDING = '.jsonl';
/** Names that cannot lead out of the folder. */
const NAME = /^[\w-]+$/;

/**
 * Folder of files with one object per line. A process killed while it writes loses at most the line of that moment.
 * Damaged lines are skipped.
 */
export class LineFiles {
  readonly #folder: string;
  readonly #kind: FileKind;
  readonly #files = new Map<string, LineWriter>();

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

  /**
   * Returns the names of the files, sorted; none if there is no such folder.
   * @throws LoopError `store-failed` if the folder cannot be read.
   */
  async names(): Promise<readonly string[]> {
    const files = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw new LoopError('store-failed', `cannot read ${this.#folder}: ${error.message}`, { cause: error });
    });
    const names = files.flatMap((file) => (file.endsWith(ENDING) ? file.slice(0, -ENDING.length) : []));
    return names.filter((name) => NAME.test(name)).sort();
  }

  /** Resolves when the object is on the disk. Objects keep the order of the calls, and those in progress share a write. */
  async append(name: string, value: object): Promise<void> {
    const line = `${sealLine(JSON.stringify(value).slice(1))}\n`;
    const writer = this.#files.get(name) ?? new LineWriter(this.#open(name));
    this.#files.set(name, writer);
    await writer.append(line);
  }

  /** Closes the files. */
  async close(): Promise<void> {
    const files = [...this.#files.values()];
    this.#files.clear();
    for (const file of files) await file.close();
  }

  async #open(name: string): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = await open(this.#pathOf(name), 'a', 0o600);
    const { size } = await file.stat();
    // After a torn line, the next one begins on a line of its own.
    await file.appendFile(size === 0 ? `${sealLine(`${sealedHead(this.#kind).slice(0, -1)}}`)}\n` : '\n');
    return file;
  }

  /** @throws LoopError `invalid-input` for a name that could lead out of the folder. */
  #pathOf(name: string): string {
    if (!NAME.test(name)) throw new LoopError('invalid-input', `${JSON.stringify(name)} is not the name of a file`);
    return join(this.#folder, `${name}${ENDING}`);
  }
}

/** Appends lines to an open file: what arrives during a write becomes the next write. */
class LineWriter {
  readonly #opening: Promise<FileHandle>;
  #lines: string[] = [];
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(opening: Promise<FileHandle>) {
    this.#opening = opening;
  }

  append(line: string): Promise<void> {
    this.#lines.push(line);
    const write = () => this.#write();
    this.#next ??= this.#last.then(write, write);
    return this.#next;
  }

  async close(): Promise<void> {
    await (this.#next ?? this.#last).catch(() => undefined); // its caller got the error
    await (await this.#opening).close();
  }

  async #write(): Promise<void> {
    if (this.#next) this.#last = this.#next;
    this.#next = undefined;
    const lines = this.#lines;
    this.#lines = [];
    const file = await this.#opening;
    // Whole lines in one write: those of other processes do not mix with them.
    await file.appendFile(lines.join(''));
    await file.datasync();
  }
}
