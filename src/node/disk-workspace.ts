import { type BigIntStats, constants, promises } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { LoopError } from '../contract/errors.js';
import type { Workspace, WorkspaceFile, WriteResult } from '../contract/workspace.js';
import type { Backups } from './backups.js';
import { type DirectoryEntry, readEntry } from './directory-entry.js';
import { errorCode } from './file-system.js';
import { hashOf } from './hash-of.js';
import { realRoot } from './pinned-directory.js';
import { putBack, replaceEntry } from './replace-entry.js';
import { WorkspaceFilePath } from './workspace-file.js';
import { checkPaths, failed, refused } from './workspace-paths.js';

export interface DiskWorkspaceOptions {
  /**
   * Markdown files that may be read and written, relative to the folder. Default SOUL.md, AGENTS.md, TOOLS.md,
   * CLAUDE.md.
   */
  readonly files?: readonly string[];
  /** Largest file that is read or written, in bytes. Default 1 MiB. */
  readonly maxBytes?: number;
  /** Backups kept of each file. Default 10. */
  readonly backups?: number;
  /**
   * How long a file must be unchanged before it is replaced, unless this workspace wrote it. Some editors empty a file
   * before they write it. Writes wait up to this long. Default 100 milliseconds.
   */
  readonly quietMs?: number;
  /**
   * How long a backup is kept regardless of `backups`: an editor may still have it open. Default 10,000 milliseconds.
   */
  readonly graceMs?: number;
  /** Behaves as on systems that cannot name the files of an open folder. For tests. */
  readonly byPath?: boolean;
}

const FILES: readonly string[] = ['SOUL.md', 'AGENTS.md', 'TOOLS.md', 'CLAUDE.md'];
/** Number of waits, 20 ms each, for a moved-away file to return before this process puts it back. */
const LOOKS = 3;
const LOOK_EVERY_MS = 20;
const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_WRONLY } = constants;

type Found = Extract<DirectoryEntry, { kind: 'file' }>;

/**
 * Markdown files of an agent in a folder on disk. A write is atomic and replaces only the version its caller has read.
 * So an edit that a person saved in between is kept. The replaced file becomes a backup in `.rsi-backups` beside it.
 * Links are not followed, and nothing outside the folder is written. See docs/workspace.md for the assumptions.
 */
export class DiskWorkspace implements Workspace {
  readonly files: readonly string[];
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #backups: number;
  readonly #quietMs: number;
  readonly #graceMs: number;
  readonly #byPath: boolean;
  /** Hash of this workspace's last write, by path. */
  readonly #own = new Map<string, string>();
  #root: string | undefined;

  /** @throws LoopError `workspace-refused` for a path that may not be listed, `invalid-input` for an invalid limit. */
  constructor(folder: string, options: DiskWorkspaceOptions = {}) {
    this.#folder = resolve(folder);
    this.files = checkPaths(options.files ?? FILES);
    this.#maxBytes = parseCount('maxBytes', options.maxBytes ?? 1_048_576);
    this.#backups = parseCount('backups', options.backups ?? 10);
    this.#quietMs = parseCount('quietMs', options.quietMs ?? 100, 0);
    this.#graceMs = parseCount('graceMs', options.graceMs ?? 10_000, 0);
    this.#byPath = options.byPath ?? false;
  }

  read(path: string): Promise<WorkspaceFile> {
    return this.#at(path, async (spot) => this.#describe(spot, await this.#settled(spot)));
  }

  write(path: string, text: string | undefined, after: string): Promise<WriteResult> {
    return this.#at(path, async (spot) => {
      const bytes = text === undefined ? undefined : this.#encode(path, text);
      const old = await this.#settled(spot);
      if ((old?.hash ?? '') !== after) return { kind: 'conflict', file: await this.#describe(spot, old) };
      const isAlready = old ? bytes?.equals(old.bytes) : bytes === undefined;
      if (isAlready) return { kind: 'ok', file: await this.#describe(spot, old) };
      if (old) mustBeReplaceable(path, old.stat);
      const result = await this.#replace(spot, old, bytes);
      if (result === 'changed')
        return { kind: 'conflict', file: await this.#describe(spot, await this.#settled(spot)) };
      // Returned as written, even if the file has changed since.
      const written = bytes && { bytes, hash: hashOf(bytes) };
      return { kind: 'ok', file: await this.#describe(spot, written), ...result };
    });
  }

  async #replace(
    spot: WorkspaceFilePath,
    old: Found | undefined,
    bytes: Buffer | undefined,
  ): Promise<'changed' | { readonly backup?: string }> {
    const { folder, name, path } = spot;
    const copies = spot.copies({ create: true });
    if (!folder || !copies) throw refused(path, 'lies in a folder that does not exist: make it first');
    const fresh = await writeFresh(path, copies, bytes ?? Buffer.alloc(0), old?.stat);
    const taking = old && { stat: old.stat, copy: copies.nameFor(old.hash) };
    try {
      if (old && this.#own.get(path) !== old.hash) await this.#quiet(old.stat, fresh.stat);
      const source = bytes && { fresh: fresh.name };
      if (!replaceEntry({ folder, copies: copies.folder, name, ...(taking && { old: taking }), ...source })) {
        return 'changed';
      }
    } finally {
      copies.remove(fresh.name);
    }
    this.#own.set(path, fresh.hash);
    await folder.sync();
    await copies.folder.sync();
    if (taking && !(await copies.isIntact({ name: taking.copy, hash: old.hash }))) {
      await this.#giveBack(spot, copies, taking.copy, bytes);
      return 'changed';
    }
    const now = await readEntry(folder, name, this.#maxBytes);
    if (now.kind === 'file') await copies.tidy(now.stat, { keep: this.#backups, graceMs: this.#graceMs });
    return taking ? { backup: spot.pathOf(taking.copy) } : {};
  }

  /**
   * Waits until the file has been unchanged for `quietMs`, by the clock of its disk. Changes during the wait are
   * detected.
   */
  async #quiet(old: BigIntStats, fresh: BigIntStats): Promise<void> {
    const waitMs = this.#quietMs - Number((fresh.mtimeNs - old.mtimeNs) / 1_000_000n);
    if (waitMs > 0) await pause(Math.min(waitMs, this.#quietMs));
  }

  /**
   * Puts the old file back: an editor wrote into it, without replacing it, while it was being replaced. If a newer file
   * is in its place already, the old one stays among the backups, to be merged.
   */
  async #giveBack(spot: WorkspaceFilePath, copies: Backups, copy: string, bytes: Buffer | undefined): Promise<void> {
    const { folder, name } = spot;
    if (!folder) return;
    const now = await readEntry(folder, name, this.#maxBytes);
    const isOurs = now.kind === 'file' && bytes?.equals(now.bytes);
    if (now.kind !== 'absent' && !isOurs) return;
    const ours = isOurs ? { old: { stat: now.stat, copy: copies.nameFor(now.hash) } } : {};
    replaceEntry({ folder, copies: copies.folder, name, ...ours, fresh: copy });
  }

  /** Returns the current file. First puts back a file that a dead process moved away. */
  async #settled(spot: WorkspaceFilePath): Promise<Found | undefined> {
    for (let look = 0; ; look++) {
      const found = await this.#find(spot);
      if (found || !spot.folder) return found;
      const copies = spot.copies();
      const taken = copies?.all().findLast(({ isTaken }) => isTaken)?.name;
      if (!copies || !taken || look > LOOKS) return undefined;
      // If that process is alive after all, it finds the name taken and gives up.
      if (look < LOOKS) await pause(LOOK_EVERY_MS);
      else putBack(spot.folder, copies.folder, spot.name, taken);
    }
  }

  async #find(spot: WorkspaceFilePath): Promise<Found | undefined> {
    if (!spot.folder) return undefined;
    const entry = await readEntry(spot.folder, spot.name, this.#maxBytes);
    if (entry.kind === 'absent') return undefined;
    if (entry.kind !== 'file') throw refused(spot.path, whyNot(entry, this.#maxBytes));
    if (entry.stat.nlink === 1n) return entry;
    spot.copies()?.partFrom(entry.stat);
    const alone = await readEntry(spot.folder, spot.name, this.#maxBytes);
    return alone.kind === 'file' ? alone : undefined;
  }

  async #describe(spot: WorkspaceFilePath, found: Pick<Found, 'bytes' | 'hash'> | undefined): Promise<WorkspaceFile> {
    const { path } = spot;
    const text = found && decode(path, found.bytes);
    const unmerged = (await spot.copies()?.unmerged()) ?? [];
    return {
      path,
      ...(text !== undefined && { text }),
      hash: found?.hash ?? '',
      unmerged: unmerged.map((copy) => spot.pathOf(copy.name)),
    };
  }

  /** Opens the folder of a file, one level at a time from the root, and runs `work` on it. */
  async #at<Result>(path: string, work: (spot: WorkspaceFilePath) => Promise<Result>): Promise<Result> {
    if (!this.files.includes(path)) {
      throw refused(path, `is not among the files of this workspace: ${this.files.join(', ')}`);
    }
    let spot: WorkspaceFilePath | undefined;
    try {
      this.#root ??= realRoot(this.#folder);
      spot = WorkspaceFilePath.open(this.#root, path, { maxBytes: this.#maxBytes, byPath: this.#byPath });
      return await work(spot);
    } catch (error) {
      if (LoopError.is(error)) throw error;
      throw failed(path, `could not be worked on (${errorCode(error) || String(error)}): see the cause`, error);
    } finally {
      spot?.close();
    }
  }

  #encode(path: string, text: string): Buffer {
    // Unpaired surrogates have no encoding in UTF-8.
    if (/\p{Surrogate}/u.test(text)) throw refused(path, 'cannot hold this text: it has half a character in it');
    const bytes = Buffer.from(text);
    if (bytes.byteLength <= this.#maxBytes) return bytes;
    throw refused(
      path,
      `would have ${bytes.byteLength} bytes of at most ${this.#maxBytes}: shorten it, or raise maxBytes`,
    );
  }
}

/**
 * Writes and fsyncs the new content, with the owner and mode of the file it replaces. Only the final name is missing.
 */
async function writeFresh(
  path: string,
  copies: Backups,
  bytes: Buffer,
  old: BigIntStats | undefined,
): Promise<{ readonly name: string; readonly hash: string; readonly stat: BigIntStats }> {
  const name = copies.nameForFresh();
  const file = await promises.open(copies.folder.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    await file.writeFile(bytes);
    if (old) await keepRights(file, old, path);
    await file.sync();
    return { name, hash: hashOf(bytes), stat: await file.stat({ bigint: true }) };
  } catch (error) {
    copies.remove(name);
    throw error;
  } finally {
    await file.close();
  }
}

async function keepRights(file: promises.FileHandle, old: BigIntStats, path: string): Promise<void> {
  const now = await file.stat({ bigint: true });
  try {
    if (now.uid !== old.uid || now.gid !== old.gid) await file.chown(Number(old.uid), Number(old.gid));
    if (now.mode !== old.mode) await file.chmod(Number(old.mode & 0o7777n));
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error;
    throw refused(path, 'belongs to another user or group, which writing it would change', error);
  }
}

function mustBeReplaceable(path: string, { nlink, mode }: BigIntStats): void {
  if (nlink > 1n) throw refused(path, `has ${nlink} names (hard links), which writing it would part: leave it one`);
  if ((mode & 0o222n) === 0n) throw refused(path, 'is read-only: allow writing, or leave it out of the workspace');
}

function whyNot(entry: Exclude<DirectoryEntry, { kind: 'file' | 'absent' }>, maxBytes: number): string {
  switch (entry.kind) {
    case 'link':
      return 'is a link: workspaces follow none, list the file it leads to';
    case 'other':
      return 'is no ordinary file';
    case 'too-large':
      return `has ${entry.bytes} bytes of at most ${maxBytes}: shorten it, or raise maxBytes`;
    default:
      return entry satisfies never;
  }
}

function decode(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw refused(path, 'is not UTF-8: save it as UTF-8', error);
  }
}

function parseCount(name: string, value: number, least = 1): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new LoopError('invalid-input', `${name} of a workspace is ${value}: give a whole number of at least ${least}`);
}
