import { join } from 'node:path';
import { type FileSystem, ifPresent, readWhole } from './file-system.js';
import { claimPath } from './numbered-files.js';

/** More than this is not kept: a disk that fails everywhere must not fill itself with what it broke. */
const MAX_FILES = 1_000;

/** Keeps a copy of what could not be read, for a person to look at; the file it came from stays as it is. */
export class Quarantine {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#folder = join(folder, 'quarantine');
  }

  /** A copy is a convenience: when it cannot be made, nothing else suffers. */
  async keep(name: string, bytes: Uint8Array): Promise<void> {
    try {
      await this.#fs.mkdir(this.#folder);
      if ((await this.#fs.readdir(this.#folder)).length >= MAX_FILES) return;
      await claimPath(this.#fs, this.#folder, join(this.#folder, name), bytes, { durable: false });
    } catch {
      // Reported is the damage itself; the original bytes are still where they were.
    }
  }

  /** Removes the copies that hold one of the texts and returns their number; with `dryRun` none is removed. */
  async erase(texts: readonly string[], dryRun: boolean): Promise<number> {
    let count = 0;
    for (const name of (await ifPresent(this.#fs.readdir(this.#folder))) ?? []) {
      const path = join(this.#folder, name);
      const bytes = await readWhole(this.#fs, path);
      if (bytes === undefined || !texts.some((text) => bytes.includes(text))) continue;
      count++;
      if (!dryRun) await ifPresent(this.#fs.unlink(path));
    }
    return count;
  }
}
