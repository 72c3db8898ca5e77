import { hostname } from 'node:os';
import type { Clock } from 'rsi-loop';
import type { StoreProblem, WriterState } from 'rsi-loop/testing';
import type { Database } from './database.js';

/** Heartbeat interval. A heartbeat shows that a process is alive and how far its journal is complete. */
const BEAT_MS = 500;
/** Silence after which a process counts as dead, in seconds by the clock of the server. */
export const SILENT_SECONDS = 10;
/** Safety margin below the watermark: a process registers a moment after it creates its first record. */
const MARGIN_MS = 250;
/** Difference to the clock of the server that is reported. */
const SKEW_MS = 60_000;
/** Interval of the upkeep of partitions. */
const UPKEEP_MS = 3_600_000;

export interface WriterTableOptions {
  readonly writer: string;
  readonly clock: Clock;
  /** Days that the owner of the schema wants records to be kept. */
  readonly retainDays?: number;
  /** Whether this process only records. It then counts as ended, so that no trial waits for it. */
  readonly recordsOnly?: boolean;
  readonly report: (problem: StoreProblem) => void;
}

/** Figures of this process's own journal. */
interface OwnRecords {
  /** Returns the time before which every record of this process can be read by others. */
  readonly watermarkMs: () => number;
  readonly stored: () => number;
}

/**
 * Registry of the processes that write: a row each, with a heartbeat by the clock of the server. So the clocks of
 * processes do not decide who is alive.
 */
export class WriterTable {
  readonly writer: string;
  readonly #database: Database;
  readonly #options: WriterTableOptions;
  #own: OwnRecords = { watermarkMs: () => this.#options.clock.now(), stored: () => 0 };
  /** Owners of leases that this process holds, which each heartbeat renews. */
  readonly #owners = new Set<string>();
  #registered: Promise<void> | undefined;
  #beating: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #keptMs = Number.NEGATIVE_INFINITY;
  #isSkewed = false;
  #hasLeft = false;

  constructor(database: Database, options: WriterTableOptions) {
    this.#database = database;
    this.#options = options;
    this.writer = options.writer;
  }

  /** Sets the source of the figures that only the journal knows. */
  watch(own: OwnRecords): void {
    this.#own = own;
  }

  /** Creates this process's row. Resolves when others can see it. */
  register(): Promise<void> {
    this.#registered ??= this.#appear().catch((error: unknown) => {
      this.#registered = undefined;
      throw error;
    });
    return this.#registered;
  }

  async #appear(): Promise<void> {
    // A row that was deleted with its schema returns with the number of records so far, so that numbers are not reused.
    const { recordsOnly = false } = this.#options;
    const known = recordsOnly ? 'nothing' : 'update set beat_at = now(), ended_at = null';
    const sql = `insert into ${this.#database.schema}.writer (writer, host, pid, watermark_ms, written, ended_at)
      values ($1, $2, $3, $4, $5, case when $6 then now() end) on conflict (writer) do ${known}`;
    const values = [this.writer, hostname(), process.pid, this.#watermarkMs(), this.#own.stored(), recordsOnly];
    await this.#database.query(sql, values);
    if (!this.#hasLeft && !recordsOnly) this.#schedule();
  }

  /** Returns the number of stored records of this process; registers it again if its row is gone. */
  async stored(): Promise<number> {
    const sql = `select written::float8 from ${this.#database.schema}.writer where writer = $1`;
    const [row] = await this.#database.query<{ written: number }>(sql, [this.writer]);
    if (row === undefined) this.#registered = undefined;
    return row?.written ?? 0;
  }

  #schedule(): void {
    this.#cancel?.();
    const go = () => void this.beat().finally(() => this.#hasLeft || this.#schedule());
    this.#cancel = this.#options.clock.after(BEAT_MS, go, { background: true });
  }

  /** Renews the heartbeat now. After a failure, the next heartbeat makes up for it. */
  beat(): Promise<void> {
    this.#beating ??= this.#beat()
      .catch(() => undefined) // what fails is reported where records are written
      .finally(() => {
        this.#beating = undefined;
      });
    return this.#beating;
  }

  async #beat(): Promise<void> {
    if (this.#registered === undefined || this.#hasLeft) return;
    const { schema } = this.#database;
    const { clock } = this.#options;
    const beforeMs = clock.now();
    const sql = `with own as (
        update ${schema}.writer set beat_at = now(), watermark_ms = $2 where writer = $1 and ended_at is null returning 1
      ), leases as (
        update ${schema}.lease set expires_at = now() + make_interval(secs => ${SILENT_SECONDS}) where owner = any($3) returning 1
      ) select (select count(*) from own)::int as own, (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
    const [row] = await this.#database.query<{ own: number; ms: number }>(sql, [
      this.writer,
      this.#watermarkMs(),
      [...this.#owners],
    ]);
    if (row?.own === 0) this.#registered = undefined;
    if (row !== undefined) this.#compareClocks(row.ms - (beforeMs + clock.now()) / 2);
    await this.#keepUp();
  }

  /** Reports a wrong clock once: watermarks and outcomes carry its times. */
  #compareClocks(aheadMs: number): void {
    const isSkewed = Math.abs(aheadMs) > SKEW_MS;
    if (isSkewed && !this.#isSkewed) {
      const minutes = Math.round(Math.abs(aheadMs) / 60_000);
      const message = `the clock of this machine is ${minutes} minutes ${aheadMs > 0 ? 'behind' : 'ahead of'} that of the server: set it, because trials wait for the slowest clock`;
      this.#options.report({ kind: 'failing', message });
    }
    this.#isSkewed = isSkewed;
  }

  /** Creates the partitions of the next days, and applies retention. */
  async #keepUp(): Promise<void> {
    const nowMs = this.#options.clock.monotonic();
    if (nowMs - this.#keptMs < UPKEEP_MS) return;
    this.#keptMs = nowMs;
    const { schema } = this.#database;
    await this.#database.query(`select ${schema}.ensure_days()`);
    if (this.#options.retainDays !== undefined) await this.#setRetention(this.#options.retainDays);
    await this.#database.query(`select ${schema}.drop_days()`);
  }

  /** Sets the days that records are kept, or reports that this login may not. */
  async #setRetention(wanted: number): Promise<void> {
    const { schema } = this.#database;
    const [row] = await this.#database.query<{ days: number; mine: boolean }>(
      `select days, has_table_privilege($1, 'update') as mine from ${schema}.retention`,
      [`${schema}.retention`],
    );
    if (row === undefined || row.days === wanted) return;
    if (row.mine) await this.#database.query(`update ${schema}.retention set days = $1`, [wanted]);
    else {
      const message = `retainDays is ${wanted}, and records are kept for ${row.days} days: only the owner of schema ${schema} changes that`;
      this.#options.report({ kind: 'failing', message });
    }
  }

  /** Lists live processes, including this one. */
  async all(): Promise<readonly WriterState[]> {
    if (!this.#database.isReadOnly) {
      await this.register();
      await this.#beat();
    }
    const sql = `select writer, watermark_ms as "watermarkMs", true as alive from ${this.#database.schema}.writer
      where ended_at is null and beat_at > now() - make_interval(secs => ${SILENT_SECONDS}) order by writer`;
    return this.#database.query<WriterState>(sql);
  }

  /** Renews the leases of this owner with each heartbeat. */
  hold(owner: string): void {
    this.#owners.add(owner);
  }

  release(owner: string): void {
    this.#owners.delete(owner);
  }

  /** Marks this process as ended and frees its leases. */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    this.#cancel?.();
    await this.#beating;
    if (this.#registered === undefined || this.#options.recordsOnly) return;
    const { schema } = this.#database;
    const sql = `with freed as (update ${schema}.lease set owner = '' where owner = any($2) returning 1)
      update ${schema}.writer set ended_at = now(), watermark_ms = $3 where writer = $1`;
    await this.#database.query(sql, [this.writer, [...this.#owners], this.#watermarkMs()]);
  }

  #watermarkMs(): number {
    return this.#own.watermarkMs() - MARGIN_MS;
  }
}
