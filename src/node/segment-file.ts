import type { FileSystem } from './file-system.js';
import { writeWhole } from './file-system.js';
import type { Chunk } from './journal-queue.js';
import { type Segment, segmentHeader } from './segments.js';

/** Error code for a file that is no longer at its path. */
export const GONE = 'RSI_GONE';

/** Open segment that this process appends to. */
export class SegmentFile {
  readonly segment: Segment;
  readonly openedMs: number;
  /** True after an error: data that was not fsynced before may be missing from the file. */
  broken = false;
  readonly #fs: FileSystem;
  readonly #file: number;
  /** Offset of the next chunk. */
  #size: number;
  /** True once its name survives a power cut. */
  #isNamed = false;

  private constructor(fs: FileSystem, segment: Segment, file: number, openedMs: number) {
    this.#fs = fs;
    this.segment = segment;
    this.#file = file;
    this.openedMs = openedMs;
    this.#size = segmentHeader(segment).byteLength;
  }

  static async create(fs: FileSystem, segment: Segment, openedMs: number): Promise<SegmentFile> {
    const created = new SegmentFile(fs, segment, await fs.open(segment.path, 'wx'), openedMs);
    try {
      await writeWhole(fs, created.#file, segmentHeader(segment), 0);
    } catch (error) {
      await created.discard();
      throw error;
    }
    return created;
  }

  /** Creates a segment in the last moments of a process. */
  static createSync(fs: FileSystem, segment: Segment, openedMs: number): SegmentFile {
    const created = new SegmentFile(fs, segment, fs.openSync(segment.path, 'wx'), openedMs);
    fs.writeSync(created.#file, segmentHeader(segment), 0);
    return created;
  }

  get size(): number {
    return this.#size;
  }

  /** Writes a chunk. A chunk that was written in part before is written again at the same offset. */
  async write(chunk: Chunk): Promise<void> {
    await writeWhole(this.#fs, this.#file, chunk.bytes, this.#place(chunk));
  }

  writeSync(chunk: Chunk): void {
    const at = this.#place(chunk);
    for (let done = 0; done < chunk.bytes.byteLength; ) {
      done += this.#fs.writeSync(this.#file, chunk.bytes.subarray(done), at + done);
    }
  }

  #place(chunk: Chunk): number {
    if (chunk.at === undefined) {
      chunk.at = this.#size;
      this.#size += chunk.bytes.byteLength;
    }
    return chunk.at;
  }

  /** @throws an error with the code `GONE` if the file was deleted, moved or replaced. */
  async sync(folder: string): Promise<void> {
    await this.#fs.fsync(this.#file);
    // An unlinked file accepts every write and fsync without an error.
    if (!(await this.#fs.isAt(this.#file, this.segment.path))) {
      const what = `${this.segment.path} was deleted, moved or replaced while this process wrote to it`;
      throw Object.assign(new Error(what), { code: GONE });
    }
    if (!this.#isNamed) await this.#fs.fsyncFolder(folder);
    this.#isNamed = true;
  }

  syncSync(): void {
    this.#fs.fsyncSync(this.#file);
  }

  isAtSync(): boolean {
    return this.#fs.isAtSync(this.#file, this.segment.path);
  }

  async close(): Promise<void> {
    await this.#fs.close(this.#file).catch(() => undefined);
  }

  /** Closes the file and removes it, unless another file took its place. */
  async discard(): Promise<void> {
    const isOurs = await this.#fs.isAt(this.#file, this.segment.path).catch(() => false);
    await this.close();
    if (isOurs) await this.#fs.unlink(this.segment.path).catch(() => undefined);
  }
}
