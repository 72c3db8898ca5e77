import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { StoreProblem } from '../contract/store.js';
import { errorCode, type FileSystem, writeWhole } from './file-system.js';
import { type Chunk, JournalQueue } from './journal-queue.js';
import { type Segment, segmentHeader, segmentOf } from './segments.js';

export interface JournalWriterOptions {
  readonly writer: string;
  readonly clock: Clock;
  readonly flushMs: number;
  readonly fsyncMs: number;
  readonly fsyncRecords: number;
  readonly segmentBytes: number;
  readonly segmentMs: number;
  readonly maxQueued: number;
  readonly tell: (problem: StoreProblem) => void;
  /** Called before the first byte is written, and for each new segment. */
  readonly prepare: () => Promise<void>;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

/** Bounds memory if the disk accepts writes but never finishes an fsync. */
const MAX_UNSYNCED_BYTES = 67_108_864;
/** Attempts of `flush`: after a failed fsync, everything is written again to another file. */
const FLUSH_ATTEMPTS = 3;
/** Temporary errors, such as a full disk or too few handles: the file itself is still good. */
const PASSING: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** Error code for a file that is no longer at its path. */
const GONE = 'RSI_GONE';

interface OpenSegment {
  readonly segment: Segment;
  readonly file: number;
  readonly openedMs: number;
  /** Offset of the next chunk. */
  size: number;
  /** True once its name survives a power cut. */
  named: boolean;
  /** True after an error: data that was not fsynced before may be missing from the file. */
  broken: boolean;
}

/**
 * Writes this process's part of the journal. `add` only gathers text. `#pump` does everything else, one step at a time.
 * `writeOut` is its synchronous variant for the last moments of a process.
 *
 * Records stay in memory until they are fsynced. After a failed fsync the system may have dropped those pages, and may
 * report the next fsync as a success. So the file is never trusted again. The records go into a new segment; its name
 * holds the position from which it replaces the one before. See "Can Applications Recover from fsync Failures?"
 * (Rebello 2020).
 */
export class JournalWriter {
  readonly #fs: FileSystem;
  readonly #folder: string;
  readonly #options: JournalWriterOptions;
  readonly #queue: JournalQueue;
  #dropped = 0;
  #open: OpenSegment | undefined;
  #serial = 0;
  #running: Promise<void> | undefined;
  #syncing: Promise<void> | undefined;
  #lastSyncMs: number;
  #failure: unknown;
  #retryMs = FIRST_RETRY_MS;
  #cancelTimer: (() => void) | undefined;
  #timerDueMs = 0;
  #closed = false;

  constructor(fs: FileSystem, folder: string, options: JournalWriterOptions) {
    this.#fs = fs;
    this.#folder = folder;
    this.#options = options;
    this.#queue = new JournalQueue(options.clock);
    this.#lastSyncMs = options.clock.monotonic();
  }

  /** Number of records that were added and have not reached the operating system yet. */
  get queued(): number {
    return this.#queue.position - this.#queue.written;
  }

  /** Position up to which everything has reached the operating system. */
  get written(): number {
    return this.#queue.written;
  }

  /** Epoch milliseconds: every process can read everything added before this time. */
  watermarkMs(): number {
    const nowMs = this.#options.clock.now();
    return Math.min(nowMs, this.#queue.waitingSinceMs ?? nowMs);
  }

  /** Adds a record and returns its position, or `undefined` if it is dropped because too many wait. Never throws. */
  add(record: JournalRecord): number | undefined {
    const { maxQueued, flushMs } = this.#options;
    // Starts have twice the room: without its start, a trial cannot assign an outcome to an arm.
    const room = record.kind === 'start' ? 2 * maxQueued : maxQueued;
    if (this.queued >= room) {
      this.#drop(1);
      return undefined;
    }
    // Gathering records already have a flush timer, and after a failure the retry timer is set.
    if (!this.#queue.isGathering && this.#failure === undefined) this.#wake(flushMs);
    try {
      return this.#queue.add(record);
    } catch {
      // Not JSON, e.g. cyclic. `record()` passes no such record on, but nothing may ever throw here.
      this.#drop(1);
      return undefined;
    }
  }

  /** Writes everything to the operating system, so that others can read it. Failures are reported, not thrown. */
  async write(): Promise<void> {
    this.#queue.cut();
    do await this.#pump();
    while (this.#failure === undefined && this.#queue.next !== undefined);
  }

  /**
   * Resolves when everything added so far has been fsynced.
   * @throws LoopError `store-failed` after three failed attempts.
   */
  async flush(): Promise<void> {
    const target = this.#queue.position;
    for (let attempt = 0; attempt < FLUSH_ATTEMPTS; ) {
      if (this.#queue.safe >= target) return;
      await this.write();
      if (this.#failure === undefined && this.#queue.safe < target) await this.#sync();
      if (this.#failure !== undefined) attempt++;
    }
    throw storeFailed(this.#folder, this.#failure, this.#queue.position - this.#queue.safe);
  }

  /** Flushes what it can and frees everything. The rest is reported as dropped. */
  async close(): Promise<void> {
    if (this.#closed) return;
    await this.flush().catch(() => undefined);
    this.#closed = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    await this.#running;
    await this.#syncing;
    this.#drop(this.queued);
    this.#queue.clear();
    this.#tellDropped();
    await this.#leave();
  }

  /** Ends the open segment, so that nothing more is written to it. The next record begins a new one. */
  async endSegment(): Promise<void> {
    await this.flush();
    await this.#running;
    await this.#syncing;
    if (!this.#queue.hasChunks) await this.#leave();
  }

  /**
   * Writes and fsyncs everything synchronously, for the moments in which a process ends. A chunk whose asynchronous
   * write is running is written again to the same offset, which changes nothing.
   */
  writeOut(): void {
    this.#queue.cut();
    if (this.#closed || !this.#queue.hasChunks) return;
    try {
      const isUsable = this.#open?.broken === false && this.#fs.isAtSync(this.#open.file, this.#open.segment.path);
      const open = isUsable && this.#open !== undefined ? this.#open : this.#openNow();
      for (let chunk = this.#queue.next; chunk !== undefined; chunk = this.#queue.next) {
        this.#place(chunk, open);
        for (let done = 0; done < chunk.bytes.byteLength; ) {
          done += this.#fs.writeSync(open.file, chunk.bytes.subarray(done), (chunk.at ?? 0) + done);
        }
        this.#queue.passNext();
      }
      this.#fs.fsyncSync(open.file);
    } catch (error) {
      this.#options.tell({ kind: 'failing', message: failing(this.#folder, error) });
    }
    this.#tellDropped();
  }

  #drop(count: number): void {
    this.#dropped += count;
    if (!this.#closed && this.#cancelTimer === undefined) this.#wake(this.#options.flushMs);
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    const count = this.#dropped;
    this.#dropped = 0;
    const why = this.#failure === undefined ? `more than ${this.#options.maxQueued} waited` : reason(this.#failure);
    this.#options.tell({ kind: 'dropped', message: `${count} records were not kept: ${why}`, count });
  }

  #wake(delayMs: number): void {
    const dueMs = this.#options.clock.monotonic() + delayMs;
    if (this.#cancelTimer !== undefined) {
      if (this.#timerDueMs <= dueMs) return;
      this.#cancelTimer();
    }
    this.#timerDueMs = dueMs;
    this.#cancelTimer = this.#options.clock.after(delayMs, () => this.#tick(), { background: true });
  }

  #tick(): void {
    this.#cancelTimer = undefined;
    this.#queue.cut();
    this.#tellDropped();
    void this.#pump();
  }

  /** Runs one step at a time. A call during a run returns that run, which also writes records added meanwhile. */
  #pump(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      await this.#writeChunks();
      this.#recovered();
    } catch (error) {
      this.#fail(error);
    }
    this.#syncWhenDue();
  }

  async #writeChunks(): Promise<void> {
    for (;;) {
      if (this.#open?.broken) await this.#abandon();
      const chunk = this.#queue.next;
      if (chunk === undefined) return;
      // If writing a chunk failed half way, it is finished at the same offset, even in a full segment.
      const isFull = this.#open !== undefined && chunk.at === undefined && this.#isFull(this.#open);
      if (isFull || this.#queue.unsynced.bytes > MAX_UNSYNCED_BYTES) {
        await this.#sync();
        if (this.#open?.broken) throw this.#failure;
        if (this.#queue.unsynced.chunks > 0) continue;
        if (isFull) await this.#leave();
      }
      const open = this.#open ?? (await this.#openNext());
      this.#place(chunk, open);
      await writeWhole(this.#fs, open.file, chunk.bytes, chunk.at ?? 0);
      // `writeOut` may have written it meanwhile, or started over in another file.
      if (this.#queue.next === chunk && this.#open === open) this.#queue.passNext();
    }
  }

  #isFull(open: OpenSegment): boolean {
    const { segmentBytes, segmentMs, clock } = this.#options;
    return open.size >= segmentBytes || clock.monotonic() - open.openedMs >= segmentMs;
  }

  #place(chunk: Chunk, open: OpenSegment): void {
    if (chunk.at !== undefined) return;
    chunk.at = open.size;
    open.size += chunk.bytes.byteLength;
  }

  async #openNext(): Promise<OpenSegment> {
    await this.#options.prepare();
    const segment = this.#nextSegment();
    const file = await this.#fs.open(segment.path, 'wx');
    const header = segmentHeader(segment);
    try {
      await writeWhole(this.#fs, file, header, 0);
    } catch (error) {
      await this.#discard(segment, file);
      throw error;
    }
    if (this.#open !== undefined) {
      // `writeOut` opened a segment while this one was being created.
      await this.#discard(segment, file);
      return this.#open;
    }
    return this.#opened(segment, file, header.byteLength);
  }

  #openNow(): OpenSegment {
    this.#fs.mkdirSync(this.#folder);
    if (this.#open !== undefined) this.#release();
    const segment = this.#nextSegment();
    const file = this.#fs.openSync(segment.path, 'wx');
    const header = segmentHeader(segment);
    this.#fs.writeSync(file, header, 0);
    return this.#opened(segment, file, header.byteLength);
  }

  #nextSegment(): Segment {
    return segmentOf(this.#folder, this.#options.writer, this.#serial++, this.#queue.safe);
  }

  #opened(segment: Segment, file: number, size: number): OpenSegment {
    const openedMs = this.#options.clock.monotonic();
    this.#open = { segment, file, openedMs, size, named: false, broken: false };
    return this.#open;
  }

  /** Closes the open segment. Records that were not fsynced are written again to the next one. */
  async #abandon(): Promise<void> {
    await this.#syncing;
    const open = this.#open;
    if (open === undefined) return;
    this.#release();
    if (this.#queue.safe <= open.segment.from) await this.#discard(open.segment, open.file);
    else await this.#fs.close(open.file).catch(() => undefined);
  }

  #release(): void {
    this.#open = undefined;
    this.#queue.takeBack();
  }

  async #leave(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open !== undefined) await this.#fs.close(open.file).catch(() => undefined);
  }

  async #discard(segment: Segment, file: number): Promise<void> {
    const isOurs = await this.#fs.isAt(file, segment.path).catch(() => false);
    await this.#fs.close(file).catch(() => undefined);
    if (isOurs) await this.#fs.unlink(segment.path).catch(() => undefined);
  }

  #syncWhenDue(): void {
    if (this.#closed || this.#syncing !== undefined || this.#failure !== undefined) return;
    const { clock, fsyncMs, fsyncRecords } = this.#options;
    const unsynced = this.#queue.unsynced.records;
    if (unsynced === 0) return;
    const leftMs = this.#lastSyncMs + fsyncMs - clock.monotonic();
    // Records written meanwhile wait for the next fsync, and unwritten ones for the next `flushMs`. Writing and
    // fsyncing without a pause costs more than everything else.
    if (unsynced >= fsyncRecords || leftMs <= 0) void this.#sync().then(() => this.#syncWhenDue());
    else this.#wake(leftMs);
  }

  /**
   * Fsyncs the open segment. Never throws: a failure is stored and reported, and the next `#writeChunks` handles it.
   */
  #sync(): Promise<void> {
    this.#syncing ??= this.#syncOnce().finally(() => {
      this.#syncing = undefined;
    });
    return this.#syncing;
  }

  async #syncOnce(): Promise<void> {
    const open = this.#open;
    if (open === undefined || open.broken) return;
    const { chunks } = this.#queue.unsynced;
    try {
      await this.#fs.fsync(open.file);
      // An unlinked file accepts every write and fsync without an error.
      if (!(await this.#fs.isAt(open.file, open.segment.path))) throw this.#gone(open);
      if (!open.named) await this.#fs.fsyncFolder(this.#folder);
      open.named = true;
      this.#lastSyncMs = this.#options.clock.monotonic();
      // `writeOut` may have moved everything to another file meanwhile.
      if (this.#open === open) this.#queue.letGo(chunks);
    } catch (error) {
      open.broken = true;
      this.#fail(error);
    }
  }

  /** Reports that the folder or the file is gone. Records that were not acknowledged yet go to a new file. */
  #gone({ segment }: OpenSegment): Error {
    const count = Math.max(0, this.#queue.safe - segment.from);
    const what = `${segment.path} was deleted, moved or replaced while this process wrote to it`;
    const lost = `${count} records acknowledged earlier are no longer in the folder`;
    const message = `${what}: recording goes on in a new file; ${lost}`;
    this.#options.tell({ kind: 'replaced', message, count });
    return Object.assign(new Error(what), { code: GONE });
  }

  #fail(error: unknown): void {
    const isKnown = this.#failure !== undefined || errorCode(error) === GONE;
    if (!isKnown) this.#options.tell({ kind: 'failing', message: failing(this.#folder, error) });
    this.#failure = error;
    if (this.#open !== undefined && !PASSING.has(errorCode(error))) this.#open.broken = true;
    if (this.#closed) return;
    this.#wake(this.#retryMs);
    this.#retryMs = Math.min(LAST_RETRY_MS, 2 * this.#retryMs);
  }

  #recovered(): void {
    this.#failure = undefined;
    this.#retryMs = FIRST_RETRY_MS;
    // Records that arrived during the failure have no flush timer yet.
    if (this.#queue.isGathering) this.#wake(this.#options.flushMs);
  }
}

function failing(folder: string, error: unknown): string {
  return `cannot write to ${folder}: ${reason(error)}; records wait in memory and are written once it can be`;
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function storeFailed(folder: string, cause: unknown, waiting: number): LoopError {
  const message = `cannot write to ${folder}: ${reason(cause)}; ${waiting} records wait in memory: free space or check the disk`;
  return new LoopError('store-failed', message, { cause });
}
