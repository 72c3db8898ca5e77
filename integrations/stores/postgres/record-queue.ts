import type { Clock, JournalRecord } from 'rsi-loop';
import { lineOf } from './record-text.js';

/** Number of characters at which gathered lines become a batch, at the latest. */
const BATCH_CHARACTERS = 524_288;

/** Records that are inserted together. */
export interface RecordBatch {
  /** A line per record, see `lineOf`. */
  readonly text: string;
  /** Position of the first record. */
  readonly from: number;
  readonly count: number;
  /** Time at which the first record was added. */
  readonly sinceMs: number;
}

/** Records that were added and are not stored yet, in order: batches, then gathered lines. */
export class RecordQueue {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #batches: RecordBatch[] = [];
  #position = 0;
  #lines = '';
  #lineCount = 0;
  #linesSinceMs = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Position of the next record. */
  get position(): number {
    return this.#position;
  }

  /** Position of the first record that is not stored. */
  get stored(): number {
    return this.#batches[0]?.from ?? this.#position - this.#lineCount;
  }

  get size(): number {
    return this.#position - this.stored;
  }

  /** Time at which the oldest record that is not stored was added. */
  get waitingSinceMs(): number | undefined {
    return this.#batches[0]?.sinceMs ?? (this.#lineCount > 0 ? this.#linesSinceMs : undefined);
  }

  get isGathering(): boolean {
    return this.#lineCount > 0;
  }

  /** Returns the batch to store next. With `all`, includes the gathered lines. */
  next(all: boolean): RecordBatch | undefined {
    if (all && this.#batches.length === 0) this.#cut();
    return this.#batches[0];
  }

  /**
   * Adds a record.
   * @throws if it cannot be written as JSON, e.g. it is cyclic; the queue is unchanged then.
   */
  add(record: JournalRecord): void {
    const line = lineOf(record);
    if (this.#lineCount === 0) this.#linesSinceMs = this.#clock.now();
    this.#lines += this.#lineCount === 0 ? line : `\n${line}`;
    this.#lineCount++;
    this.#position++;
    if (this.#lines.length >= BATCH_CHARACTERS) this.#cut();
  }

  /** Removes the first batch, because it is stored. */
  pass(): void {
    this.#batches.shift();
  }

  /** Splits the first batch in two, to find the record that the server rejects. */
  halve(): void {
    const [first] = this.#batches;
    if (first !== undefined) this.#batches.splice(0, 1, ...halves(first));
  }

  /** Drops everything, and returns the number of dropped records. */
  clear(): number {
    const count = this.size;
    this.#batches.length = 0;
    this.#lines = '';
    this.#lineCount = 0;
    return count;
  }

  #cut(): void {
    if (this.#lineCount === 0) return;
    const from = this.#position - this.#lineCount;
    this.#batches.push({ text: this.#lines, from, count: this.#lineCount, sinceMs: this.#linesSinceMs });
    this.#lines = '';
    this.#lineCount = 0;
  }
}

function halves(batch: RecordBatch): readonly RecordBatch[] {
  const lines = batch.text.split('\n');
  const middle = lines.length >> 1;
  return [
    { ...batch, text: lines.slice(0, middle).join('\n'), count: middle },
    { ...batch, text: lines.slice(middle).join('\n'), from: batch.from + middle, count: batch.count - middle },
  ];
}
