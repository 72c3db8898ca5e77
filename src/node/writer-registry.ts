import { join } from 'node:path';
import { ifPresent, readWhole, writeWhole } from './file-system.js';
import { otherFormat } from './format.js';
import { openFile, sealFile } from './line.js';
import { claimPath } from './numbered-files.js';
import type { ProcessTable } from './process-identity.js';
import type { StoreFolder } from './store-folder.js';

/** Heartbeat interval. A heartbeat shows that a process is alive and how far its journal is complete. */
const BEAT_MS = 500;
/**
 * Time-out of heartbeats from another host, or from a system without start times: after this long without one, a
 * process counts as dead. Measured by the watcher's own monotonic clock, so that wall clocks do not matter.
 */
const SILENT_MS = 8_000;
/** Safety margin below the watermark: a process registers a moment after it creates its first record. */
const MARGIN_MS = 250;
/** File size in bytes. Leaves room for the numbers to grow, so that each heartbeat overwrites the last one in place. */
const BYTES = 512;

export interface RegisteredWriter {
  readonly writer: string;
  readonly alive: boolean;
  readonly watermarkMs: number;
  /** Time since this process last saw a new heartbeat of it, by its own monotonic clock. 0 at the first look. */
  readonly quietMs: number;
}

/** Registry of live processes: one heartbeat file each, removed on clean exit. */
export class WriterRegistry {
  readonly #folder: StoreFolder;
  readonly #path: string;
  readonly writer: string;
  readonly #processes: ProcessTable;
  /** Returns the time before which every record can be read by others. */
  readonly #watermark: () => number;
  #joined: Promise<void> | undefined;
  #isShown = false;
  #file: number | undefined;
  #beat = 0;
  #beating: Promise<void> = Promise.resolve();
  #cancel: (() => void) | undefined;
  #left = false;
  /** The last heartbeat seen of each process, and when it was first seen. */
  readonly #seen = new Map<string, { readonly beat: number; readonly sinceMs: number }>();

  constructor(
    folder: StoreFolder,
    options: { readonly writer: string; readonly processes: ProcessTable; readonly watermark: () => number },
  ) {
    this.#folder = folder;
    this.#path = folder.inside('writers');
    this.writer = options.writer;
    this.#processes = options.processes;
    this.#watermark = options.watermark;
  }

  /** Creates this process's heartbeat file. Resolves when others can see it. */
  register(): Promise<void> {
    this.#joined ??= this.#appear().catch((error: unknown) => {
      this.#joined = undefined;
      throw error;
    });
    return this.#joined;
  }

  async #appear(): Promise<void> {
    await this.#folder.fs.mkdir(this.#path);
    await claimPath(this.#folder.fs, this.#path, this.#fileOf(this.writer), this.#content(), { durable: false });
    this.#file = await this.#folder.fs.open(this.#fileOf(this.writer), 'r+');
    this.#isShown = true;
    if (!this.#left) this.#schedule();
  }

  #schedule(): void {
    this.#cancel?.();
    this.#cancel = this.#folder.clock.after(
      BEAT_MS,
      () => void this.beat().then(() => this.#left || this.#schedule()),
      {
        background: true,
      },
    );
  }

  /** Renews the heartbeat now. After a failure, the next heartbeat makes up for it. */
  beat(): Promise<void> {
    this.#beating = this.#beating.then(async () => {
      if (!this.#isShown || this.#left) return;
      try {
        if (this.#file === undefined || !(await this.#folder.fs.isAt(this.#file, this.#fileOf(this.writer)))) {
          await this.#appearAgain();
          return;
        }
        await writeWhole(this.#folder.fs, this.#file, this.#content(), 0);
      } catch {
        // Others keep using the last watermark. A full disk is reported where records are written.
      }
    });
    return this.#beating;
  }

  /**
   * Registers again if the store's folder still exists. Otherwise waits for the next `register`, so that deleting the
   * folder of an idle process leaves it deleted.
   */
  async #appearAgain(): Promise<void> {
    const file = this.#file;
    if (file !== undefined) {
      this.#file = undefined;
      this.#joined = undefined;
      this.#folder.prepareAgain();
      await this.#folder.fs.close(file).catch(() => undefined);
    }
    const root = await ifPresent(this.#folder.fs.readdir(this.#folder.path));
    // `unregister` waits for the heartbeat and then for this, so the heartbeat itself must not wait for it.
    if (root !== undefined) void this.register().catch(() => undefined);
  }

  /** Removes this process's heartbeat file: the process is finished and holds nothing any more. */
  async unregister(): Promise<void> {
    this.#left = true;
    this.#cancel?.();
    await this.#beating;
    await this.#joined?.catch(() => undefined);
    const file = this.#file;
    if (file === undefined) return;
    this.#file = undefined;
    await this.#folder.fs.close(file);
    await ifPresent(this.#folder.fs.unlink(this.#fileOf(this.writer)));
  }

  /** Lists all registered processes. Dead ones are listed once, and their files removed. */
  async all(): Promise<readonly RegisteredWriter[]> {
    const names = (await ifPresent(this.#folder.fs.readdir(this.#path))) ?? [];
    const found: RegisteredWriter[] = [];
    for (const name of names) {
      const writer = /^([0-9A-Za-z]+)\.json$/.exec(name)?.[1];
      const presence = writer === undefined ? undefined : await this.of(writer);
      if (presence === undefined) continue;
      found.push(presence);
      if (!presence.alive) await ifPresent(this.#folder.fs.unlink(join(this.#path, name)));
    }
    return found;
  }

  /** Returns one process, or `undefined` if it is not registered. */
  async of(writer: string): Promise<RegisteredWriter | undefined> {
    const bytes = await readWhole(this.#folder.fs, this.#fileOf(writer));
    if (bytes === undefined) {
      this.#seen.delete(writer);
      return undefined;
    }
    const content = openFile('writer', bytes);
    if (content.kind === 'other-format') {
      // Its journal is not read either, so nothing waits for it.
      const message = otherFormat('writer', this.#fileOf(writer), content.format);
      this.#folder.reportOnce({ kind: 'foreign', message });
      return undefined;
    }
    if (content.kind !== 'intact') {
      // Read during a heartbeat's write, or damaged: only its age can decide.
      const quietMs = this.#quietMs(writer, -1);
      return { writer, alive: quietMs < SILENT_MS, watermarkMs: 0, quietMs };
    }
    // The checksum held, so these are the fields that were written.
    const value = content.value as unknown as Heartbeat;
    const liveness = this.#processes.liveness(value.process);
    const quietMs = this.#quietMs(writer, value.beat);
    const alive = liveness === 'unknown' ? quietMs < SILENT_MS : liveness === 'alive';
    if (!alive) this.#seen.delete(writer);
    return { writer, alive, watermarkMs: value.watermarkMs, quietMs };
  }

  #quietMs(writer: string, beat: number): number {
    const nowMs = this.#folder.clock.monotonic();
    const seen = this.#seen.get(writer);
    if (seen?.beat === beat) return nowMs - seen.sinceMs;
    this.#seen.set(writer, { beat, sinceMs: nowMs });
    return 0;
  }

  #fileOf(writer: string): string {
    return join(this.#path, `${writer}.json`);
  }

  #content(): Buffer {
    const entry: Heartbeat = {
      writer: this.writer,
      process: this.#processes.self,
      beat: this.#beat++,
      watermarkMs: this.#watermark() - MARGIN_MS,
    };
    const text = JSON.stringify(entry).slice(1);
    const room = BYTES - Buffer.byteLength(text) - 60;
    return sealFile('writer', `${text.slice(0, -1)}${' '.repeat(Math.max(0, room))}}`);
  }
}

interface Heartbeat {
  readonly writer: string;
  readonly process: ProcessTable['self'];
  readonly beat: number;
  readonly watermarkMs: number;
}
