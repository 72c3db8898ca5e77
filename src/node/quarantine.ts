import { join } from 'node:path';
import { ifPresent, readWhole } from './file-system.js';
import { claimPath } from './numbered-files.js';
import type { StoreFolder } from './store-folder.js';

/** Maximum number of copies: a disk that fails everywhere must not fill up with damaged records. */
const MAX_FILES = 1_000;

/** Folder with copies of records that could not be read, for a person to inspect. The original file stays as it is. */
export class Quarantine {
  readonly #fs: StoreFolder['fs'];
  readonly #folder: string;

  constructor(store: StoreFolder) {
    this.#fs = store.fs;
    this.#folder = store.inside('quarantine');
  }

  /** Stores a copy. Ignores failures: the copy is only a convenience. */
  async keep(name: string, bytes: Uint8Array): Promise<void> {
    try {
      await this.#fs.mkdir(this.#folder);
      if ((await this.#fs.readdir(this.#folder)).length >= MAX_FILES) return;
      await claimPath(this.#fs, this.#folder, join(this.#folder, name), bytes, { durable: false });
    } catch {
      // The damage itself is reported, and the original bytes are still in place.
    }
  }

  /** Removes the copies that hold one of the texts and returns their number. With `dryRun` it removes none. */
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
