import type { Coordination, Lease, WriterState } from '../contract/coordination.js';
import { readWhole } from './file-system.js';
import { otherFormat } from './format.js';
import { openFile, sealFile } from './line.js';
import type { NumberedFiles } from './numbered-files.js';
import type { StoreFolder } from './store-folder.js';
import type { WriterRegistry } from './writer-registry.js';

/** A live process without a heartbeat for this long is suspended, or its disk hangs: it loses its leases. */
const STOPPED_MS = 60_000;

/**
 * Leases as numbered files. The number is the fence, and the highest one holds while its owner is registered and sends
 * heartbeats. Taking over means claiming the next number, so two processes that find the same owner dead cannot both
 * succeed. An owner that resumes later sees the higher number; its decisions fail if the ledger has moved meanwhile.
 */
export class FileCoordination implements Coordination {
  readonly #folder: StoreFolder;
  readonly #files: NumberedFiles;
  readonly #registry: WriterRegistry;
  readonly #writeOwn: () => Promise<void>;

  /** `writeOwn` makes this process's records readable for others. */
  constructor(folder: StoreFolder, registry: WriterRegistry, writeOwn: () => Promise<void>) {
    this.#folder = folder;
    this.#files = folder.numbered('leases');
    this.#registry = registry;
    this.#writeOwn = writeOwn;
  }

  async writers(): Promise<readonly WriterState[]> {
    await this.#folder.prepare();
    await this.#writeOwn();
    await this.#registry.beat();
    return this.#registry.all();
  }

  async lease(name: string): Promise<Lease | undefined> {
    this.#folder.mustBeOpen();
    await this.#folder.prepare();
    const last = (await this.#files.numbers(name)).at(-1) ?? 0;
    if (last > 0 && (await this.#isHeld(name, last))) return undefined;
    await this.#registry.register();
    const fence = last + 1;
    if (!(await this.#claim(name, fence, this.#registry.writer))) return undefined;
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
    const bytes = await readWhole(this.#folder.fs, this.#files.path(name, fence));
    // Gone: another process just took a higher number.
    if (bytes === undefined) return true;
    const content = openFile('lease', bytes);
    // A damaged lease has no known owner, so it is free. Another version's lease may have a living one.
    if (content.kind === 'damaged') return false;
    if (content.kind === 'other-format') {
      this.#folder.reportOnce({
        kind: 'foreign',
        message: otherFormat('lease', this.#files.path(name, fence), content.format),
      });
      return true;
    }
    const { owner } = content.value;
    if (typeof owner !== 'string' || owner === '') return false;
    const presence = await this.#registry.of(owner);
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
