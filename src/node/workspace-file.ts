import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkspaceFile } from '../contract/workspace.js';
import { Backups } from './backups.js';
import { errorCode, machineFileSystem } from './file-system.js';
import { putBack, replaceFile } from './replace-file.js';
import { type FoundFile, isFolder, readEntry } from './workspace-entry.js';
import { refused } from './workspace-paths.js';

export interface WorkspaceLimits {
  /** Largest file that is read or written, in bytes. Default 1 MiB. */
  readonly maxBytes: number;
  /**
   * How long a file must be unchanged before it is replaced: some editors empty a file before they write it. Writes
   * wait up to this long. Default 100 milliseconds.
   */
  readonly quietMs: number;
}

/** Number of waits, 20 ms each, for a moved-away file to return before this process puts it back. */
const LOOKS = 3;
const LOOK_EVERY_MS = 20;

/** One file of a workspace on disk. */
export class FileOnDisk {
  readonly #root: string;
  readonly #path: string;
  readonly #place: string;
  readonly #limits: WorkspaceLimits;
  readonly #backups: Backups;

  /** @param root Folder of the workspace, without any link in it. */
  constructor(root: string, path: string, limits: WorkspaceLimits) {
    this.#root = root;
    this.#path = path;
    this.#place = join(root, path);
    this.#limits = limits;
    this.#backups = new Backups(this.#place, limits.maxBytes);
  }

  /**
   * Returns whether the folder of the file exists.
   * @throws LoopError `workspace-refused` if a folder on the path is a link.
   */
  async hasFolder(): Promise<boolean> {
    let folder = this.#root;
    for (const segment of this.#path.split('/').slice(0, -1)) {
      folder = join(folder, segment);
      if (!(await isFolder(folder))) return false;
    }
    return true;
  }

  /** Returns the current file. First puts back a file that a dead process moved away. */
  async settled(): Promise<FoundFile | undefined> {
    for (let look = 0; ; look++) {
      const found = await this.#find();
      const taken = found === undefined ? await this.#backups.taken() : undefined;
      if (taken === undefined || look > LOOKS) return found;
      // If that process is alive after all, it finds the name taken and gives up.
      if (look < LOOKS) await pause(LOOK_EVERY_MS);
      else putBack(taken, this.#place);
    }
  }

  async describe(found: Pick<FoundFile, 'bytes' | 'hash'> | undefined): Promise<WorkspaceFile> {
    const unmerged = await this.#backups.unmerged();
    return {
      path: this.#path,
      ...(found && { text: this.#decode(found.bytes) }),
      hash: found?.hash ?? '',
      unmerged: unmerged.map((path) => this.#inRoot(path)),
    };
  }

  /** Replaces the file as read, or removes it if there are no `bytes`. Returns `changed` if it is another one now. */
  async replace(
    old: FoundFile | undefined,
    bytes: Buffer | undefined,
  ): Promise<'changed' | { readonly backup?: string }> {
    if (old) this.#mustBeReplaceable(old.stat);
    await this.#backups.create();
    const replaced = old && this.#backups.pathsFor(old.hash);
    const fresh = bytes && (await this.#writeFresh(bytes, old?.stat));
    try {
      if (old) await this.#quiet(old.stat);
      // A checkout or an installer may have put a link there during the wait.
      await this.hasFolder();
      if (!replaceFile(this.#place, replaced, fresh)) return 'changed';
    } finally {
      if (fresh !== undefined) await rm(fresh, { force: true });
    }
    await machineFileSystem.fsyncFolder(dirname(this.#place));
    await machineFileSystem.fsyncFolder(this.#backups.folder);
    await this.#backups.tidy();
    return replaced ? { backup: this.#inRoot(replaced.backup) } : {};
  }

  /** Waits until the file has been unchanged for `quietMs`. Changes during the wait are detected. */
  async #quiet(old: BigIntStats): Promise<void> {
    const { quietMs } = this.#limits;
    const waitMs = quietMs - (Date.now() - Number(old.mtimeMs));
    if (waitMs > 0) await pause(Math.min(waitMs, quietMs));
  }

  async #find(): Promise<FoundFile | undefined> {
    const found = await this.#read();
    if (found === undefined || found.stat.nlink === 1n) return found;
    await this.#backups.partFrom(found.stat);
    return this.#read();
  }

  #read(): Promise<FoundFile | undefined> {
    return readEntry(this.#place, this.#path, this.#limits.maxBytes);
  }

  /** Writes and fsyncs the new content beside the file, with the owner and mode of the file it replaces. */
  async #writeFresh(bytes: Buffer, old: BigIntStats | undefined): Promise<string> {
    const path = this.#backups.pathForFresh();
    const file = await open(path, 'wx', 0o666);
    try {
      await file.writeFile(bytes);
      if (old) await this.#keepRights(file, old);
      await file.sync();
      return path;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }

  async #keepRights(file: FileHandle, old: BigIntStats): Promise<void> {
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

  /** Returns a path relative to the workspace. */
  #inRoot(path: string): string {
    return relative(this.#root, path).replaceAll(sep, '/');
  }
}
