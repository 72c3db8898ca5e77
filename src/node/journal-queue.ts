import type { Clock } from '../contract/clock.js';
import type { JournalRecord } from '../contract/journal-record.js';
import { RecordLines } from './record-lines.js';

/** Gathered lines become a chunk at this size at the latest. */
const CHUNK_BYTES = 131_072;

/** Records that are written together. */
export interface Chunk {
  readonly bytes: Buffer;
  /** Position of its first record. */
  readonly from: number;
  readonly count: number;
  /** When its first record was taken. */
  readonly sinceMs: number;
  /** Where it stands in the open segment; given when its writing begins, so that writing it again is harmless. */
  at: number | undefined;
  /** It is on its way: its bytes must stay as they are, also when somebody else has written them meanwhile. */
  isBeingWritten: boolean;
}

/** What was taken and is not fsynced, in the order it came: first what is written, then what is not, then what is gathered. */
export class JournalQueue {
  readonly #clock: Pick<Clock, 'now'>;
  /** Position of the next record. */
  #position = 0;
  readonly #chunks: Chunk[] = [];
  #writtenChunks = 0;
  #writtenBytes = 0;
  #writtenRecords = 0;
  readonly #lines = new RecordLines();
  #linesSinceMs = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  get position(): number {
    return this.#position;
  }

  /** Position of the first record that is not fsynced. */
  get safe(): number {
    return this.#chunks[0]?.from ?? this.#position - this.#lines.count;
  }

  /** Position of the first record that is not with the operating system. */
  get written(): number {
    return this.next?.from ?? this.#position - this.#lines.count;
  }

  /** When that one was taken. */
  get waitingSinceMs(): number | undefined {
    return this.next?.sinceMs ?? (this.isGathering ? this.#linesSinceMs : undefined);
  }

  /** The chunk to write next. */
  get next(): Chunk | undefined {
    return this.#chunks[this.#writtenChunks];
  }

  /** There are chunks that are not fsynced. */
  get hasChunks(): boolean {
    return this.#chunks.length > 0;
  }

  get isGathering(): boolean {
    return this.#lines.count > 0;
  }

  /** Written and not fsynced. */
  get unsynced(): { readonly chunks: number; readonly records: number; readonly bytes: number } {
    return { chunks: this.#writtenChunks, records: this.#writtenRecords, bytes: this.#writtenBytes };
  }

  /** Takes a record and gives its position. Throws where it is not JSON, e.g. cyclic, and is as before then. */
  add(record: JournalRecord): number {
    if (!this.isGathering) this.#linesSinceMs = this.#clock.now();
    this.#lines.add(this.#position, record);
    const position = this.#position++;
    if (this.#lines.byteLength >= CHUNK_BYTES) this.cut();
    return position;
  }

  /** Makes a chunk of what was gathered. */
  cut(): void {
    const { count } = this.#lines;
    if (count === 0) return;
    const from = this.#position - count;
    this.#chunks.push({
      bytes: this.#lines.take(),
      from,
      count,
      sinceMs: this.#linesSinceMs,
      at: undefined,
      isBeingWritten: false,
    });
  }

  /** The next chunk is with the operating system. */
  passNext(): void {
    const chunk = this.next;
    if (chunk === undefined) return;
    this.#writtenChunks++;
    this.#writtenBytes += chunk.bytes.byteLength;
    this.#writtenRecords += chunk.count;
  }

  /** So many written chunks are fsynced, the oldest ones. */
  letGo(count: number): void {
    for (const chunk of this.#chunks.splice(0, count)) {
      this.#writtenChunks--;
      this.#writtenBytes -= chunk.bytes.byteLength;
      this.#writtenRecords -= chunk.count;
      if (!chunk.isBeingWritten) this.#lines.reuse(chunk.bytes);
    }
  }

  /** What was written and not fsynced is to be written again, elsewhere. */
  takeBack(): void {
    for (const chunk of this.#chunks) chunk.at = undefined;
    this.#writtenChunks = this.#writtenBytes = this.#writtenRecords = 0;
  }

  /** Gives everything up. */
  clear(): void {
    this.cut();
    this.#chunks.length = 0;
    this.takeBack();
  }
}
