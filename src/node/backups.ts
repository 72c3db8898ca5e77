import { randomBytes } from 'node:crypto';
import { type BigIntStats, lstatSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { readEntry } from './directory-entry.js';
import { errorCode } from './file-system.js';
import { isSame, type PinnedDirectory } from './pinned-directory.js';
import { COPIES_FOLDER } from './workspace-paths.js';

const HASH_DIGITS = 16;
const COPY = /^(\d{4,})\.([0-9a-f]{16})\.([0-9a-f]{8})(\.taken)?$/;
const FRESH = /^[0-9a-f]{8}\.new$/;
/** Whoever writes needs moments; what is older was left behind by a process that ended in the middle. */
const LEFT_BEHIND_NS = 600_000_000_000n;

/** One copy that is kept of a file. */
export interface Backup {
  /** Name in the folder of copies. */
  readonly name: string;
  readonly number: number;
  /** How the hash of its content began when it was taken. */
  readonly hash: string;
  /** It was taken from its place and nothing was put there yet: only for moments, or after a crash. */
  readonly isTaken: boolean;
}

/**
 * The copies kept of one file, in the folder `.rsi-backups` beside it. A copy is not written: it is the file itself, moved
 * here when another took its place. Whoever had it open and writes on thereby writes into the copy, where it is noticed,
 * because the name of a copy says what it held.
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

  /** Opens the copies of a file; `undefined` where there are none and none are to be. */
  static open(beside: PinnedDirectory, file: string, maxBytes: number, create: boolean): Backups | undefined {
    const known = beside.inside(COPIES_FOLDER);
    const folder = known ?? (create ? beside.inside(COPIES_FOLDER, { create }) : undefined);
    if (!folder) return undefined;
    // So that nobody commits them by accident.
    if (!known) writeNew(folder.at('.gitignore'), '*\n');
    return new Backups(folder, file, maxBytes);
  }

  /** Oldest first. */
  all(): readonly Backup[] {
    const found = this.#names().flatMap(([name, rest]) => {
      const [, number, hash, , taken] = COPY.exec(rest) ?? [];
      if (number === undefined || hash === undefined) return [];
      return [{ name, number: Number(number), hash, isTaken: taken !== undefined }];
    });
    return found.sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
  }

  /** Copies that hold something else than when they were taken: an edit that its author believes to be in the file. */
  async unmerged(): Promise<readonly Backup[]> {
    const found: Backup[] = [];
    for (const copy of this.all()) if (!copy.isTaken && !(await this.isIntact(copy))) found.push(copy);
    return found;
  }

  async isIntact({ name, hash }: Pick<Backup, 'name' | 'hash'>): Promise<boolean> {
    const entry = await readEntry(this.folder, name, this.#maxBytes);
    // Gone: another process took it away as one copy too many.
    if (entry.kind === 'absent') return true;
    return entry.kind === 'file' && entry.hash.startsWith(hash.slice(0, HASH_DIGITS));
  }

  /** A name for what is about to be taken. */
  nameFor(hash: string): string {
    const number = 1 + (this.all().at(-1)?.number ?? 0);
    return `${this.#file}.${String(number).padStart(4, '0')}.${hash.slice(0, HASH_DIGITS)}.${token()}`;
  }

  nameForFresh(): string {
    return `${this.#file}.${token()}.new`;
  }

  /**
   * Takes away the oldest copies beyond `keep` and what dead processes left behind. Copies that hold an edit stay, and
   * those that were taken less than `graceMs` before `file` was written: an editor may still have them open.
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

  /** Takes away further names of the file itself, which a process left that died while it put the file in its place. */
  partFrom(file: BigIntStats): void {
    for (const [name] of this.#names()) {
      const stat = ifPresent(() => lstatSync(this.folder.at(name), { bigint: true }));
      if (stat && isSame(stat, file)) this.remove(name);
    }
  }

  remove(name: string): void {
    ifPresent(() => unlinkSync(this.folder.at(name)));
  }

  /** Its process died before it said whether the file that stands there now has what this one holds. */
  #giveToPerson(taken: string): void {
    ifPresent(() => renameSync(this.folder.at(taken), this.folder.at(unmergedName(taken))));
  }

  /** By the clock of the disk, which says when a name was last given and when the file was written. */
  #isOlder(name: string, file: BigIntStats, ageNs: bigint): boolean {
    const stat = ifPresent(() => lstatSync(this.folder.at(name), { bigint: true }));
    return stat !== undefined && file.ctimeNs - stat.ctimeNs >= ageNs;
  }

  /** Names of this file's copies, and what follows the name of the file in them. */
  #names(): readonly (readonly [name: string, rest: string])[] {
    const names = ifPresent(() => readdirSync(this.folder.at('.'))) ?? [];
    const prefix = `${this.#file}.`;
    return names.flatMap((name) => (name.startsWith(prefix) ? [[name, name.slice(prefix.length)] as const] : []));
  }
}

/** The name under which what was taken is kept for a person to merge: the hash in it is that of nothing. */
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
