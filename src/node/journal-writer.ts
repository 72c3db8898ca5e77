import { LoopError } from '../contract/errors.js';
import type { JournalRecord } from '../contract/journal-record.js';
import { messageOf } from '../lib/text.js';
import { errorCode } from './file-system.js';
import { type Chunk, JournalQueue } from './journal-queue.js';
import { GONE, SegmentFile } from './segment-file.js';
import { type Segment, segmentOf } from './segments.js';
import type { StoreFolder } from './store-folder.js';
import { WakeTimer } from './wake-timer.js';

export interface JournalWriterOptions {
  readonly writer: string;
  readonly flushMs: number;
  readonly fsyncMs: number;
  readonly fsyncRecords: number;
  readonly segmentBytes: number;
  readonly segmentMs: number;
  readonly maxQueued: number;
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
  readonly #store: StoreFolder;
  readonly #folder: string;
  readonly #options: JournalWriterOptions;
  readonly #queue: JournalQueue;
  #dropped = 0;
  #open: SegmentFile | undefined;
  #serial = 0;
  #running: Promise<void> | undefined;
  #syncing: Promise<void> | undefined;
  #lastSyncMs: number;
  #failure: unknown;
  #retryMs = FIRST_RETRY_MS;
  readonly #timer: WakeTimer;
  #closed = false;

  constructor(store: StoreFolder, options: JournalWriterOptions) {
    this.#store = store;
    this.#folder = store.inside('journal');
    this.#options = options;
    this.#queue = new JournalQueue(store.clock);
    this.#timer = new WakeTimer(store.clock, () => this.#tick());
    this.#lastSyncMs = store.clock.monotonic();
  }

  /** Number of added records that have not reached the operating system yet. */
  get queued(): number {
    return this.#queue.position - this.#queue.written;
  }

  /** Position up to which everything has reached the operating system. */
  get written(): number {
    return this.#queue.written;
  }

  /** Epoch milliseconds: every process can read everything added before this time. */
  watermarkMs(): number {
    const nowMs = this.#store.clock.now();
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
    if (!this.#queue.isGathering && this.#failure === undefined) this.#timer.set(flushMs);
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
    const cause = this.#failure;
    const waiting = this.#queue.position - this.#queue.safe;
    const advice = `${waiting} records wait in memory: free space or check the disk`;
    throw new LoopError('store-failed', `cannot write to ${this.#folder}: ${messageOf(cause)}; ${advice}`, { cause });
  }

  /** Flushes what it can and frees everything. The rest is reported as dropped. */
  async close(): Promise<void> {
    if (this.#closed) return;
    await this.flush().catch(() => undefined);
    this.#closed = true;
    this.#timer.cancel();
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
      const open = this.#open?.broken === false && this.#open.isAtSync() ? this.#open : this.#openNow();
      for (let chunk = this.#queue.next; chunk !== undefined; chunk = this.#queue.next) {
        open.writeSync(chunk);
        this.#queue.markNextWritten();
      }
      open.syncSync();
    } catch (error) {
      this.#store.report({ kind: 'failing', message: failing(this.#folder, error) });
    }
    this.#tellDropped();
  }

  #drop(count: number): void {
    this.#dropped += count;
    if (!this.#closed && !this.#timer.isSet) this.#timer.set(this.#options.flushMs);
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    const count = this.#dropped;
    this.#dropped = 0;
    const why = this.#failure === undefined ? `more than ${this.#options.maxQueued} waited` : messageOf(this.#failure);
    this.#store.report({ kind: 'dropped', message: `${count} records were not kept: ${why}`, count });
  }

  #tick(): void {
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
      const isFull = chunk.at === undefined && this.#isFull();
      if (isFull || this.#queue.unsynced.bytes > MAX_UNSYNCED_BYTES) {
        await this.#syncOrThrow();
        if (this.#queue.unsynced.chunks > 0) continue;
        if (isFull) await this.#leave();
      }
      await this.#writeChunk(chunk);
    }
  }

  async #writeChunk(chunk: Chunk): Promise<void> {
    const open = this.#open ?? (await this.#openNext());
    await open.write(chunk);
    // `writeOut` may have written it meanwhile, or started over in another file.
    if (this.#queue.next === chunk && this.#open === open) this.#queue.markNextWritten();
  }

  #isFull(): boolean {
    const open = this.#open;
    if (open === undefined) return false;
    const { segmentBytes, segmentMs } = this.#options;
    return open.size >= segmentBytes || this.#store.clock.monotonic() - open.openedMs >= segmentMs;
  }

  async #openNext(): Promise<SegmentFile> {
    await this.#options.prepare();
    const created = await SegmentFile.create(this.#store.fs, this.#nextSegment(), this.#store.clock.monotonic());
    // `writeOut` may have opened a segment while this one was being created.
    const other = this.#open;
    if (other === undefined) this.#open = created;
    else await created.discard();
    return other ?? created;
  }

  #openNow(): SegmentFile {
    this.#store.fs.mkdirSync(this.#folder);
    if (this.#open !== undefined) this.#release();
    this.#open = SegmentFile.createSync(this.#store.fs, this.#nextSegment(), this.#store.clock.monotonic());
    return this.#open;
  }

  #nextSegment(): Segment {
    const { writer } = this.#options;
    return segmentOf(this.#folder, { writer, serial: this.#serial++, from: this.#queue.safe });
  }

  /** Closes the open segment. Records that were not fsynced are written again to the next one. */
  async #abandon(): Promise<void> {
    await this.#syncing;
    const open = this.#open;
    if (open === undefined) return;
    this.#release();
    await (this.#queue.safe <= open.segment.from ? open.discard() : open.close());
  }

  #release(): void {
    this.#open = undefined;
    this.#queue.markAllUnwritten();
  }

  async #leave(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.close();
  }

  #syncWhenDue(): void {
    if (this.#closed || this.#syncing !== undefined || this.#failure !== undefined) return;
    const { fsyncMs, fsyncRecords } = this.#options;
    const unsynced = this.#queue.unsynced.records;
    if (unsynced === 0) return;
    const leftMs = this.#lastSyncMs + fsyncMs - this.#store.clock.monotonic();
    // Records written meanwhile wait for the next fsync, and unwritten ones for the next `flushMs`. Writing and
    // fsyncing without a pause costs more than everything else.
    if (unsynced >= fsyncRecords || leftMs <= 0) void this.#sync().then(() => this.#syncWhenDue());
    else this.#timer.set(leftMs);
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

  async #syncOrThrow(): Promise<void> {
    await this.#sync();
    if (this.#open?.broken) throw this.#failure;
  }

  async #syncOnce(): Promise<void> {
    const open = this.#open;
    if (open === undefined || open.broken) return;
    const { chunks } = this.#queue.unsynced;
    try {
      await open.sync(this.#folder);
      this.#lastSyncMs = this.#store.clock.monotonic();
      // `writeOut` may have moved everything to another file meanwhile.
      if (this.#open === open) this.#queue.releaseChunks(chunks);
    } catch (error) {
      open.broken = true;
      if (errorCode(error) === GONE) this.#tellGone(open.segment, messageOf(error));
      this.#fail(error);
    }
  }

  /** Reports that the folder or the file is gone. Records that were not acknowledged yet go to a new file. */
  #tellGone({ from }: Segment, what: string): void {
    const count = Math.max(0, this.#queue.safe - from);
    const lost = `${count} records acknowledged earlier are missing from the folder`;
    this.#store.report({ kind: 'replaced', message: `${what}: recording continues in a new file; ${lost}`, count });
  }

  #fail(error: unknown): void {
    const isKnown = this.#failure !== undefined || errorCode(error) === GONE;
    if (!isKnown) this.#store.report({ kind: 'failing', message: failing(this.#folder, error) });
    this.#failure = error;
    if (this.#open !== undefined && !PASSING.has(errorCode(error))) this.#open.broken = true;
    if (this.#closed) return;
    this.#timer.set(this.#retryMs);
    this.#retryMs = Math.min(LAST_RETRY_MS, 2 * this.#retryMs);
  }

  #recovered(): void {
    this.#failure = undefined;
    this.#retryMs = FIRST_RETRY_MS;
    // Records that arrived during the failure have no flush timer yet.
    if (this.#queue.isGathering) this.#timer.set(this.#options.flushMs);
  }
}

function failing(folder: string, error: unknown): string {
  return `cannot write to ${folder}: ${messageOf(error)}; records wait in memory and are written once it can be`;
}
