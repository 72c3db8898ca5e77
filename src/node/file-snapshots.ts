import type { Saved, Snapshot, Snapshots } from '../contract/snapshots.js';
import { jsonSlices } from '../lib/json-pieces.js';
import { ifPresent, readWhole } from './file-system.js';
import { otherFormat } from './format.js';
import { openFile } from './line.js';
import type { NumberedFiles } from './numbered-files.js';
import type { StoreFolder } from './store-folder.js';
import { writeSealed } from './write-sealed.js';

/** Named snapshots as numbered files. The number is the version, so saving is a compare-and-set. */
export class FileSnapshots implements Snapshots {
  readonly #folder: StoreFolder;
  readonly #files: NumberedFiles;

  constructor(folder: StoreFolder) {
    this.#folder = folder;
    this.#files = folder.numbered('state');
  }

  async load(name: string): Promise<Saved | undefined> {
    await this.#folder.prepare();
    for (;;) {
      const version = (await this.#files.numbers(name)).at(-1);
      if (version === undefined) return undefined;
      const path = this.#files.path(name, version);
      const bytes = await readWhole(this.#folder.fs, path);
      // A newer one replaced it after the listing.
      if (bytes === undefined) continue;
      const content = openFile('state', bytes);
      // The checksum holds, so `save` wrote it.
      if (content.kind === 'intact') return { version, value: content.value.value as Snapshot };
      if (content.kind === 'other-format') {
        this.#folder.reportOnce({ kind: 'foreign', message: otherFormat('state', path, content.format) });
        return undefined;
      }
      this.#folder.report({
        kind: 'damaged',
        message: `${path} is damaged: everything is replayed instead`,
        count: 1,
      });
      // On a read-only disk nothing can be renamed, and the same damaged file would be found again and again.
      if (!(await this.#setAside(path))) return undefined;
    }
  }

  async #setAside(path: string): Promise<boolean> {
    try {
      await ifPresent(this.#folder.fs.rename(path, `${path}.damaged`));
      return true;
    } catch {
      return false;
    }
  }

  async save(name: string, value: Snapshot, after: number): Promise<boolean> {
    this.#folder.mustBeOpen();
    await this.#folder.prepare();
    if (((await this.#files.numbers(name)).at(-1) ?? 0) !== after) return false;
    const version = after + 1;
    const rest = () => restOf(version, jsonSlices(value, this.#folder.clock));
    const write = (file: number) => writeSealed(this.#folder.fs, file, 'state', rest());
    if (!(await this.#files.claim(name, version, write, { durable: true }))) return false;
    // A slow process may claim a version that was already replaced: the highest one counts.
    if ((await this.#files.numbers(name)).at(-1) !== version) return false;
    await this.#files.removeBelow(name, version);
    return true;
  }

  /**
   * Deletes every snapshot, because it may hold data that must be erased, and returns their number. The next start
   * replays the ledger and journal. With `dryRun` it deletes none.
   */
  async forget(dryRun: boolean): Promise<number> {
    const names = (await ifPresent(this.#folder.fs.readdir(this.#files.folder))) ?? [];
    for (const name of dryRun ? [] : names) await ifPresent(this.#folder.fs.unlink(`${this.#files.folder}/${name}`));
    return names.length;
  }
}

async function* restOf(version: number, value: AsyncIterable<string>): AsyncGenerator<string> {
  yield `"version":${version},"value":`;
  yield* value;
  yield '}';
}
