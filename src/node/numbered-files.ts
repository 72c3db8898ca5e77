import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { LoopError } from '../contract/errors.js';
import { errorCode, type FileSystem, ifPresent, writeWhole } from './file-system.js';

/**
 * Files of one name with increasing numbers, of which the highest counts. Claiming a number is atomic: the file is
 * written under a temporary name and linked to its path, which fails if the number is taken. So exactly one of any
 * number of processes wins, and no process sees half a file. A process that dies midway leaves only a temporary file.
 */
export class NumberedFiles {
  readonly #fs: FileSystem;
  readonly folder: string;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.folder = folder;
  }

  path(name: string, number: number): string {
    return join(this.folder, `${checkedName(name)}.${padded(number)}.json`);
  }

  /** Returns the numbers in use, in ascending order. */
  async numbers(name: string): Promise<number[]> {
    const pattern = new RegExp(`^${checkedName(name)}\\.(\\d{12})\\.json$`);
    const names = (await ifPresent(this.#fs.readdir(this.folder))) ?? [];
    return names
      .map((file) => pattern.exec(file)?.[1])
      .filter((digits) => digits !== undefined)
      .map(Number)
      .sort((a, b) => a - b);
  }

  /**
   * Claims a number. Returns false if another process has it. With `durable` it survives a power cut once this
   * resolves.
   * If the folder is missing, `content` is written again.
   */
  async claim(
    name: string,
    number: number,
    content: FileContent,
    options: { readonly durable: boolean },
  ): Promise<boolean> {
    const path = this.path(name, number);
    for (let attempt = 1; ; attempt++) {
      try {
        return await claimPath(this.#fs, this.folder, path, content, options);
      } catch (error) {
        if (errorCode(error) !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw error;
      }
      await this.#fs.mkdir(this.folder);
      if (options.durable) await this.#fs.fsyncFolder(join(this.folder, '..'));
    }
  }

  /** Removes files that higher numbers have replaced. Another process may do the same at the same time. */
  async removeBelow(name: string, number: number): Promise<void> {
    for (const other of await this.numbers(name)) {
      if (other < number) await ifPresent(this.#fs.unlink(this.path(name, other)));
    }
  }
}

/** The folder does not exist at first, and may be deleted at any time. */
const MAX_ATTEMPTS = 3;

/** Content of a new file: bytes, or a function that writes them into the open file. */
export type FileContent = Uint8Array | ((file: number) => Promise<void>);

/** Creates a file with its whole content, or not at all. Returns false if the name is taken. */
export async function claimPath(
  fs: FileSystem,
  folder: string,
  path: string,
  content: FileContent,
  options: { readonly durable: boolean },
): Promise<boolean> {
  const temporary = join(folder, TEMPORARY + randomBytes(8).toString('hex'));
  const file = await fs.open(temporary, 'wx');
  try {
    try {
      await (typeof content === 'function' ? content(file) : writeWhole(fs, file, content, 0));
      if (options.durable) await fs.fsync(file);
      // Otherwise the link would point at a file that another program left under that name.
      if (!(await fs.isAt(file, temporary))) throw Object.assign(new Error(`${temporary} is gone`), { code: 'ENOENT' });
    } finally {
      await fs.close(file);
    }
    await fs.link(temporary, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await ifPresent(fs.unlink(temporary)).catch(() => undefined);
  }
  if (options.durable) await fs.fsyncFolder(folder);
  return true;
}

/** Prefix of half-written files. A killed process leaves them behind, and nothing reads them. */
export const TEMPORARY = '.new-';

export function padded(number: number): string {
  return String(number).padStart(12, '0');
}

function checkedName(name: string): string {
  if (/^[a-z][a-z0-9-]{0,63}$/.test(name)) return name;
  throw new LoopError(
    'invalid-input',
    `"${name.slice(0, 80)}" cannot name a file: use lower-case letters, digits and dashes, at most 64`,
  );
}
