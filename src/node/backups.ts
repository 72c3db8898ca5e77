import { randomBytes } from 'node:crypto';
import { type BigIntStats, lstatSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { readEntry } from './directory-entry.js';
import { errorCode } from './file-system.js';
import { isSame, type PinnedDirectory } from './pinned-directory.js';
import { COPIES_FOLDER } from './workspace-paths.js';

const HASH_DIGITS = 16;
const COPY = /^(\d{4,})\.([0-9a-f]{16})\.([0-9a-f]{8})(\.taken)?$/;
const FRESH = /^[0-9a-f]{8}\.new$/;
/** A write takes moments. Older leftovers come from a process that died in the middle of one. */
const LEFT_BEHIND_NS = 600_000_000_000n;

/** One backup of a file. */
export interface Backup {
  /** Name in the backups folder. */
  readonly name: string;
  readonly number: number;
  /** First 16 hex digits of the content's hash when the backup was made. */
  readonly hash: string;
  /** True while the file is moved away and nothing has replaced it yet: for moments only, or after a crash. */
  readonly isTaken: boolean;
}

/**
 * Backups of one file, in the folder `.rsi-backups` beside it. A backup is not copied: the original file is renamed
 * into this folder when another file replaces it. So an editor that still has the file open writes into the backup.
 * That edit is detected, because a backup's name holds the hash of its content.
 */
export class Backups {
  readonly folder: PinnedDirectory;
  readonly #file: string;
  readonly #maxBytes: number;

  constructor(folder: PinnedDirectory, file: string, maxBytes: number) {
    this.folder = folder;
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  /** Opens the backups of a file. Returns `undefined` if there are none and `create` is false. */
  static open(beside: PinnedDirectory, file: string, maxBytes: number, create: boolean): Backups | undefined {
    const known = beside.inside(COPIES_FOLDER);
    const folder = known ?? (create ? beside.inside(COPIES_FOLDER, { create }) : undefined);
    if (!folder) return undefined;
    // Keeps backups out of commits.
    if (!known) writeNew(folder.at('.gitignore'), '*\n');
    return new Backups(folder, file, maxBytes);
  }

  /** Lists the backups, oldest first. */
  all(): readonly Backup[] {
    const found = this.#names().flatMap(([name, rest]) => {
      const [, number, hash, , taken] = COPY.exec(rest) ?? [];
      if (number === undefined || hash === undefined) return [];
      return [{ name, number: Number(number), hash, isTaken: taken !== undefined }];
    });
    return found.sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
  }

  /** Returns backups whose content changed since they were made: their authors believe those edits are in the file. */
  async unmerged(): Promise<readonly Backup[]> {
    const found: Backup[] = [];
    for (const copy of this.all()) if (!copy.isTaken && !(await this.isIntact(copy))) found.push(copy);
    return found;
  }

  async isIntact({ name, hash }: Pick<Backup, 'name' | 'hash'>): Promise<boolean> {
    const entry = await readEntry(this.folder, name, this.#maxBytes);
    // Gone: another process removed it as surplus.
    if (entry.kind === 'absent') return true;
    return entry.kind === 'file' && entry.hash.startsWith(hash.slice(0, HASH_DIGITS));
  }

  /** Returns a backup name for a file that is about to be moved away. */
  nameFor(hash: string): string {
    const number = 1 + (this.all().at(-1)?.number ?? 0);
    return `${this.#file}.${String(number).padStart(4, '0')}.${hash.slice(0, HASH_DIGITS)}.${token()}`;
  }

  nameForFresh(): string {
    return `${this.#file}.${token()}.new`;
  }

  /**
   * Removes the oldest backups beyond `keep`, and leftovers of dead processes. Keeps backups that hold an edit. Also
   * keeps those made less than `graceMs` before `file` was written, because an editor may still have them open.
   */
  async tidy(file: BigIntStats, { keep, graceMs }: { readonly keep: number; readonly graceMs: number }): Promise<void> {
    const unmerged = new Set((await this.unmerged()).map(({ name }) => name));
    const copies = this.all().filter(({ name, isTaken }) => !isTaken && !unmerged.has(name));
    for (const { name } of copies.slice(0, Math.max(0, copies.length - keep))) {
      if (this.#isOlder(name, file, BigInt(graceMs) * 1_000_000n)) this.remove(name);
    }
    for (const { name } of this.all().filter(({ isTaken }) => isTaken)) {
      if (this.#isOlder(name, file, LEFT_BEHIND_NS)) this.#giveToPerson(name);
    }
    for (const [name, rest] of this.#names()) {
      if (FRESH.test(rest) && this.#isOlder(name, file, LEFT_BEHIND_NS)) this.remove(name);
    }
  }

  /** Removes extra hard links to the file itself. A process left them that died while moving the file into place. */
  partFrom(file: BigIntStats): void {
    for (const [name] of this.#names()) {
      const stat = ifPresent(() => lstatSync(this.folder.at(name), { bigint: true }));
      if (stat && isSame(stat, file)) this.remove(name);
    }
  }

  remove(name: string): void {
    ifPresent(() => unlinkSync(this.folder.at(name)));
  }

  /** Renames it for a person to merge: its process died before it checked that the current file has this content. */
  #giveToPerson(taken: string): void {
    ifPresent(() => renameSync(this.folder.at(taken), this.folder.at(unmergedName(taken))));
  }

  /** Compares times of the disk's clock: when the name last changed and when the file was written. */
  #isOlder(name: string, file: BigIntStats, ageNs: bigint): boolean {
    const stat = ifPresent(() => lstatSync(this.folder.at(name), { bigint: true }));
    return stat !== undefined && file.ctimeNs - stat.ctimeNs >= ageNs;
  }

  /** Lists the names of this file's backups, with the part after the file's name. */
  #names(): readonly (readonly [name: string, rest: string])[] {
    const names = ifPresent(() => readdirSync(this.folder.at('.'))) ?? [];
    const prefix = `${this.#file}.`;
    return names.flatMap((name) => (name.startsWith(prefix) ? [[name, name.slice(prefix.length)] as const] : []));
  }
}

/**
 * Returns the name under which a moved-away file waits for a person to merge. Its hash is all zeros, so it never
 * matches.
 */
export function unmergedName(taken: string): string {
  return taken.replace(/[0-9a-f]{16}(\.[0-9a-f]{8})\.taken$/, `${'0'.repeat(HASH_DIGITS)}$1`);
}

function token(): string {
  return randomBytes(4).toString('hex');
}

function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function ifPresent<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
