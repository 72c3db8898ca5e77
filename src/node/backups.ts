import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LoopError } from '../contract/errors.js';
import { errorCode, ifPresent } from './file-system.js';
import { type Replaced, unmergedName } from './replace-file.js';
import { isFolder, readEntry } from './workspace-entry.js';
import { COPIES_FOLDER } from './workspace-paths.js';

const HASH_DIGITS = 16;
/** After the name of the file: hash and token of a backup, or the token of a new file. */
const BACKUP = /^([0-9a-f]{16})\.[0-9a-f]{8}(?:\.taken)?$/;
const FRESH = /^[0-9a-f]{8}\.new$/;
/** An editor may still have an old file open. */
const GRACE_MS = 10_000;
/** A write takes moments. Older leftovers come from a process that died in the middle of one. */
const LEFT_BEHIND_MS = 600_000;

interface Entry {
  readonly path: string;
  /** First 16 hex digits of the content's hash when the backup was made; `''` for a new file. */
  readonly hash: string;
  /**
   * `taken` while the file is moved away and nothing has replaced it, `new` before a file is in its place. Both last
   * moments, or are left by a crash.
   */
  readonly state: 'kept' | 'taken' | 'new';
  readonly stat: BigIntStats;
}

/**
 * Backups of one file, in the folder `.rsi-backups` beside it. A backup is not copied: the original file is renamed
 * into this folder when another file replaces it. So an editor that still has the file open writes into the backup.
 * That edit is detected, because a backup's name holds the hash of its content.
 */
export class Backups {
  readonly folder: string;
  readonly #prefix: string;
  readonly #maxBytes: number;

  /** @param place Path of the file. */
  constructor(place: string, maxBytes: number) {
    this.folder = join(dirname(place), COPIES_FOLDER);
    this.#prefix = `${place.slice(dirname(place).length + 1)}.`;
    this.#maxBytes = maxBytes;
  }

  /** Creates the folder, hidden from git. */
  async create(): Promise<void> {
    if (await isFolder(this.folder)) return;
    await unlessExists(mkdir(this.folder, { mode: 0o700 }));
    await unlessExists(writeFile(join(this.folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 }));
  }

  /** Returns the paths for a file that is about to be replaced. */
  pathsFor(hash: string): Replaced {
    const backup = join(this.folder, `${this.#prefix}${hash.slice(0, HASH_DIGITS)}.${token()}`);
    return { hash, backup, taken: `${backup}.taken` };
  }

  pathForFresh(): string {
    return join(this.folder, `${this.#prefix}${token()}.new`);
  }

  /** Returns the paths of backups whose content changed since: their authors believe those edits are in the file. */
  async unmerged(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const entry of await this.#all('kept')) if (!(await this.#isIntact(entry))) found.push(entry.path);
    return found;
  }

  /** Returns the path of the newest file that was moved away and not replaced. */
  async taken(): Promise<string | undefined> {
    return (await this.#all('taken')).at(-1)?.path;
  }

  /**
   * Removes the backups before the newest one, and leftovers of dead processes. Keeps backups that hold an edit, and
   * those an editor may still have open.
   */
  async tidy(): Promise<void> {
    const older = (await this.#all('kept')).slice(0, -1);
    for (const entry of older) if (ageOf(entry) >= GRACE_MS && (await this.#isIntact(entry))) await remove(entry);
    for (const entry of await this.#all('new')) if (ageOf(entry) >= LEFT_BEHIND_MS) await remove(entry);
    for (const entry of await this.#all('taken')) {
      // Its process died before it checked that the current file has this content: a person has to merge it.
      if (ageOf(entry) >= LEFT_BEHIND_MS) await ifPresent(rename(entry.path, unmergedName(entry.path)));
    }
  }

  /** Removes extra hard links to the file itself. A process left them that died while moving the file into place. */
  async partFrom({ dev, ino }: BigIntStats): Promise<void> {
    for (const entry of await this.#all()) if (entry.stat.dev === dev && entry.stat.ino === ino) await remove(entry);
  }

  async #isIntact({ path, hash }: Entry): Promise<boolean> {
    try {
      const found = await readEntry(path, path, this.#maxBytes);
      // Gone: another process removed it as surplus.
      return found === undefined || found.hash.startsWith(hash);
    } catch (error) {
      if (LoopError.is(error)) return false;
      throw error;
    }
  }

  /** Lists the entries of this file in one state, or in all, in the order in which they got their names. */
  async #all(state?: Entry['state']): Promise<readonly Entry[]> {
    if (!(await isFolder(this.folder))) return [];
    const found: Entry[] = [];
    for (const name of await readdir(this.folder)) {
      const read = name.startsWith(this.#prefix) ? readName(name.slice(this.#prefix.length)) : undefined;
      if (read === undefined || (state !== undefined && read.state !== state)) continue;
      const path = join(this.folder, name);
      const stat = await ifPresent(lstat(path, { bigint: true }));
      if (stat !== undefined) found.push({ path, ...read, stat });
    }
    return found.sort((one, other) => Number(one.stat.ctimeNs - other.stat.ctimeNs));
  }
}

/** Reads what follows the name of the file; `undefined` for a file of a person. */
function readName(rest: string): Pick<Entry, 'hash' | 'state'> | undefined {
  const hash = BACKUP.exec(rest)?.[1];
  if (hash !== undefined) return { hash, state: rest.endsWith('.taken') ? 'taken' : 'kept' };
  return FRESH.test(rest) ? { hash: '', state: 'new' } : undefined;
}

/** Returns the milliseconds since an entry got its name. */
function ageOf({ stat }: Entry): number {
  return Date.now() - Number(stat.ctimeMs);
}

function token(): string {
  return randomBytes(4).toString('hex');
}

async function remove({ path }: Entry): Promise<void> {
  await rm(path, { force: true });
}

async function unlessExists(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
}
