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
const HAS_FOLDERS = O_DIRECTORY !== 0;

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

  private constructor(path: string, base: string, file: number | undefined, stat: BigIntStats) {
    this.#path = path;
    this.#base = base;
    this.#file = file;
    this.#stat = stat;
  }

  /**
   * Opens a folder. `byPath` works without open folders, as on systems that cannot name their files.
   * @param path without any link in it.
   */
  static open(path: string, byPath = false): PinnedDirectory {
    return PinnedDirectory.#hold(path, path, (byName, stat) => !byPath && isSame(stat, statOf(`${byName}/.`)));
  }

  static #hold(path: string, from: string, canName: (byName: string, stat: BigIntStats) => boolean): PinnedDirectory {
    const seen = lstatSync(from, { bigint: true });
    if (seen.isSymbolicLink())
      throw refused(path, 'is a link, and links are not followed: remove it, or name the folder itself');
    if (!seen.isDirectory()) throw refused(path, 'is no folder');
    if (!HAS_FOLDERS) return new PinnedDirectory(path, path, undefined, seen);
    const file = openSync(from, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    try {
      const stat = fstatSync(file, { bigint: true });
      const byName = `/proc/self/fd/${file}`;
      return new PinnedDirectory(path, canName(byName, stat) ? byName : path, file, stat);
    } catch (error) {
      closeSync(file);
      throw error;
    }
  }

  /** Opens the folder of that name in this one; `undefined` if there is none. */
  inside(name: string, { create = false }: { readonly create?: boolean } = {}): PinnedDirectory | undefined {
    const [path, from] = [join(this.#path, name), this.at(name)];
    try {
      if (create) makeFolder(from);
      // Decided once, for the root: a later swap must not change how names are looked up.
      return PinnedDirectory.#hold(path, from, () => this.#base !== this.#path);
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
    return statSync(path, { bigint: true });
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
