import { randomBytes } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { LoopError } from 'rsi-loop';
import { errorCode, ifPresent, machineFileSystem, makeFolder } from 'rsi-loop/node';
import { readSkillFiles, stampOfFiles } from './read-files.js';

type Files = ReadonlyMap<string, string | Uint8Array>;

/** Folder inside the one with the skills, for versions, documents and unfinished writes. */
const OWN = '.rsi';
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Folder of an older version. */
const PART = /^[0-9a-z]+$/;
/** Prepared skill: its name, the process that moves it to its place, and a unique part. */
const READY = /^put\.([a-z0-9-]+)\.(\d+)\.([0-9a-f]+)$/;
/** Age from which no process still works on an unfinished write. */
const STALE_MS = 3_600_000;
/** Skills looked at between two breaks for the event loop. */
const BATCH = 200;

/**
 * Skills in a folder on the disk, one folder each. A new version is written to a hidden folder, flushed to the disk, and
 * renamed. A process killed between two steps leaves a prepared folder, and the next scan completes it.
 */
export class FileSkillFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = resolve(folder);
  }

  async scan(): Promise<readonly { readonly name: string; readonly stamp: string }[]> {
    await this.#completeWrites();
    const entries = (await ifPresent(readdir(this.#folder, { withFileTypes: true }))) ?? [];
    const found: { name: string; stamp: string }[] = [];
    for (const [at, entry] of entries.entries()) {
      if (at % BATCH === BATCH - 1) await new Promise((go) => setImmediate(go));
      // A link is listed, so that reading it says why it is rejected.
      if (!NAME.test(entry.name) || entry.isFile()) continue;
      const stamp = entry.isSymbolicLink() ? 'link' : stampOfFiles(join(this.#folder, entry.name));
      if (stamp !== undefined) found.push({ name: entry.name, stamp });
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  read(name: string): Promise<Files> {
    const path = this.#pathOf(name);
    // Many skills are read one after the other, and other work has its turn between two of them.
    return new Promise((go) => setImmediate(go)).then(() => readSkillFiles(path, name));
  }

  stampOf(name: string): string | undefined {
    const path = this.#pathOf(name);
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ? stampOfFiles(path) : undefined;
  }

  async put(name: string, files: Files): Promise<void> {
    this.#pathOf(name);
    const ready = `put.${name}.${process.pid}.${newPart()}`;
    await this.#prepare(name, files, this.#own(ready));
    await this.#complete(ready, name);
  }

  async keep(name: string, files: Files): Promise<void> {
    this.#pathOf(name);
    await this.#prepare(name, files, await this.#newVersion(name));
  }

  async versions(of?: string): Promise<readonly { readonly name: string; readonly files: Files }[]> {
    const names = (await ifPresent(readdir(this.#own('versions')))) ?? [];
    const found: { name: string; files: Files }[] = [];
    for (const name of names.filter((one) => NAME.test(one) && (of === undefined || one === of)).sort()) {
      const folder = this.#own('versions', name);
      for (const part of (await readdir(folder)).sort()) {
        if (PART.test(part)) found.push({ name, files: readSkillFiles(join(folder, part), name) });
      }
    }
    return found;
  }

  async rewrite(name: string, path: string, text: string): Promise<void> {
    await this.#replace(join(this.#pathOf(name), path), text);
  }

  async remove(name: string): Promise<void> {
    await rename(this.#pathOf(name), await this.#newVersion(name));
    await machineFileSystem.fsyncFolder(this.#folder);
  }

  placeOf(name: string): string {
    return this.#pathOf(name);
  }

  async restore(name: string): Promise<boolean> {
    const parts = ((await ifPresent(readdir(this.#own('versions', name)))) ?? []).filter((one) => PART.test(one));
    const newest = parts.sort().at(-1);
    if (newest === undefined) return false;
    await rename(this.#own('versions', name, newest), this.#pathOf(name));
    await machineFileSystem.fsyncFolder(this.#folder);
    return true;
  }

  /** Returns what a copy of the folder cannot have: when and where its own folder was created. */
  async seal(): Promise<string | undefined> {
    const found = await ifPresent(stat(this.#own(), { bigint: true }));
    return found && `${found.ino}.${found.birthtimeNs}`;
  }

  async readDocument(name: string): Promise<string | undefined> {
    return ifPresent(readFile(this.#own(name), 'utf8'));
  }

  async writeDocument(name: string, text: string): Promise<void> {
    await makeFolder(this.#own());
    await this.#replace(this.#own(name), text);
  }

  /** Moves the current version to the older ones, and a prepared one to its place. */
  async #complete(ready: string, name: string): Promise<void> {
    const [from, to] = [this.#own(ready), this.#pathOf(name)];
    // Another process may put a version of the same name meanwhile.
    for (let attempt = 0; attempt < 20; attempt++) {
      if (await ifPresent(stat(to))) await ifPresent(rename(to, await this.#newVersion(name)));
      try {
        await rename(from, to);
        break;
      } catch (error) {
        if (errorCode(error) === 'ENOENT') break;
        if (!/^(?:ENOTEMPTY|EEXIST)$/.test(errorCode(error))) throw failed(to, error);
      }
    }
    await machineFileSystem.fsyncFolder(this.#folder);
  }

  /** Completes the writes of processes that ended, and deletes what they left. */
  async #completeWrites(): Promise<void> {
    for (const entry of (await ifPresent(readdir(this.#own()))) ?? []) {
      const [, name, pid, part] = READY.exec(entry) ?? [];
      if (entry.startsWith('new.') && (await this.#isStale(entry)))
        await rm(this.#own(entry), { recursive: true, force: true });
      if (!name || !part || !NAME.test(name) || !(isDead(Number(pid)) || (await this.#isStale(entry)))) continue;
      // Of several processes, one gets the folder by renaming it.
      const claimed = `put.${name}.${process.pid}.${part}`;
      if (await ifPresent(rename(this.#own(entry), this.#own(claimed)).then(() => true)))
        await this.#complete(claimed, name);
    }
  }

  async #isStale(entry: string): Promise<boolean> {
    const found = await ifPresent(stat(this.#own(entry)));
    return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
  }

  /** Writes files to a new folder, flushes them, and then gives the folder its name. */
  async #prepare(name: string, files: Files, path: string): Promise<void> {
    const draft = this.#own(`new.${newPart()}`);
    try {
      await makeFolder(draft);
      const folders = new Set([draft]);
      for (const [file, content] of files) {
        const place = join(draft, file);
        if (!place.startsWith(draft)) throw new LoopError('invalid-input', `${file} lies outside of the skill`);
        await mkdir(dirname(place), { recursive: true });
        folders.add(dirname(place));
        // Scripts stay executable.
        const before = await ifPresent(stat(join(this.#pathOf(name), file)));
        await writeFlushed(place, content, before === undefined ? undefined : before.mode & 0o777);
      }
      for (const folder of folders) await machineFileSystem.fsyncFolder(folder);
      await rename(draft, path);
      await machineFileSystem.fsyncFolder(dirname(path));
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw LoopError.is(error) ? error : failed(path, error);
    }
  }

  async #newVersion(name: string): Promise<string> {
    await makeFolder(this.#own('versions', name));
    return this.#own('versions', name, newPart());
  }

  async #replace(path: string, text: string): Promise<void> {
    const draft = this.#own(`new.${newPart()}`);
    try {
      await makeFolder(this.#own());
      await writeFlushed(draft, text);
      await rename(draft, path);
      await machineFileSystem.fsyncFolder(dirname(path));
    } catch (error) {
      await rm(draft, { force: true });
      throw failed(path, error);
    }
  }

  #own(...parts: readonly string[]): string {
    return join(this.#folder, OWN, ...parts);
  }

  /** @throws LoopError `invalid-input` for a name that could lead out of the folder. */
  #pathOf(name: string): string {
    if (!NAME.test(name)) throw new LoopError('invalid-input', `${JSON.stringify(name)} is not the name of a skill`);
    return join(this.#folder, name);
  }
}

function isDead(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

async function writeFlushed(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  await writeFile(path, content, { mode: 0o600, flag: 'wx' });
  const file = await open(path, 'r+');
  try {
    await file.sync();
    await file.chmod(mode);
  } finally {
    await file.close();
  }
}

/** Sorts by time, so that versions are listed in the order in which they were kept. */
function newPart(): string {
  return `${Date.now().toString(16)}${randomBytes(4).toString('hex')}`;
}

function failed(path: string, error: unknown): LoopError {
  return new LoopError(
    'workspace-failed',
    `cannot write the skill ${basename(path)} (${errorCode(error) || 'unknown error'})`,
    {
      cause: error,
    },
  );
}
