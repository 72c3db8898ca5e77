import type { Lease } from '../contract/store.js';
import { type FileSystem, readWhole } from './file-system.js';
import { openFile, sealFile } from './line.js';
import type { NumberedFiles } from './numbered-files.js';
import type { WriterRegistry } from './writer-registry.js';

/** A live process without a heartbeat for this long is suspended, or its disk hangs: it loses its leases. */
const STOPPED_MS = 60_000;

/**
 * Leases as numbered files. The number is the fence, and the highest one holds while its owner is registered and sends
 * heartbeats. Taking over means claiming the next number, so two processes that find the same owner dead cannot both
 * succeed. An owner that resumes later sees the higher number; its decisions fail if the ledger has moved meanwhile.
 */
export class Leases {
  readonly #fs: FileSystem;
  readonly #files: NumberedFiles;
  readonly #board: WriterRegistry;
  readonly #writer: string;

  constructor(fs: FileSystem, files: NumberedFiles, board: WriterRegistry, writer: string) {
    this.#fs = fs;
    this.#files = files;
    this.#board = board;
    this.#writer = writer;
  }

  async take(name: string): Promise<Lease | undefined> {
    const last = (await this.#files.numbers(name)).at(-1) ?? 0;
    if (last > 0 && (await this.#isHeld(name, last))) return undefined;
    await this.#board.register();
    const fence = last + 1;
    if (!(await this.#claim(name, fence, this.#writer))) return undefined;
    // A slow process may claim a number that was taken, used and removed long ago: the highest one counts.
    if (!(await this.#isLast(name, fence))) return undefined;
    await this.#files.removeBelow(name, fence);
    return {
      fence,
      held: () => this.#isLast(name, fence),
      release: async () => {
        if (!(await this.#isLast(name, fence))) return;
        if (await this.#claim(name, fence + 1, '')) await this.#files.removeBelow(name, fence + 1);
      },
    };
  }

  async #isHeld(name: string, fence: number): Promise<boolean> {
    const bytes = await readWhole(this.#fs, this.#files.path(name, fence));
    // Gone: another process just took a higher number.
    if (bytes === undefined) return true;
    const content = openFile('lease', bytes);
    // An unreadable lease has no known owner, so it is free. A newer version's lease is respected.
    if (content.kind !== 'intact') return content.kind === 'newer';
    const { owner } = content.value;
    if (typeof owner !== 'string' || owner === '') return false;
    const presence = await this.#board.of(owner);
    return presence?.alive === true && presence.quietMs < STOPPED_MS;
  }

  async #isLast(name: string, fence: number): Promise<boolean> {
    return (await this.#files.numbers(name)).at(-1) === fence;
  }

  #claim(name: string, fence: number, owner: string): Promise<boolean> {
    const bytes = sealFile('lease', `"fence":${fence},"owner":${JSON.stringify(owner)}}`);
    return this.#files.claim(name, fence, bytes, { durable: false });
  }
}
