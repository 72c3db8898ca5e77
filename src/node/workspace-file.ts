import { type BigIntStats, constants, promises } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkspaceFile } from '../contract/workspace.js';
import { Backups } from './backups.js';
import { errorCode } from './file-system.js';
import { PinnedDirectory } from './pinned-directory.js';
import { putBack, replaceEntry } from './replace-entry.js';
import { type FoundFile, readEntry } from './workspace-entry.js';
import { COPIES_FOLDER, refused } from './workspace-paths.js';

export interface WorkspaceLimits {
  /** Largest file that is read or written, in bytes. Default 1 MiB. */
  readonly maxBytes: number;
  /** Backups kept of each file. Default 10. */
  readonly backups: number;
  /**
   * How long a file must be unchanged before it is replaced: some editors empty a file before they write it. Writes
   * wait up to this long. Default 100 milliseconds.
   */
  readonly quietMs: number;
  /**
   * How long a backup is kept regardless of `backups`: an editor may still have it open. Default 10,000 milliseconds.
   */
  readonly graceMs: number;
  /** Behaves as on systems that cannot name the files of an open folder. For tests. */
  readonly byPath: boolean;
}

/** Number of waits, 20 ms each, for a moved-away file to return before this process puts it back. */
const LOOKS = 3;
const LOOK_EVERY_MS = 20;
const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_WRONLY } = constants;

/** One file of a workspace, with the folders that are held open to work on it. Callers must close it. */
export class OpenedFile {
  readonly #path: string;
  readonly #name: string;
  readonly #limits: WorkspaceLimits;
  readonly #held: PinnedDirectory[] = [];
  /** Undefined if the folder does not exist. */
  #folder: PinnedDirectory | undefined;
  #known: Backups | undefined;

  constructor(path: string, limits: WorkspaceLimits) {
    this.#path = path;
    this.#name = path.slice(path.lastIndexOf('/') + 1);
    this.#limits = limits;
  }

  /** Opens each folder on the path, starting at the root. */
  open(root: string): void {
    this.#folder = this.#hold(PinnedDirectory.open(root, this.#limits.byPath));
    for (const segment of this.#path.split('/').slice(0, -1)) this.#folder = this.#hold(this.#folder?.inside(segment));
  }

  close(): void {
    for (const folder of this.#held) folder.close();
  }

  /** Returns the current file. First puts back a file that a dead process moved away. */
  async settled(): Promise<FoundFile | undefined> {
    for (let look = 0; ; look++) {
      const found = await this.#find();
      const backups = this.#backups();
      const taken = backups?.taken();
      if (found || !this.#folder || !backups || !taken || look > LOOKS) return found;
      // If that process is alive after all, it finds the name taken and gives up.
      if (look < LOOKS) await pause(LOOK_EVERY_MS);
      else putBack(this.#folder, backups.folder, this.#name, taken);
    }
  }

  async describe(found: Pick<FoundFile, 'bytes' | 'hash'> | undefined): Promise<WorkspaceFile> {
    const unmerged = (await this.#backups()?.unmerged()) ?? [];
    return {
      path: this.#path,
      ...(found && { text: this.#decode(found.bytes) }),
      hash: found?.hash ?? '',
      unmerged: unmerged.map((name) => this.#pathOf(name)),
    };
  }

  /** Replaces the file as read, or removes it if there are no `bytes`. Returns `changed` if it is another one now. */
  async replace(
    old: FoundFile | undefined,
    bytes: Buffer | undefined,
  ): Promise<'changed' | { readonly backup?: string }> {
    if (old) this.#mustBeReplaceable(old.stat);
    const [folder, name, backups] = [this.#folder, this.#name, this.#backups(true)];
    if (!folder || !backups) throw refused(this.#path, 'lies in a folder that does not exist: make it first');
    const fresh = await this.#writeFresh(backups, bytes ?? Buffer.alloc(0), old?.stat);
    const taking = old && { stat: old.stat, copy: backups.nameFor(old.hash) };
    try {
      if (old) await this.#quiet(old.stat, fresh.stat);
      const source = bytes && { fresh: fresh.name };
      const isDone = replaceEntry({ folder, copies: backups.folder, name, ...(taking && { old: taking }), ...source });
      if (!isDone) return 'changed';
    } finally {
      backups.remove(fresh.name);
    }
    await folder.sync();
    await backups.folder.sync();
    if (taking && !(await backups.isIntact(taking.copy, old.hash))) {
      await this.#giveBack(folder, backups, { copy: taking.copy, bytes });
      return 'changed';
    }
    const now = await this.#entry();
    if (now) await backups.tidy(now.stat, { keep: this.#limits.backups, graceMs: this.#limits.graceMs });
    return taking ? { backup: this.#pathOf(taking.copy) } : {};
  }

  /**
   * Puts the old file back: an editor wrote into it, without replacing it, while it was being replaced. If a newer file
   * is in its place already, the old one stays among the backups, to be merged.
   */
  async #giveBack(
    folder: PinnedDirectory,
    backups: Backups,
    { copy, bytes }: { readonly copy: string; readonly bytes: Buffer | undefined },
  ): Promise<void> {
    const now = await this.#entry();
    if (now && !bytes?.equals(now.bytes)) return;
    const old = now && { stat: now.stat, copy: backups.nameFor(now.hash) };
    replaceEntry({ folder, copies: backups.folder, name: this.#name, fresh: copy, ...(old && { old }) });
  }

  /**
   * Waits until the file has been unchanged for `quietMs`, by the clock of its disk. Changes during the wait are
   * detected.
   */
  async #quiet(old: BigIntStats, fresh: BigIntStats): Promise<void> {
    const { quietMs } = this.#limits;
    const waitMs = quietMs - Number((fresh.mtimeNs - old.mtimeNs) / 1_000_000n);
    if (waitMs > 0) await pause(Math.min(waitMs, quietMs));
  }

  async #find(): Promise<FoundFile | undefined> {
    const found = await this.#entry();
    if (!found || found.stat.nlink === 1n) return found;
    this.#backups()?.partFrom(found.stat);
    return this.#entry();
  }

  async #entry(): Promise<FoundFile | undefined> {
    const { maxBytes } = this.#limits;
    return this.#folder && readEntry(this.#folder, this.#name, { path: this.#path, maxBytes });
  }

  /** Writes and fsyncs the new content, with the owner and mode of the file it replaces. */
  async #writeFresh(
    backups: Backups,
    bytes: Buffer,
    old: BigIntStats | undefined,
  ): Promise<{ readonly name: string; readonly stat: BigIntStats }> {
    const name = backups.nameForFresh();
    const file = await promises.open(backups.folder.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
    try {
      await file.writeFile(bytes);
      if (old) await this.#keepRights(file, old);
      await file.sync();
      return { name, stat: await file.stat({ bigint: true }) };
    } catch (error) {
      backups.remove(name);
      throw error;
    } finally {
      await file.close();
    }
  }

  async #keepRights(file: promises.FileHandle, old: BigIntStats): Promise<void> {
    const now = await file.stat({ bigint: true });
    try {
      if (now.uid !== old.uid || now.gid !== old.gid) await file.chown(Number(old.uid), Number(old.gid));
      if (now.mode !== old.mode) await file.chmod(Number(old.mode & 0o7777n));
    } catch (error) {
      if (errorCode(error) !== 'EPERM') throw error;
      throw refused(this.#path, 'belongs to another user or group, which writing it would change', error);
    }
  }

  #mustBeReplaceable({ nlink, mode }: BigIntStats): void {
    if (nlink > 1n)
      throw refused(this.#path, `has ${nlink} names (hard links), which writing it would part: leave it one`);
    if ((mode & 0o222n) === 0n)
      throw refused(this.#path, 'is read-only: allow writing, or leave it out of the workspace');
  }

  #decode(bytes: Buffer): string {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      throw refused(this.#path, 'is not UTF-8: save it as UTF-8', error);
    }
  }

  /** Opens the backups of the file; `undefined` if there are none and `create` is false. */
  #backups(create = false): Backups | undefined {
    if (this.#known || !this.#folder) return this.#known;
    this.#known = Backups.open(this.#folder, this.#name, this.#limits.maxBytes, create);
    this.#hold(this.#known?.folder);
    return this.#known;
  }

  #hold(folder: PinnedDirectory | undefined): PinnedDirectory | undefined {
    if (folder) this.#held.push(folder);
    return folder;
  }

  /** Returns the path of a backup, relative to the workspace. */
  #pathOf(copy: string): string {
    return `${this.#path.slice(0, -this.#name.length)}${COPIES_FOLDER}/${copy}`;
  }
}
