import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rmdir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, LoopError } from 'rsi-loop';
import { machineFileSystem, type ProcessIdentity, type ProcessTable } from 'rsi-loop/node';
import { codeOf, ifThere, syncFolder } from './files.js';

/** Content of `owner.json`, which lies beside a watcher's claimed files. */
interface OwnerEntry {
  readonly process: ProcessIdentity;
  /** Writer names that may have recorded the claimed files: this watcher's and those of watchers it took over from. */
  readonly writers: readonly string[];
}

/** Time without a new heartbeat after which a watcher of unknown liveness (on another host) counts as gone. */
const SILENT_MS = 60_000;
const OWNER = 'owner.json';

/** Batches taken over from watchers that are gone. */
export interface Inheritance {
  readonly batches: readonly string[];
  /** Writer names under which the journal may already hold their records. */
  readonly writers: readonly string[];
}

/**
 * Claims on files: a folder per watcher, with a folder per batch of claimed files in it. A live watcher takes over the
 * batches of a dead one. Each batch moves by one rename, so exactly one watcher gets it.
 */
export class Claims {
  /** Folder of the claimed files; updated when that folder was replaced. */
  #folder: string;
  readonly #processes: ProcessTable;
  readonly #clock: Clock;
  readonly #writer: string;
  /** Unique, and short enough to be part of every id. */
  readonly #token: string;
  #batches = 0;
  #writers: readonly string[];
  #present = false;
  /** Last heartbeats of watchers whose liveness is otherwise unknown, and since when each is unchanged. */
  readonly #seen = new Map<string, { readonly mtimeMs: number; readonly sinceMs: number }>();

  constructor(
    folder: string,
    options: { readonly processes: ProcessTable; readonly clock: Clock; readonly writer: string },
  ) {
    this.#folder = folder;
    this.#processes = options.processes;
    this.#clock = options.clock;
    this.#writer = options.writer;
    this.#writers = [options.writer];
    this.#token = options.clock.now().toString(36) + randomBytes(4).readUInt32BE().toString(36);
  }

  /** Continues in another folder, because the previous one was removed or replaced. */
  moveTo(folder: string): void {
    this.#folder = folder;
    this.#present = false;
  }

  get #own(): string {
    return join(this.#folder, this.#token);
  }

  /** Returns the folder of a batch. */
  path(batch: string): string {
    return join(this.#own, batch);
  }

  /** Creates a new, empty batch. */
  async open(): Promise<string> {
    await this.#appear();
    const batch = `${this.#token}${(this.#batches++).toString(36)}`;
    await mkdir(this.path(batch));
    return batch;
  }

  /** Flushes the names in a batch to disk, so that they survive a power cut. */
  async sync(batch: string): Promise<void> {
    await syncFolder(this.path(batch));
    await syncFolder(this.#own);
  }

  /** Removes an empty batch. */
  async close(batch: string): Promise<void> {
    await ifThere(rmdir(this.path(batch)));
  }

  /** Takes over the claims of watchers that are gone. */
  async inherit(): Promise<Inheritance> {
    const batches: string[] = [];
    const writers = new Set<string>();
    for (const name of await foldersIn(this.#folder)) {
      if (name === this.#token) continue;
      const entry = await this.#read(name);
      if (entry !== undefined && (await this.#isAlive(name, entry))) continue;
      const left = await foldersIn(join(this.#folder, name));
      if (left.length > 0) {
        for (const writer of entry?.writers ?? []) writers.add(writer);
        // First add the writer names to this watcher's claim: its own successor must search for them too.
        this.#writers = [...new Set([...this.#writers, ...writers])];
        await this.#appear();
        await this.#write();
      }
      for (const batch of left) {
        if (await moved(join(this.#folder, name, batch), this.path(batch))) batches.push(batch);
      }
      await ifThere(unlink(join(this.#folder, name, `${OWNER}.new`)));
      await ifThere(unlink(join(this.#folder, name, OWNER)));
      await ifThere(rmdir(join(this.#folder, name))).catch(() => undefined); // not empty: an entry was added meanwhile
      this.#seen.delete(name);
    }
    return { batches, writers: [...writers] };
  }

  /** Renews the heartbeat of this watcher. */
  async beat(): Promise<void> {
    if (!this.#present) return;
    const now = new Date(this.#clock.now());
    await utimes(join(this.#own, OWNER), now, now).catch(() => undefined);
  }

  /**
   * Forgets the writer names of earlier watchers. Call it when nothing is claimed, so that later searches need only
   * this watcher's name.
   */
  forgetPredecessors(): void {
    this.#writers = [this.#writer];
  }

  /** Removes this watcher's claim folder if it holds no batch. Remaining batches stay for other watchers. */
  async leave(): Promise<void> {
    if (!this.#present) return;
    const left = await foldersIn(this.#own);
    if (left.length > 0) return;
    this.#present = false;
    await ifThere(unlink(join(this.#own, OWNER)));
    await ifThere(rmdir(this.#own));
  }

  /**
   * Creates the claim folder with its owner before anything is claimed. Other watchers remove a folder without an
   * owner.
   */
  async #appear(): Promise<void> {
    if (this.#present && (await ifThere(stat(join(this.#own, OWNER)))) !== undefined) return;
    for (let attempt = 1; !this.#present; attempt++) {
      await machineFileSystem.mkdir(this.#own);
      try {
        await this.#write();
        this.#present = true;
      } catch (error) {
        if (codeOf(error) !== 'ENOENT' || attempt === 5) throw error;
      }
    }
  }

  async #write(): Promise<void> {
    const path = join(this.#own, OWNER);
    const entry: OwnerEntry = { process: this.#processes.self, writers: this.#writers };
    await writeFile(`${path}.new`, JSON.stringify(entry), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  async #read(name: string): Promise<OwnerEntry | undefined> {
    try {
      const entry = JSON.parse(await readFile(join(this.#folder, name, OWNER), 'utf8')) as Partial<OwnerEntry>; // checked below
      if (entry.process !== undefined && Array.isArray(entry.writers)) return entry as OwnerEntry;
    } catch (error) {
      if (codeOf(error) === 'EACCES') throw unreadable(join(this.#folder, name), error);
    }
    return undefined;
  }

  async #isAlive(name: string, { process }: OwnerEntry): Promise<boolean> {
    const liveness = this.#processes.liveness(process);
    if (liveness !== 'unknown') return liveness === 'alive';
    const mtimeMs = (await ifThere(stat(join(this.#folder, name, OWNER))))?.mtimeMs ?? 0;
    const nowMs = this.#clock.monotonic();
    const seen = this.#seen.get(name);
    if (seen?.mtimeMs === mtimeMs) return nowMs - seen.sinceMs < SILENT_MS;
    this.#seen.set(name, { mtimeMs, sinceMs: nowMs });
    return true;
  }
}

/** Returns folders only. Files behind a link were never dropped, so links are not followed. */
async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = (await ifThere(readdir(path, { withFileTypes: true }))) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    // Another watcher was faster.
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function unreadable(path: string, cause: unknown): LoopError {
  return new LoopError('store-failed', `cannot read ${path}: give this process the right to`, { cause });
}
