import type { Clock } from '../contract/clock.js';
import type { JournalRecord } from '../contract/journal-record.js';
import { sealLines, unsealedLine } from './line.js';

/**
 * Number of characters at which gathered lines become a chunk, at the latest. Chunks of 64 kB cost half as much again per
 * line: their texts and bytes outlive the young generation of the garbage collector and the cache of the processor.
 */
const CHUNK_CHARACTERS = 8_192;

/** Records that are written together. */
export interface Chunk {
  readonly bytes: Buffer;
  /** Position of its first record. */
  readonly from: number;
  readonly count: number;
  /** Time at which its first record was added. */
  readonly sinceMs: number;
  /** Offset in the open segment. Set when writing begins, so that writing the chunk again is harmless. */
  at: number | undefined;
}

/**
 * Records that were added and are not fsynced yet, in order: written chunks, then unwritten chunks, then gathered
 * lines.
 */
export class JournalQueue {
  readonly #clock: Pick<Clock, 'now'>;
  /** Position of the next record. */
  #position = 0;
  readonly #chunks: Chunk[] = [];
  #writtenChunks = 0;
  #writtenBytes = 0;
  #writtenRecords = 0;
  /** Gathered lines. Their checksums are filled in once they are bytes. */
  #lines = '';
  #lineCount = 0;
  #linesSinceMs = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  get position(): number {
    return this.#position;
  }

  /** Position of the first record that is not fsynced. */
  get safe(): number {
    return this.#chunks[0]?.from ?? this.#position - this.#lineCount;
  }

  /** Position of the first record that has not reached the operating system. */
  get written(): number {
    return this.next?.from ?? this.#position - this.#lineCount;
  }

  /** Time at which that record was added. */
  get waitingSinceMs(): number | undefined {
    return this.next?.sinceMs ?? (this.isGathering ? this.#linesSinceMs : undefined);
  }

  /** The chunk to write next. */
  get next(): Chunk | undefined {
    return this.#chunks[this.#writtenChunks];
  }

  /** Whether there are chunks that are not fsynced. */
  get hasChunks(): boolean {
    return this.#chunks.length > 0;
  }

  get isGathering(): boolean {
    return this.#lineCount > 0;
  }

  /** Chunks that are written and not fsynced. */
  get unsynced(): { readonly chunks: number; readonly records: number; readonly bytes: number } {
    return { chunks: this.#writtenChunks, records: this.#writtenRecords, bytes: this.#writtenBytes };
  }

  /**
   * Adds a record and returns its position.
   * @throws if the record cannot be written as JSON, e.g. it is cyclic; the queue is unchanged then.
   */
  add(record: JournalRecord): number {
    if (!this.isGathering) this.#linesSinceMs = this.#clock.now();
    this.#lines += unsealedLine(this.#position, record);
    this.#lineCount++;
    const position = this.#position++;
    if (this.#lines.length >= CHUNK_CHARACTERS) this.cut();
    return position;
  }

  /** Turns the gathered lines into a chunk. */
  cut(): void {
    const count = this.#lineCount;
    if (count === 0) return;
    const bytes = sealLines(Buffer.from(this.#lines));
    const from = this.#position - count;
    this.#chunks.push({ bytes, from, count, sinceMs: this.#linesSinceMs, at: undefined });
    this.#lines = '';
    this.#lineCount = 0;
  }

  /** Marks the next chunk as written to the operating system. */
  markNextWritten(): void {
    const chunk = this.next;
    if (chunk === undefined) return;
    this.#writtenChunks++;
    this.#writtenBytes += chunk.bytes.byteLength;
    this.#writtenRecords += chunk.count;
  }

  /** Drops the oldest `count` written chunks, because they are fsynced. */
  releaseChunks(count: number): void {
    for (const chunk of this.#chunks.splice(0, count)) {
      this.#writtenChunks--;
      this.#writtenBytes -= chunk.bytes.byteLength;
      this.#writtenRecords -= chunk.count;
    }
  }

  /** Marks all chunks as unwritten, so that they are written again to another file. */
  markAllUnwritten(): void {
    for (const chunk of this.#chunks) chunk.at = undefined;
    this.#writtenChunks = this.#writtenBytes = this.#writtenRecords = 0;
  }

  /** Drops everything. */
  clear(): void {
    this.cut();
    this.#chunks.length = 0;
    this.markAllUnwritten();
  }
}
