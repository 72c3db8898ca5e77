import { join } from 'node:path';
import type { Clock } from '../contract/clock.js';
import { type FileSystem, ifPresent, readWhole, writeWhole } from './file-system.js';
import { openFile, sealFile } from './line.js';
import { claimPath } from './numbered-files.js';
import type { ProcessTable } from './process-identity.js';

/** How often a process shows that it is alive and how far its journal can be trusted. */
const BEAT_MS = 500;
/**
 * A process of which only the heartbeat can be seen (another host, or a system without start times) counts as dead when
 * it has not beaten for so long, by the watcher's own steady clock: nobody's wall clock is asked.
 */
const SILENT_MS = 8_000;
/** A process appears with its first write, a moment after its first record was made: nobody may look past that moment. */
const MARGIN_MS = 250;
/** Room for the numbers to grow, so that a beat overwrites the one before in place. */
const BYTES = 512;

export interface RegisteredWriter {
  readonly writer: string;
  readonly alive: boolean;
  readonly watermarkMs: number;
  /** How long this process has seen no new heartbeat of it, by its own steady clock. 0 at the first look. */
  readonly quietMs: number;
}

/** Who is there: one small file per process, overwritten at each beat and removed on a clean end. */
export class WriterRegistry {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #writer: string;
  readonly #clock: Clock;
  readonly #processes: ProcessTable;
  /** Everything recorded before this moment can be read by others. */
  readonly #watermark: () => number;
  readonly #onGone: () => void;
  #joined: Promise<void> | undefined;
  #isShown = false;
  #file: number | undefined;
  #beat = 0;
  #beating: Promise<void> = Promise.resolve();
  #cancel: (() => void) | undefined;
  #left = false;
  /** The last beat seen of each process, and when it was first seen. */
  readonly #seen = new Map<string, { readonly beat: number; readonly sinceMs: number }>();

  constructor(
    fs: FileSystem,
    folder: string,
    options: {
      readonly writer: string;
      readonly clock: Clock;
      readonly processes: ProcessTable;
      readonly watermark: () => number;
      /** Called when the file of this process is no longer on the board. */
      readonly onGone?: () => void;
    },
  ) {
    this.#fs = fs;
    this.#folder = join(folder, 'writers');
    this.#writer = options.writer;
    this.#clock = options.clock;
    this.#processes = options.processes;
    this.#watermark = options.watermark;
    this.#onGone = options.onGone ?? (() => undefined);
  }

  /** Shows this process to the others; resolves when they can see it. */
  register(): Promise<void> {
    this.#joined ??= this.#appear().catch((error: unknown) => {
      this.#joined = undefined;
      throw error;
    });
    return this.#joined;
  }

  async #appear(): Promise<void> {
    await this.#fs.mkdir(this.#folder);
    await claimPath(this.#fs, this.#folder, this.#path(this.#writer), this.#content(), { durable: false });
    this.#file = await this.#fs.open(this.#path(this.#writer), 'r+');
    this.#isShown = true;
    if (!this.#left) this.#schedule();
  }

  #schedule(): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(BEAT_MS, () => void this.beat().then(() => this.#left || this.#schedule()), {
      background: true,
    });
  }

  /** Renews the heartbeat now. A beat that fails is made up for by the next one. */
  beat(): Promise<void> {
    this.#beating = this.#beating.then(async () => {
      if (!this.#isShown || this.#left) return;
      try {
        if (this.#file === undefined || !(await this.#fs.isAt(this.#file, this.#path(this.#writer)))) {
          await this.#appearAgain();
          return;
        }
        await writeWhole(this.#fs, this.#file, this.#content(), 0);
      } catch {
        // The others go on with the last watermark; a full disk is reported where records are written.
      }
    });
    return this.#beating;
  }

  /** Without a folder to appear in, waits for the next `join`: deleting the folder of an idle process leaves it deleted. */
  async #appearAgain(): Promise<void> {
    const file = this.#file;
    if (file !== undefined) {
      this.#file = undefined;
      this.#joined = undefined;
      this.#onGone();
      await this.#fs.close(file).catch(() => undefined);
    }
    const root = await ifPresent(this.#fs.readdir(join(this.#folder, '..')));
    // `leave` waits for the beat and then for this: the beat itself may not.
    if (root !== undefined) void this.register().catch(() => undefined);
  }

  /** Takes this process off the board: it is finished and holds nothing any more. */
  async unregister(): Promise<void> {
    this.#left = true;
    this.#cancel?.();
    await this.#beating;
    await this.#joined?.catch(() => undefined);
    const file = this.#file;
    if (file === undefined) return;
    this.#file = undefined;
    await this.#fs.close(file);
    await ifPresent(this.#fs.unlink(this.#path(this.#writer)));
  }

  /** Everybody on the board; the dead are named once and then taken off it. */
  async all(): Promise<readonly RegisteredWriter[]> {
    const names = (await ifPresent(this.#fs.readdir(this.#folder))) ?? [];
    const found: RegisteredWriter[] = [];
    for (const name of names) {
      const writer = /^([0-9A-Za-z]+)\.json$/.exec(name)?.[1];
      const presence = writer === undefined ? undefined : await this.of(writer);
      if (presence === undefined) continue;
      found.push(presence);
      if (!presence.alive) await ifPresent(this.#fs.unlink(join(this.#folder, name)));
    }
    return found;
  }

  /** One process, or `undefined` when it is not on the board (any more). */
  async of(writer: string): Promise<RegisteredWriter | undefined> {
    const bytes = await readWhole(this.#fs, this.#path(writer));
    if (bytes === undefined) {
      this.#seen.delete(writer);
      return undefined;
    }
    const content = openFile('writer', bytes);
    if (content.kind !== 'intact') {
      // Read in the middle of a beat, or damaged: only its silence can tell.
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
    const nowMs = this.#clock.monotonic();
    const seen = this.#seen.get(writer);
    if (seen?.beat === beat) return nowMs - seen.sinceMs;
    this.#seen.set(writer, { beat, sinceMs: nowMs });
    return 0;
  }

  #path(writer: string): string {
    return join(this.#folder, `${writer}.json`);
  }

  #content(): Buffer {
    const entry: Heartbeat = {
      writer: this.#writer,
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
