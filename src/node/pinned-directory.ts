import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  fsync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from './file-system.js';
import { failed, refused } from './workspace-paths.js';

// Absent on Windows, where folders cannot be opened; links are found with lstat there.
const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_RDONLY } = constants;
/** Inode numbers can exceed what a double holds exactly. */
const BIG = { bigint: true } as const;

/**
 * Folder that stays the same one while it is in use. If the system can name the files of an open folder (Linux:
 * `/proc/self/fd/7/AGENTS.md`), replacing the folder with a link has no effect: names are looked up in the folder that
 * was opened. On other systems the path is checked again right before each step that writes.
 */
export class PinnedDirectory {
  readonly #file: number | undefined;
  readonly #path: string;
  readonly #base: string;
  readonly #stat: BigIntStats;

  /** `isByPath` is decided for the root only: a later swap must not change how names are looked up. */
  private constructor(path: string, from: string, isByPath?: boolean) {
    const seen = lstatSync(from, BIG);
    if (seen.isSymbolicLink())
      throw refused(path, 'is a link, and links are not followed: remove it, or name the folder itself');
    if (!seen.isDirectory()) throw refused(path, 'is not a folder');
    this.#path = path;
    this.#file = O_DIRECTORY === 0 ? undefined : openSync(from, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    this.#stat = this.#file === undefined ? seen : fstatSync(this.#file, BIG);
    const byFile = `/proc/self/fd/${this.#file}`;
    this.#base = (isByPath ?? !isSame(this.#stat, statOf(`${byFile}/.`))) ? path : byFile;
  }

  /**
   * Opens a folder. `byPath` works without open folders, as on systems that cannot name their files.
   * @param path without any link in it.
   */
  static open(path: string, byPath = false): PinnedDirectory {
    return new PinnedDirectory(path, path, byPath || undefined);
  }

  /** Opens the folder of that name in this one; `undefined` if there is none. */
  inside(name: string, { create = false }: { readonly create?: boolean } = {}): PinnedDirectory | undefined {
    const [path, from] = [join(this.#path, name), this.at(name)];
    try {
      if (create) makeFolder(from);
      return new PinnedDirectory(path, from, this.#base === this.#path);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT') return undefined;
      if (code === 'ELOOP' || code === 'ENOTDIR') throw refused(path, 'is a link or no folder', error);
      throw error;
    }
  }

  /** Returns the path of a name in this folder. */
  at(name: string): string {
    return `${this.#base}/${name}`;
  }

  /**
   * Checks that the folder is still where it was found. Called right before a step that writes.
   * @throws LoopError `workspace-refused` if it was moved or swapped.
   */
  confirm(): void {
    const isThere =
      this.#base === this.#path
        ? isSame(this.#stat, statOf(this.#path)) && alike(realpathSync.native(this.#path)) === alike(this.#path)
        : readlinkSync(this.#base) === this.#path;
    if (!isThere) throw refused(this.#path, 'was moved or replaced while it was worked in: nothing was written');
  }

  /** Makes names created and moved in the folder survive a power cut. */
  async sync(): Promise<void> {
    if (this.#file !== undefined) await promisify(fsync)(this.#file);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

/** Resolves the folder of the workspace itself. Its user named it, so links may lead to it. */
export function realRoot(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    throw failed(folder, `cannot be opened as a workspace (${errorCode(error)}): make the folder`, error);
  }
}

export function isSame(one: BigIntStats, other: BigIntStats | undefined): boolean {
  return other !== undefined && one.dev === other.dev && one.ino === other.ino;
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, BIG);
  } catch {
    return undefined;
  }
}

/** Normalizes a path: some file systems ignore case and Unicode form. */
function alike(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
