import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { RSILoop } from 'rsi-loop';
import { migrate, type PgPool, PostgresStore } from 'rsi-loop/stores/postgres';
import { benchRecord } from './bench-record.js';
import { newSchema } from './postgres-server.js';

const DAYS = 30;

export interface SizeOptions {
  /** Outcomes behind the loop, spread over 30 days. */
  readonly rows: number;
  /** Outcomes recorded before each cycle. */
  readonly added: number;
  readonly cycles: number;
}

/** Figures of a loop with a long past. Each is of one run; times are in milliseconds. */
export interface SizeReport {
  readonly rows: number;
  readonly bytesPerRow: number;
  readonly fillMs: number;
  /** Until the first process of a new version has read everything. */
  readonly readMs: number;
  /** Until a process that starts later is ready, and the rows that it read. */
  readonly startMs: number;
  readonly startRows: number;
  /** Median cycle, and the most rows that one read. */
  readonly cycleMs: number;
  readonly cycleRows: number;
  /** Emptying and dropping the oldest day while records are written, and the slowest flush before and meanwhile. */
  readonly dropMs: number;
  readonly usualFlushMs: number;
  readonly worstFlushMs: number;
  readonly daysLeft: number;
}

/** Fills 30 days of a database with outcomes, and measures a loop on them. */
export async function measureSize(
  server: { readonly url: string },
  { rows, added, cycles }: SizeOptions,
): Promise<SizeReport> {
  const schema = newSchema();
  await migrate({ url: server.url, schema });
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  try {
    const fillMs = await timed(() => fill(admin, schema, rows));
    const { rows: stored } = await admin.query(
      `select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits where inhparent = '${schema}.journal'::regclass`,
    );
    const readMs = await firstRead(server.url, schema);
    const pool = new CountingPool(server.url);
    const loop = new RSILoop({ store: new PostgresStore({ pool, schema, retainDays: DAYS + 5 }) });
    const startMs = await timed(() => loop.ready());
    const startRows = pool.takeCount();
    const cycleTimes: number[] = [];
    let cycleRows = 0;
    for (let cycle = 0; cycle < cycles; cycle++) {
      await record(loop, added);
      pool.takeCount();
      cycleTimes.push(await timed(() => loop.runCycle()));
      cycleRows = Math.max(cycleRows, pool.takeCount());
    }
    const dropped = await dropBesideIngest(admin, schema, loop);
    await loop.close();
    await pool.end();
    const bytesPerRow = Math.round(stored[0].bytes / rows);
    return {
      rows,
      bytesPerRow,
      fillMs,
      readMs,
      startMs,
      startRows,
      cycleMs: median(cycleTimes),
      cycleRows,
      ...dropped,
    };
  } finally {
    await admin.query(`drop schema ${schema} cascade`);
    await admin.end();
  }
}

/** Fills the last 30 days with outcomes of a process that ended. */
async function fill(admin: pg.Client, schema: string, rows: number): Promise<void> {
  const perDay = Math.floor(rows / DAYS);
  for (let back = DAYS - 1; back >= 0; back--) {
    const { rows: found } = await admin.query(
      `select (current_date - ${back})::text as day, to_char(current_date - ${back}, 'YYYYMMDD') as name`,
    );
    const { day, name } = found[0];
    const table = `${schema}.journal_${name}`;
    await admin.query(
      `create table if not exists ${table} (like ${schema}.journal including defaults including generated)`,
    );
    const until = `date '${day}' + 1`;
    await admin
      .query(`alter table ${schema}.journal attach partition ${table} for values from ('${day}') to (${until})`)
      .catch(() => undefined); // one of those that every process creates ahead
    const from = (DAYS - 1 - back) * perDay;
    await admin.query(
      `insert into ${schema}.journal (day, writer, position, kind, record)
       select date '${day}', 'gone', n, 'outcome', jsonb_build_object('id', 'o' || n, 'task', 'task-' || n % 20,
         'success', n % 5 > 0, 'atMs', floor(extract(epoch from timestamp '${day}') * 1000 + (n - ${from}) * 86400000.0 / ${perDay}),
         'source', 'generic', 'model', 'sonnet', 'durationMs', 800 + n % 100,
         'issues', case when n % 5 > 0 then '[]'::jsonb else '["rate_limit"]'::jsonb end)
         || case when n % 5 > 0 then '{}'::jsonb else '{"error":{"message":"429 Too Many Requests","status":429},"fingerprint":"0123456789abcdef"}'::jsonb end
       from generate_series(${from}, ${from + perDay - 1}) as n`,
    );
  }
  await admin.query(
    `insert into ${schema}.writer (writer, host, pid, ended_at, watermark_ms, written) values ('gone', 'x', 1, now(), 0, ${perDay * DAYS})`,
  );
}

async function firstRead(url: string, schema: string): Promise<number> {
  const loop = new RSILoop({ store: new PostgresStore({ url, schema, retainDays: DAYS + 5 }) });
  const readMs = await timed(async () => {
    await loop.ready();
    await loop.rebuilt();
    await loop.runCycle();
  });
  await loop.close();
  return readMs;
}

async function record(loop: RSILoop, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const { id: _, ...fields } = benchRecord(number).outcome;
    loop.observer.record({ ...fields, atMs: Date.now() });
  }
  await loop.flush();
}

async function dropBesideIngest(admin: pg.Client, schema: string, loop: RSILoop) {
  const flushes: number[] = [];
  const flush = async () => {
    loop.observer.record({ task: 'task-1', success: true });
    flushes.push(await timed(() => loop.flush()));
  };
  for (let count = 0; count < 20; count++) await flush();
  const usualFlushMs = median(flushes.splice(0));
  let isDropped = false;
  // The first call empties the day, the second drops it.
  const dropping = timed(async () => {
    for (let call = 0; call < 2; call++) await admin.query(`select ${schema}.drop_days(${DAYS - 2})`);
  }).finally(() => {
    isDropped = true;
  });
  do await flush();
  while (!isDropped);
  const days = await admin.query(
    `select count(*)::int as days from pg_inherits where inhparent = '${schema}.journal'::regclass`,
  );
  return { dropMs: await dropping, usualFlushMs, worstFlushMs: Math.max(...flushes), daysLeft: days.rows[0].days };
}

/** Pool that counts the rows that it returned. */
class CountingPool implements PgPool {
  readonly #pool: pg.Pool;
  #count = 0;

  constructor(url: string) {
    this.#pool = new pg.Pool({ connectionString: url });
  }

  async query(text: string, values: unknown[] = []) {
    const result = await this.#pool.query(text, values);
    this.#count += result.rows.length;
    return result;
  }

  connect() {
    return this.#pool.connect();
  }

  on(event: 'error', listener: (error: Error) => void): void;
  on(event: 'acquire', listener: (client: pg.PoolClient) => void): void;
  on(event: 'error' | 'acquire', listener: (value: never) => void): void {
    (this.#pool as EventEmitter).on(event, listener as (value: unknown) => void); // the two signatures above
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  /** Returns the rows since the last call. */
  takeCount(): number {
    const count = this.#count;
    this.#count = 0;
    return count;
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return Math.round(performance.now() - startedMs);
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
