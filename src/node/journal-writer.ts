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
  /** Called before the first byte is written, and with each new segment. */
  readonly prepare: () => Promise<void>;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

/** A disk that takes writes but never finishes an fsync must not fill the memory. */
const MAX_UNSYNCED_BYTES = 67_108_864;
/** How often `flush` begins anew: a failed fsync is answered by writing everything again elsewhere. */
const FLUSH_ATTEMPTS = 3;
/** The disk is full or handles are short: the file itself is as good as before. */
const PASSING: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** Code of the error for a file that is no longer at its path. */
const GONE = 'RSI_GONE';

interface OpenSegment {
  readonly segment: Segment;
  readonly file: number;
  readonly openedMs: number;
  /** Where the next chunk goes. */
  size: number;
  /** Its name survives a power cut. */
  named: boolean;
  /** Nothing that was not fsynced before can be trusted to be in it. */
  broken: boolean;
}

/**
 * Writes this process's part of the journal. `add` only gathers text; everything else happens in `#pump`, one step at a
 * time, and in `writeOut`, the synchronous way out for the last moments of a process.
 *
 * What was not yet fsynced is kept in memory. After a failed fsync the system may have thrown those pages away and call
 * the next fsync a success, so the file is never trusted again: the records go into a new segment, whose name says from
 * which position on it replaces the one before. See "Can Applications Recover from fsync Failures?" (Rebello 2020).
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

  /** Records that were taken and are not with the operating system yet. */
  get queued(): number {
    return this.#queue.position - this.#queue.written;
  }

  /** Position up to which everything was handed to the operating system. */
  get written(): number {
    return this.#queue.written;
  }

  /** Epoch milliseconds: everything taken before can be read by everybody. */
  watermarkMs(): number {
    const nowMs = this.#options.clock.now();
    return Math.min(nowMs, this.#queue.waitingSinceMs ?? nowMs);
  }

  /** Takes a record and gives its position; `undefined` when it is dropped because too many wait. Never throws. */
  add(record: JournalRecord): number | undefined {
    const { maxQueued, flushMs } = this.#options;
    // A start that is lost leaves a trial with an end it cannot place: those have room of their own.
    const room = record.kind === 'start' ? 2 * maxQueued : maxQueued;
    if (this.queued >= room) {
      this.#drop(1);
      return undefined;
    }
    // Whoever gathers has been given a time to be written; a failure has its own.
    if (!this.#queue.isGathering && this.#failure === undefined) this.#wake(flushMs);
    try {
      return this.#queue.add(record);
    } catch {
      // Not JSON, e.g. cyclic: the border parser lets no such record through, but nothing may ever throw here.
      this.#drop(1);
      return undefined;
    }
  }

  /** Hands everything to the operating system; others can read it then. Does nothing about what fails: that is told. */
  async write(): Promise<void> {
    this.#queue.cut();
    do await this.#pump();
    while (this.#failure === undefined && this.#queue.next !== undefined);
  }

  /** Resolves when everything taken so far has been fsynced. */
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

  /** Flushes what can be flushed and lets go of everything; what is left is told as dropped. */
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

  /** Ends the open segment, so that nothing is written to it any more; the next record begins a new one. */
  async endSegment(): Promise<void> {
    await this.flush();
    await this.#running;
    await this.#syncing;
    if (!this.#queue.hasChunks) await this.#leave();
  }

  /**
   * Writes and fsyncs everything without waiting, for the moments in which a process ends. What is just being written
   * is written again to the same place, which changes nothing.
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

  /** One at a time; whoever comes while it runs waits for the same run, which takes what was added meanwhile too. */
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
      // A chunk whose writing failed half way is finished where it began.
      const isFull = this.#open !== undefined && chunk.at === undefined && this.#isFull(this.#open);
      if (isFull || this.#queue.unsynced.bytes > MAX_UNSYNCED_BYTES) {
        await this.#sync();
        if (this.#open?.broken) throw this.#failure;
        if (this.#queue.unsynced.chunks > 0) continue;
        if (isFull) await this.#leave();
      }
      const open = this.#open ?? (await this.#openNext());
      this.#place(chunk, open);
      chunk.isBeingWritten = true;
      try {
        await writeWhole(this.#fs, open.file, chunk.bytes, chunk.at ?? 0);
      } finally {
        chunk.isBeingWritten = false;
      }
      // `writeOut` may have written it meanwhile, or begun anew elsewhere.
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
      // `writeOut` opened one while this one was on its way.
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

  /** Closes the open segment; what was not fsynced is written again to the next one. */
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
    // What is written meanwhile waits for the next one; what is not yet written, for the next `flushMs`: writing and
    // fsyncing without a pause costs more than all the rest.
    if (unsynced >= fsyncRecords || leftMs <= 0) void this.#sync().then(() => this.#syncWhenDue());
    else this.#wake(leftMs);
  }

  /** Never throws: a failure is kept, told, and answered by the next `#writeChunks`. */
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
      // An unlinked file takes every write and fsync without an error.
      if (!(await this.#fs.isAt(open.file, open.segment.path))) throw this.#gone(open);
      if (!open.named) await this.#fs.fsyncFolder(this.#folder);
      open.named = true;
      this.#lastSyncMs = this.#options.clock.monotonic();
      // `writeOut` may have moved everything elsewhere meanwhile.
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
    // What came while writing failed was given no time of its own.
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
