import { type Clock, type JournalRecord, LoopError } from 'rsi-loop';
import type { StoreProblem } from 'rsi-loop/testing';
import type { Database } from './database.js';
import { ON_DISK } from './on-disk.js';
import { type RecordBatch, RecordQueue } from './record-queue.js';
import { isConnectionLost, isPartitionMissing, isRejectedData } from './store-error.js';
import type { WriterTable } from './writer-table.js';

export interface RecordWriterOptions {
  readonly clock: Clock;
  readonly flushMs: number;
  readonly maxQueued: number;
  readonly report: (problem: StoreProblem) => void;
}

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;

/**
 * Sends this process's records. Batches go one after another, each in a statement that raises the number of stored
 * records from the expected value and inserts the rows only then. So a batch that is sent again after a lost
 * connection is stored once, even if the first attempt arrives later. Readers see a prefix of the records of each
 * writer and never a gap that is filled later, because a batch is sent after the one before was committed.
 */
export class RecordWriter {
  readonly #database: Database;
  readonly #writers: WriterTable;
  readonly #options: RecordWriterOptions;
  readonly #queue: RecordQueue;
  #running: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  #failure: unknown;
  #retryMs = FIRST_RETRY_MS;
  #dropped = 0;
  #isClosed = false;

  constructor(database: Database, writers: WriterTable, options: RecordWriterOptions) {
    this.#database = database;
    this.#writers = writers;
    this.#options = options;
    this.#queue = new RecordQueue(options.clock);
  }

  get queued(): number {
    return this.#queue.size;
  }

  /** Number of records that are stored. */
  get stored(): number {
    return this.#queue.stored;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Epoch milliseconds: every process can read everything added before this time. */
  watermarkMs(): number {
    const nowMs = this.#options.clock.now();
    return Math.min(nowMs, this.#queue.waitingSinceMs ?? nowMs);
  }

  /** Adds a record, or drops and counts it if too many wait. Never throws. */
  add(record: JournalRecord): void {
    const { maxQueued } = this.#options;
    // Without its start, a trial cannot assign an outcome to an arm.
    const limit = record.kind === 'start' ? 2 * maxQueued : maxQueued;
    if (this.#queue.size >= limit || !this.#gather(record)) this.#drop(1);
    else if (this.#failure === undefined) this.#wake();
  }

  #gather(record: JournalRecord): boolean {
    try {
      this.#queue.add(record);
      return true;
    } catch {
      return false; // not JSON, e.g. cyclic
    }
  }

  /** Sends everything, so that others can read it. Failures are reported, not thrown. */
  async write(): Promise<void> {
    const end = this.#queue.position;
    do await this.#pump();
    while (this.#failure === undefined && this.#queue.stored < end);
  }

  /** Sends everything. @throws LoopError `store-failed` if the server does not accept it. */
  async flush(): Promise<void> {
    await this.write();
    if (this.#failure === undefined) return;
    const waiting = `${this.#queue.size} records wait in memory`;
    const message = `${messageOf(this.#failure)}; ${waiting}`;
    throw new LoopError('store-failed', message, { cause: this.#failure });
  }

  /** Sends what it can and reports the rest as dropped. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.write();
    this.#isClosed = true;
    this.#cancelTimer?.();
    this.#drop(this.#queue.clear());
    this.#tellDropped();
  }

  /** Sets the timer for the next batch. It keeps the process alive, so that a process that ends loses nothing. */
  #wake(): void {
    this.#cancelTimer ??= this.#options.clock.after(this.#options.flushMs, () => this.#tick());
  }

  #retryLater(): void {
    this.#cancelTimer?.();
    // A server that does not answer must not keep the process alive.
    this.#cancelTimer = this.#options.clock.after(this.#retryMs, () => this.#tick(), { background: true });
    this.#retryMs = Math.min(LAST_RETRY_MS, 2 * this.#retryMs);
  }

  #tick(): void {
    this.#cancelTimer = undefined;
    this.#tellDropped();
    void this.#pump();
  }

  /** Runs one loop at a time. A call during a run returns that run, which also sends records added meanwhile. */
  #pump(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      // Records added during a send wait for the timer, unless there are many: small batches cost more.
      for (let all = true; ; all = false) {
        const batch = this.#queue.next(all);
        if (batch === undefined) break;
        if (await this.#send(batch)) this.#queue.pass();
        else this.#queue.halve();
      }
      this.#recovered();
    } catch (error) {
      if (this.#isClosed) return;
      // The connection reports it if the server does not answer.
      if (this.#failure === undefined && !isConnectionLost(error))
        this.#options.report({ kind: 'failing', message: `${messageOf(error)}; ${WAITING}` });
      this.#failure = error;
      this.#retryLater();
    }
  }

  #recovered(): void {
    this.#failure = undefined;
    this.#retryMs = FIRST_RETRY_MS;
    if (this.#queue.isGathering && !this.#isClosed) this.#wake();
  }

  /** Stores a batch. Returns false if the server rejects one of its records: the others must not wait for it. */
  async #send(batch: RecordBatch): Promise<boolean> {
    await this.#writers.register();
    try {
      await this.#insert(batch);
    } catch (error) {
      if (!isRejectedData(error)) throw error;
      if (batch.count > 1) return false;
      await this.#skip(batch, error);
    }
    return true;
  }

  async #insert(batch: RecordBatch): Promise<void> {
    const { schema } = this.#database;
    const values = [this.#writers.writer, batch.from, batch.from + batch.count, batch.text];
    const insert = () => this.#database.query(insertRecords(schema), values);
    const moved = await insert().catch(async (error: unknown) => {
      if (!isPartitionMissing(error)) throw error;
      await this.#database.query(`select ${schema}.ensure_days()`);
      return insert();
    });
    if (moved.length > 0) return;
    // An attempt whose answer was lost stored them, or the registration is gone.
    if ((await this.#writers.stored()) >= batch.from + batch.count) return;
    throw new LoopError(
      'store-failed',
      `process ${this.#writers.writer} is not registered: the next attempt registers it`,
    );
  }

  /** Continues after a record that the server rejects. */
  async #skip(batch: RecordBatch, error: unknown): Promise<void> {
    const { writer } = this.#writers;
    const values = [writer, batch.from, batch.from + 1];
    await this.#database.query(
      `update ${this.#database.schema}.writer set written = $3 where writer = $1 and written = $2`,
      values,
    );
    const message = `1 record was not kept, because the server rejects it: ${messageOf(error)}`;
    this.#options.report({ kind: 'dropped', message, count: 1 });
  }

  #drop(count: number): void {
    this.#dropped += count;
    if (!this.#isClosed) this.#wake();
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    const count = this.#dropped;
    this.#dropped = 0;
    const why = this.#failure === undefined ? `more than ${this.#options.maxQueued} waited` : messageOf(this.#failure);
    this.#options.report({ kind: 'dropped', message: `${count} records were not kept: ${why}`, count });
  }
}

const WAITING = 'records wait in memory until the server accepts them';

/** Parameters: writer, number of stored records before and after, and a line per record. */
function insertRecords(schema: string): string {
  // The row of a process that only records, which counts as ended, stays as long as its newest records.
  return `with moved as (
    update ${schema}.writer set written = $3, ended_at = case when ended_at is not null then now() end
    where writer = $1 and written = $2 returning 1
  ), added as (
    insert into ${schema}.journal (day, writer, position, kind, record, raw)
    select (now() at time zone 'UTC')::date, $1, $2::bigint + n - 1,
      case left(line, 1) when 's' then 'start' else 'outcome' end,
      split_part(substr(line, 2), E'\\t', 1)::jsonb, nullif(split_part(line, E'\\t', 2), '')
    from string_to_table($4, E'\\n') with ordinality as lines(line, n)
    where exists (select from moved)
  ) select 1 as moved, ${ON_DISK} from moved`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
