import { randomBytes } from 'node:crypto';
import { type BigIntStats, lstatSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { LoopError } from '../contract/errors.js';
import { errorCode } from './file-system.js';
import { isSame, type PinnedDirectory } from './pinned-directory.js';
import { readEntry } from './workspace-entry.js';
import { COPIES_FOLDER } from './workspace-paths.js';

const HASH_DIGITS = 16;
/** After the name of the file: number, hash and token of a backup, or the token of a new file. */
const ENTRY = /^(?:(\d{4,})\.([0-9a-f]{16})\.)?[0-9a-f]{8}(\.taken|\.new)?$/;
const STATES: Readonly<Record<string, Entry['state']>> = { '.taken': 'taken', '.new': 'new' };
/** A write takes moments. Older leftovers come from a process that died in the middle of one. */
const LEFT_BEHIND_NS = 600_000_000_000n;

interface Entry {
  /** Name in the backups folder. */
  readonly name: string;
  readonly number: number;
  /** First 16 hex digits of the content's hash when the backup was made. */
  readonly hash: string;
  /**
   * `taken` while the file is moved away and nothing has replaced it, `new` before a file is in its place. Both last
   * moments, or are left by a crash.
   */
  readonly state: 'kept' | 'taken' | 'new';
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

  private constructor(folder: PinnedDirectory, file: string, maxBytes: number) {
    this.folder = folder;
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  /** Opens the backups of a file. Returns `undefined` if there are none and `create` is false. */
  static open(beside: PinnedDirectory, file: string, maxBytes: number, create: boolean): Backups | undefined {
    const known = beside.inside(COPIES_FOLDER);
    const folder = known ?? (create ? beside.inside(COPIES_FOLDER, { create }) : undefined);
    if (!folder) return undefined;
    const ignore = () => writeFileSync(folder.at('.gitignore'), '*\n', { flag: 'wx', mode: 0o600 });
    // Keeps backups out of commits.
    if (!known) unlessFailed('EEXIST', ignore);
    return new Backups(folder, file, maxBytes);
  }

  /** Returns the names of backups whose content changed since: their authors believe those edits are in the file. */
  async unmerged(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const { name, hash } of this.#all('kept')) if (!(await this.isIntact(name, hash))) found.push(name);
    return found;
  }

  async isIntact(name: string, hash: string): Promise<boolean> {
    try {
      const found = await readEntry(this.folder, name, { path: name, maxBytes: this.#maxBytes });
      // Gone: another process removed it as surplus.
      return found === undefined || found.hash.startsWith(hash.slice(0, HASH_DIGITS));
    } catch (error) {
      if (LoopError.is(error)) return false;
      throw error;
    }
  }

  /** Returns the name of the newest file that was moved away and not replaced. */
  taken(): string | undefined {
    return this.#all('taken').at(-1)?.name;
  }

  /** Returns a backup name for a file that is about to be moved away. */
  nameFor(hash: string): string {
    const number = 1 + Math.max(0, ...this.#all().map((entry) => entry.number));
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
    const unmerged = await this.unmerged();
    const merged = this.#all('kept').filter(({ name }) => !unmerged.includes(name));
    for (const { name } of merged.slice(0, Math.max(0, merged.length - keep))) {
      if (this.#isOlder(name, file, BigInt(graceMs) * 1_000_000n)) this.remove(name);
    }
    for (const { name, state } of this.#all()) {
      if (state === 'kept' || !this.#isOlder(name, file, LEFT_BEHIND_NS)) continue;
      // Its process died before it checked that the current file has this content: a person has to merge it.
      if (state === 'taken')
        unlessFailed('ENOENT', () => renameSync(this.folder.at(name), this.folder.at(unmergedName(name))));
      else this.remove(name);
    }
  }

  /** Removes extra hard links to the file itself. A process left them that died while moving the file into place. */
  partFrom(file: BigIntStats): void {
    for (const { name } of this.#all()) if (isSame(file, this.#statOf(name))) this.remove(name);
  }

  remove(name: string): void {
    unlessFailed('ENOENT', () => unlinkSync(this.folder.at(name)));
  }

  /** Lists the entries of this file in one state, or in all, oldest first. */
  #all(state?: Entry['state']): readonly Entry[] {
    const names = unlessFailed('ENOENT', () => readdirSync(this.folder.at('.'))) ?? [];
    const found = names.flatMap((name): Entry[] => {
      const rest = name.startsWith(`${this.#file}.`) ? name.slice(this.#file.length + 1) : '';
      const [whole, number, hash = '', ending] = ENTRY.exec(rest) ?? [];
      if (whole === undefined || (number === undefined) !== (ending === '.new')) return [];
      return [{ name, number: Number(number ?? 0), hash, state: STATES[ending ?? ''] ?? 'kept' }];
    });
    return found
      .filter((entry) => state === undefined || entry.state === state)
      .sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
  }

  /** Compares times of the disk's clock: when the name last changed and when the file was written. */
  #isOlder(name: string, file: BigIntStats, ageNs: bigint): boolean {
    const stat = this.#statOf(name);
    return stat !== undefined && file.ctimeNs - stat.ctimeNs >= ageNs;
  }

  #statOf(name: string): BigIntStats | undefined {
    return lstatSync(this.folder.at(name), { bigint: true, throwIfNoEntry: false });
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

function unlessFailed<Result>(code: string, work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (errorCode(error) === code) return undefined;
    throw error;
  }
}
