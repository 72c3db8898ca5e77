import { LoopError } from '../errors.js';
import type { Clock, StoreProblem } from '../ports.js';
import type { JournalRecord } from '../records.js';
import { errorCode, type FileSystem, writeWhole } from './file-system.js';
import { LineBatch } from './line-batch.js';
import { RecordText } from './record-text.js';
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

/** Text gathered before it becomes bytes: a slice that is encoded in well under a millisecond. */
const SLICE_CHARACTERS = 131_072;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5_000;

/** A disk that takes writes but never finishes an fsync must not fill the memory. */
const MAX_UNSYNCED_BYTES = 67_108_864;
/** How often `flush` begins anew: a failed fsync is answered by writing everything again elsewhere. */
const FLUSH_ATTEMPTS = 3;
/** The disk is full or handles are short: the file itself is as good as before. */
const PASSING: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** Records on their way to the disk, in the order they came. They are let go once they are fsynced. */
interface Chunk {
  readonly bytes: Buffer;
  readonly from: number;
  readonly count: number;
  /** When its first record was taken. */
  readonly sinceMs: number;
  /** Where it stands in the open segment; given when its writing begins, so that writing it again is harmless. */
  at: number | undefined;
  written: boolean;
}

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
  /** Position of the next record. */
  #position = 0;
  readonly #recordText = new RecordText();
  /** Gathered, not yet bytes. */
  readonly #lines = new LineBatch();
  #linesSinceMs = 0;
  /** Written ones first; they wait for their fsync. */
  readonly #chunks: Chunk[] = [];
  #queued = 0;
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
    this.#lastSyncMs = options.clock.monotonic();
  }

  /** Records that were taken and are not with the operating system yet. */
  get queued(): number {
    return this.#queued;
  }

  /** Epoch milliseconds: everything taken before can be read by everybody. */
  watermarkMs(): number {
    const nowMs = this.#options.clock.now();
    const waiting = this.#chunks.find(({ written }) => !written)?.sinceMs;
    return Math.min(nowMs, waiting ?? (this.#lines.count > 0 ? this.#linesSinceMs : nowMs));
  }

  /** Position up to which everything was handed to the operating system. */
  get written(): number {
    return this.#position - this.#queued;
  }

  /** Takes a record and gives its position; `undefined` when it is dropped because too many wait. Never throws. */
  add(record: JournalRecord): number | undefined {
    const { maxQueued, flushMs } = this.#options;
    // A start that is lost leaves a trial with an end it cannot place: those have room of their own.
    const room = record.kind === 'start' ? 2 * maxQueued : maxQueued;
    if (this.#queued >= room) {
      this.#drop(1);
      return undefined;
    }
    if (this.#lines.count === 0) this.#linesSinceMs = this.#options.clock.now();
    try {
      this.#lines.add(`"n":${this.#position},${this.#recordText.of(record)}`);
    } catch {
      // Not JSON, e.g. cyclic: the border parser lets no such record through, but nothing may ever throw here.
      this.#drop(1);
      return undefined;
    }
    const position = this.#position++;
    this.#queued++;
    if (this.#lines.length >= SLICE_CHARACTERS) this.#encode();
    if (this.#failure === undefined) this.#wake(flushMs);
    return position;
  }

  /** Hands everything to the operating system; others can read it then. Does nothing about what fails: that is told. */
  async write(): Promise<void> {
    this.#encode();
    do await this.#pump();
    while (this.#failure === undefined && this.#hasUnwritten());
  }

  /** Resolves when everything taken so far has been fsynced. */
  async flush(): Promise<void> {
    const target = this.#position;
    for (let attempt = 0; attempt < FLUSH_ATTEMPTS; ) {
      if (this.#safe() >= target) return;
      await this.write();
      if (this.#failure === undefined && this.#safe() < target) await this.#sync();
      if (this.#failure !== undefined) attempt++;
    }
    throw storeFailed(this.#folder, this.#failure, this.#position - this.#safe());
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
    this.#encode();
    this.#drop(this.#queued);
    this.#queued = 0;
    this.#chunks.length = 0;
    this.#tellDropped();
    await this.#leave();
  }

  /** Ends the open segment, so that nothing is written to it any more; the next record begins a new one. */
  async endSegment(): Promise<void> {
    await this.flush();
    await this.#running;
    await this.#syncing;
    if (this.#chunks.length === 0) await this.#leave();
  }

  /**
   * Writes and fsyncs everything without waiting, for the moments in which a process ends. What is just being written
   * is written again to the same place, which changes nothing.
   */
  writeOut(): void {
    this.#encode();
    if (this.#closed || this.#chunks.length === 0) return;
    try {
      const open = this.#open?.broken === false ? this.#open : this.#openNow();
      for (const chunk of this.#chunks) {
        if (chunk.written) continue;
        this.#place(chunk, open);
        for (let done = 0; done < chunk.bytes.byteLength; ) {
          done += this.#fs.writeSync(open.file, chunk.bytes.subarray(done), (chunk.at ?? 0) + done);
        }
        this.#markWritten(chunk);
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

  /** Position of the first record that is not fsynced. */
  #safe(): number {
    return this.#chunks[0]?.from ?? this.#position - this.#lines.count;
  }

  #encode(): void {
    const { count } = this.#lines;
    if (count === 0) return;
    this.#chunks.push({
      bytes: this.#lines.take(),
      from: this.#position - count,
      count,
      sinceMs: this.#linesSinceMs,
      at: undefined,
      written: false,
    });
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
    this.#encode();
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
      const chunk = this.#chunks.find(({ written }) => !written);
      if (chunk === undefined) return;
      // A chunk whose writing failed half way is finished where it began.
      const isFull = this.#open !== undefined && chunk.at === undefined && this.#isFull(this.#open);
      if (isFull || this.#unsyncedBytes() > MAX_UNSYNCED_BYTES) {
        await this.#sync();
        if (this.#open?.broken) throw this.#failure;
        if (this.#chunks[0]?.written) continue;
        if (isFull) await this.#leave();
      }
      const open = this.#open ?? (await this.#openNext());
      this.#place(chunk, open);
      await writeWhole(this.#fs, open.file, chunk.bytes, chunk.at ?? 0);
      this.#markWritten(chunk);
    }
  }

  #hasUnwritten(): boolean {
    return this.#chunks.at(-1)?.written === false;
  }

  #unsyncedBytes(): number {
    let bytes = 0;
    for (const chunk of this.#chunks) if (chunk.written) bytes += chunk.bytes.byteLength;
    return bytes;
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

  #markWritten(chunk: Chunk): void {
    if (chunk.written) return;
    chunk.written = true;
    this.#queued -= chunk.count;
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
    return segmentOf(this.#folder, this.#options.writer, this.#serial++, this.#safe());
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
    if (this.#safe() <= open.segment.from) await this.#discard(open.segment, open.file);
    else await this.#fs.close(open.file).catch(() => undefined);
  }

  #release(): void {
    this.#open = undefined;
    for (const chunk of this.#chunks) {
      if (chunk.written) this.#queued += chunk.count;
      chunk.written = false;
      chunk.at = undefined;
    }
  }

  async #leave(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    if (open !== undefined) await this.#fs.close(open.file).catch(() => undefined);
  }

  async #discard(segment: Segment, file: number): Promise<void> {
    await this.#fs.close(file).catch(() => undefined);
    await this.#fs.unlink(segment.path).catch(() => undefined);
  }

  #syncWhenDue(): void {
    if (this.#closed || this.#syncing !== undefined || this.#failure !== undefined) return;
    const { clock, fsyncMs, fsyncRecords } = this.#options;
    let unsynced = 0;
    for (const chunk of this.#chunks) if (chunk.written) unsynced += chunk.count;
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
    const written = this.#chunks.filter((chunk) => chunk.written);
    try {
      await this.#fs.fsync(open.file);
      if (!open.named) await this.#fs.fsyncFolder(this.#folder);
      open.named = true;
      this.#lastSyncMs = this.#options.clock.monotonic();
      // `writeOut` may have moved everything elsewhere meanwhile.
      if (this.#open === open) this.#chunks.splice(0, written.length);
    } catch (error) {
      open.broken = true;
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#failure === undefined) this.#options.tell({ kind: 'failing', message: failing(this.#folder, error) });
    this.#failure = error;
    if (this.#open !== undefined && !PASSING.has(errorCode(error))) this.#open.broken = true;
    if (this.#closed) return;
    this.#wake(this.#retryMs);
    this.#retryMs = Math.min(LAST_RETRY_MS, 2 * this.#retryMs);
  }

  #recovered(): void {
    this.#failure = undefined;
    this.#retryMs = FIRST_RETRY_MS;
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
