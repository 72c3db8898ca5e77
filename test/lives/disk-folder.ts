import { closeSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/contract/clock.js';
import { FileStore, type FileSystem, machineFileSystem, readOnlyFileSystem } from '../../src/node/index.js';
import { sealFile } from '../../src/node/line.js';
import { type LifeFolder, type LifeStore, SharedFolder } from './shared-store.js';

/** A folder on the disk that several processes share, each with a `FileStore` of its own. */
export class DiskFolder implements LifeFolder {
  readonly #path = mkdtempSync(join(tmpdir(), 'rsi-life-'));
  readonly #alive = new Set<number>();
  readonly #files = new Set<number>();
  #processes = 0;

  open(writer: string, clock: Clock): LifeStore {
    const pid = ++this.#processes;
    this.#alive.add(pid);
    const store = new FileStore(this.#path, {
      writer: writer.padEnd(12, '0'),
      clock,
      fs: this.#fileSystemOf(pid),
      processes: {
        self: { host: 'life', pid, started: `${pid}` },
        liveness: (other) => (this.#alive.has(other.pid) ? 'alive' : 'dead'),
      },
      // Small, so that lives meet the ends of both.
      segmentBytes: 20_000,
      ledgerPartFiles: 8,
    });
    const beat = () => undefined; // its own timer beats
    return Object.assign(store, { beat, kill: () => void this.#alive.delete(pid) });
  }

  async saved(name: string): Promise<string | undefined> {
    const saved = await this.#reader().snapshots.load(name);
    return saved && JSON.stringify(saved.value);
  }

  async logs(decisions?: number): Promise<SharedFolder> {
    const copy = new SharedFolder();
    const store = this.#reader();
    for await (const { writer, position, record } of store.journal.read()) {
      copy.put(writer, position, JSON.stringify(record));
    }
    for await (const { entry: record } of store.ledger.read()) copy.ledger.push(JSON.stringify(record));
    return copy.logs(decisions);
  }

  expireLeases(): void {
    const folder = join(this.#path, 'leases');
    if (!existsSync(folder)) return;
    const last = readdirSync(folder)
      .filter((name) => name.startsWith('cycle.'))
      .sort()
      .at(-1);
    if (last === undefined) return;
    const fence = Number(last.split('.')[1]) + 1;
    const path = join(folder, `cycle.${String(fence).padStart(12, '0')}.json`);
    writeFileSync(path, sealFile('lease', `"fence":${fence},"owner":""}`));
  }

  remove(): void {
    for (const file of this.#files) closeSync(file);
    rmSync(this.#path, { recursive: true, force: true });
  }

  #reader(): FileStore {
    return new FileStore(this.#path, { fs: readOnlyFileSystem });
  }

  /** The machine's, without fsync. Calls of a process that was killed have no effect and never end. */
  #fileSystemOf(pid: number): FileSystem {
    const isAlive = () => this.#alive.has(pid);
    const own: FileSystem = {
      ...machineFileSystem,
      fsync: async () => undefined,
      fsyncFolder: async () => undefined,
      open: async (path, flags) => {
        const file = await machineFileSystem.open(path, flags);
        this.#files.add(file);
        return file;
      },
      close: async (file) => {
        this.#files.delete(file);
        await machineFileSystem.close(file);
      },
    };
    return new Proxy(own, {
      get(target, name) {
        const call: unknown = Reflect.get(target, name);
        if (isAlive() || typeof call !== 'function') return call;
        return () => {
          if (String(name).endsWith('Sync')) throw new Error('this process was killed');
          return new Promise(() => undefined);
        };
      },
    });
  }
}
