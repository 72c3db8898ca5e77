import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rmdir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, LoopError } from 'rsi-loop';
import { machineFileSystem, type ProcessIdentity, type ProcessTable } from 'rsi-loop/node';
import { codeOf, ifThere, syncFolder } from './files.js';

/** What stands in `owner.json` beside the files a watcher has claimed. */
interface OwnerEntry {
  readonly process: ProcessIdentity;
  /** The names under which the claimed files may have been recorded: this watcher's, and of those it took over from. */
  readonly writers: readonly string[];
}

/** A watcher that only shows its heartbeat (another host) counts as gone when it was not renewed for so long. */
const SILENT_MS = 60_000;
const OWNER = 'owner.json';

/** Batches taken over from a watcher that is gone. */
export interface Inheritance {
  readonly batches: readonly string[];
  /** Under which names their records may stand in the journal already. */
  readonly writers: readonly string[];
}

/**
 * Who has claimed which files: a folder per watcher, with a folder per batch of claimed files in it. What a watcher that
 * died has claimed is taken over, a whole batch by one rename, so that exactly one of several gets it.
 */
export class Claims {
  /** Where the claimed files lie: looked up anew when that folder was replaced. */
  #folder: string;
  readonly #processes: ProcessTable;
  readonly #clock: Clock;
  readonly #writer: string;
  /** Unique, and short enough to be part of every id. */
  readonly #token: string;
  #batches = 0;
  #writers: readonly string[];
  #present = false;
  /** Heartbeats of watchers of which nothing else can be known, and since when they stand still. */
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

  /** Goes on in another folder, because the one before was removed or replaced. */
  moveTo(folder: string): void {
    this.#folder = folder;
    this.#present = false;
  }

  get #own(): string {
    return join(this.#folder, this.#token);
  }

  /** The folder of a batch. */
  path(batch: string): string {
    return join(this.#own, batch);
  }

  /** A new, empty batch. */
  async open(): Promise<string> {
    await this.#appear();
    const batch = `${this.#token}${(this.#batches++).toString(36)}`;
    await mkdir(this.path(batch));
    return batch;
  }

  /** Makes the names in a batch survive a power cut. */
  async sync(batch: string): Promise<void> {
    await syncFolder(this.path(batch));
    await syncFolder(this.#own);
  }

  /** Lets go of a batch in which nothing is left. */
  async close(batch: string): Promise<void> {
    await ifThere(rmdir(this.path(batch)));
  }

  /** Takes over what watchers that are gone had claimed. */
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
        // Before anything is taken over: whoever takes over from this watcher has to look there, too.
        this.#writers = [...new Set([...this.#writers, ...writers])];
        await this.#appear();
        await this.#write();
      }
      for (const batch of left) {
        if (await moved(join(this.#folder, name, batch), this.path(batch))) batches.push(batch);
      }
      await ifThere(unlink(join(this.#folder, name, `${OWNER}.new`)));
      await ifThere(unlink(join(this.#folder, name, OWNER)));
      await ifThere(rmdir(join(this.#folder, name))).catch(() => undefined); // something was put there meanwhile
      this.#seen.delete(name);
    }
    return { batches, writers: [...writers] };
  }

  /** Shows others that this watcher is there. */
  async beat(): Promise<void> {
    if (!this.#present) return;
    const now = new Date(this.#clock.now());
    await utimes(join(this.#own, OWNER), now, now).catch(() => undefined);
  }

  /** Nothing is claimed any more: only this watcher's own name has to be looked for in what comes next. */
  forgetPredecessors(): void {
    this.#writers = [this.#writer];
  }

  /** Takes this watcher off; what it still holds is left for others. */
  async leave(): Promise<void> {
    if (!this.#present) return;
    const left = await foldersIn(this.#own);
    if (left.length > 0) return;
    this.#present = false;
    await ifThere(unlink(join(this.#own, OWNER)));
    await ifThere(rmdir(this.#own));
  }

  /** Nothing is claimed before the name of the owner stands there; a folder without one is nobody's, and others remove it. */
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

/** Folders only: behind a link, whoever put it there, are files that were never dropped. */
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
