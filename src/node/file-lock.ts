import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LoopError } from '../contract/errors.js';
import { machineProcesses, type ProcessIdentity } from './process-identity.js';

/** Process that holds a lock. */
export interface LockHolder {
  readonly pid: number;
  readonly path: string;
  /** Whether it ran on another machine or in another container, so that this process cannot know whether it lives. */
  readonly isElsewhere: boolean;
}

/** Lock that one process of a machine holds. The lock of a process that died counts as none. */
export class FileLock {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Takes the lock, or returns its holder.
   * @throws LoopError `store-failed` if the folder cannot be used.
   */
  static async take(folder: string, name: string): Promise<FileLock | LockHolder> {
    const path = join(folder, name);
    const draft = `${path}.${randomUUID()}`;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(draft, JSON.stringify(machineProcesses().self), { mode: 0o600 });
      try {
        return (await place(path, draft)) ?? new FileLock(path);
      } finally {
        await unlink(draft);
      }
    } catch (error) {
      if (LoopError.is(error)) throw error;
      throw new LoopError('store-failed', `cannot lock ${path}: ${(error as Error).message}`, { cause: error });
    }
  }

  /** Returns whether a process holds the lock that lives, or may live. */
  static async isHeld(folder: string, name: string): Promise<boolean> {
    return (await holderOf(join(folder, name))) !== undefined;
  }

  async release(): Promise<void> {
    await unlink(this.#path).catch(() => undefined); // it was deleted
  }
}

/** Puts the draft in place. Returns the holder if there is one. */
async function place(path: string, draft: string): Promise<LockHolder | undefined> {
  for (;;) {
    try {
      // A link appears with its content, so no reader finds an empty lock.
      await link(draft, path);
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const text = await read(path);
    if (text === undefined) continue;
    const holder = await holderOf(path);
    if (holder) return holder;
    // Only one of several processes moves the old lock away. One that moves a new lock puts it back.
    const moved = `${draft}.old`;
    const isMoved = await rename(path, moved).then(
      () => true,
      () => false,
    );
    if (!isMoved) continue;
    if ((await read(moved)) !== text) await link(moved, path).catch(() => undefined);
    await unlink(moved);
  }
}

async function holderOf(path: string): Promise<LockHolder | undefined> {
  const text = await read(path);
  const { host, pid, started } = identityIn(text) ?? {};
  if (host === undefined || pid === undefined || started === undefined) return undefined;
  const liveness = machineProcesses().liveness({ host, pid, started });
  return liveness === 'dead' ? undefined : { pid, path, isElsewhere: liveness === 'unknown' };
}

/** Returns who holds the lock; undefined for a damaged file, which has no owner. */
function identityIn(text: string | undefined): Partial<ProcessIdentity> | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
