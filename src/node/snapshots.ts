import type { Clock } from '../contract/clock.js';
import type { Saved, Snapshot, StoreProblem } from '../contract/store.js';
import { jsonSlices } from '../lib/json-pieces.js';
import { type FileSystem, ifPresent, readWhole } from './file-system.js';
import { openFile } from './line.js';
import type { NumberedFiles } from './numbered-files.js';
import { writeSealed } from './write-sealed.js';

/** Named snapshots as numbered files. The number is the version, so saving is a compare-and-set. */
export class Snapshots {
  readonly #fs: FileSystem;
  readonly #files: NumberedFiles;
  readonly #clock: Clock;
  readonly #tell: (problem: StoreProblem) => void;

  constructor(fs: FileSystem, files: NumberedFiles, clock: Clock, tell: (problem: StoreProblem) => void) {
    this.#fs = fs;
    this.#files = files;
    this.#clock = clock;
    this.#tell = tell;
  }

  async load(name: string): Promise<Saved | undefined> {
    for (;;) {
      const version = (await this.#files.numbers(name)).at(-1);
      if (version === undefined) return undefined;
      const path = this.#files.path(name, version);
      const bytes = await readWhole(this.#fs, path);
      // A newer one replaced it after the listing.
      if (bytes === undefined) continue;
      const content = openFile('state', bytes);
      // The checksum holds, so `save` wrote it.
      if (content.kind === 'intact') return { version, value: content.value.value as Snapshot };
      if (content.kind === 'newer') {
        this.#tell({
          kind: 'foreign',
          message: `${path} has format ${content.format}: upgrade this package to use it`,
        });
        return undefined;
      }
      this.#tell({
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
      await ifPresent(this.#fs.rename(path, `${path}.damaged`));
      return true;
    } catch {
      return false;
    }
  }

  async save(name: string, value: Snapshot, after: number): Promise<boolean> {
    if (((await this.#files.numbers(name)).at(-1) ?? 0) !== after) return false;
    const version = after + 1;
    const rest = () => restOf(version, jsonSlices(value, this.#clock));
    const write = (file: number) => writeSealed(this.#fs, file, 'state', rest());
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
    const names = (await ifPresent(this.#fs.readdir(this.#files.folder))) ?? [];
    for (const name of dryRun ? [] : names) await ifPresent(this.#fs.unlink(`${this.#files.folder}/${name}`));
    return names.length;
  }
}

async function* restOf(version: number, value: AsyncIterable<string>): AsyncGenerator<string> {
  yield `"version":${version},"value":`;
  yield* value;
  yield '}';
}
