import pg from 'pg';
import { LoopError, SystemClock } from 'rsi-loop';
import { migrate, PostgresStore } from 'rsi-loop/stores/postgres';
import type { StoreProblem } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { migrateSchema } from '../../../integrations/stores/postgres/migrate.js';
import { MIGRATIONS } from '../../../integrations/stores/postgres/migrations.js';
import { seededRandom } from '../../../src/lib/random.js';
import { all, range, sampleEntry, sampleOutcome } from '../../../src/testing/sample-records.js';
import { runPartition } from './partition.js';
import { flushed, positionsIn, usePostgres } from './postgres-of-file.js';
import { newSchema, type PostgresServer, whyNoPostgres } from './postgres-server.js';
import { TcpProxy } from './tcp-proxy.js';

const why = whyNoPostgres();
let server: PostgresServer;
let admin: pg.Pool;

usePostgres((started, connected) => {
  [server, admin] = [started, connected];
});

/** System clock with a wrong time of day. */
class WrongClock extends SystemClock {
  override now(): number {
    return super.now() + 3_600_000;
  }
}

describe.skipIf(why)(`a PostgreSQL store${why ? ` (${why})` : ''}`, () => {
  it('stores every record once when connections are cut in the middle of statements', async () => {
    const proxy = await TcpProxy.open(server.port);
    const schema = newSchema();
    await migrate({ url: server.url, schema });
    const store = new PostgresStore({ url: server.address('admin', { port: proxy.port }), schema, flushMs: 0 });
    const random = seededRandom(7);
    let count = 0;
    for (const _round of range(40)) {
      proxy.cutAfter(Math.floor(random() * 6_000));
      for (const _record of range(20)) store.journal.append([sampleOutcome(count++)]);
      await flushed(store);
    }
    proxy.cutAfter(Number.POSITIVE_INFINITY);
    expect(proxy.cuts).toBeGreaterThan(10);
    expect(await all(store.journal.read())).toEqual(
      range(count).map((number) => ({ writer: store.journal.writer, position: number, record: sampleOutcome(number) })),
    );
    await store.close();
    await proxy.close();
  });

  it('appends every decision once when connections are cut in the middle of statements', async () => {
    const proxy = await TcpProxy.open(server.port);
    const schema = newSchema();
    await migrate({ url: server.url, schema });
    const store = new PostgresStore({ url: server.address('admin', { port: proxy.port }), schema });
    const random = seededRandom(11);
    const appended: number[] = [];
    for (const number of range(40)) {
      const head = await untilDone(() => store.ledger.head());
      proxy.cutAfter(Math.floor(random() * 1_500));
      const result = await store.ledger.append([sampleEntry(number)], head);
      expect(result.kind).toBe('ok');
      appended.push(number);
    }
    proxy.cutAfter(Number.POSITIVE_INFINITY);
    expect(proxy.cuts).toBeGreaterThan(10);
    expect((await all(store.ledger.read())).map(({ entry }) => entry.atMs)).toEqual(appended);
    expect((await store.ledger.head()).broken).toBeUndefined();
    await store.close();
    await proxy.close();
  });

  it('keeps records in memory while the server is killed, says so once, and stores them after its restart', async () => {
    const schema = newSchema();
    const store = new PostgresStore({ url: server.url, schema, flushMs: 0 });
    const problems: StoreProblem[] = [];
    store.onProblem((problem) => problems.push(problem));
    store.journal.append([sampleOutcome(0)]);
    await store.journal.flush();
    const lease = await store.coordination.lease('cycle');
    await server.kill();
    store.journal.append([sampleOutcome(1)]);
    await expect(store.journal.flush()).rejects.toThrow('records wait in memory');
    expect(store.away).toContain('PostgreSQL at');
    expect(await lease?.held()).toBe(false);
    for (const number of range(100)) store.journal.append([sampleOutcome(2 + number)]);
    await server.start();
    await flushed(store);
    expect(await positionsIn(store)).toEqual(range(102));
    expect(store.away).toBeUndefined();
    expect(problems.filter(({ kind }) => kind === 'failing')).toHaveLength(1);
    expect(problems.filter(({ kind }) => kind === 'dropped')).toHaveLength(0);
    await store.close();
  });

  it('drops and counts what is more than maxQueued, but keeps starts longer', async () => {
    const proxy = await TcpProxy.open(server.port);
    proxy.stall();
    const url = server.address('admin', { port: proxy.port });
    const store = new PostgresStore({ url, schema: newSchema(), maxQueued: 10, connectTimeoutMs: 100, flushMs: 0 });
    const dropped: number[] = [];
    store.onProblem(({ kind, count }) => kind === 'dropped' && dropped.push(count ?? 0));
    for (const number of range(25)) store.journal.append([sampleOutcome(number)]);
    expect(store.journal.queued).toBe(10);
    await store.close();
    expect(dropped.reduce((sum, count) => sum + count, 0)).toBe(25);
    await proxy.close();
  });

  it('leaves out one record that the server rejects, and stores the others', async () => {
    const store = new PostgresStore({ url: server.url, schema: newSchema() });
    const problems: StoreProblem[] = [];
    store.onProblem((problem) => problems.push(problem));
    for (const number of range(50)) {
      const record = sampleOutcome(number);
      if (record.kind !== 'outcome') continue;
      const { outcome } = record;
      store.journal.append([number === 23 ? { ...record, outcome: { ...outcome, atMs: 1e300 } } : record]);
    }
    await store.journal.flush();
    expect(await positionsIn(store)).toEqual(range(50).filter((number) => number !== 23));
    expect(problems.map(({ kind, count }) => [kind, count])).toEqual([['dropped', 1]]);
    await store.close();
  });

  it('counts processes as alive by the clock of the server, and reports a wrong clock', async () => {
    const schema = newSchema();
    const [right, wrong] = [
      new PostgresStore({ url: server.url, schema }),
      new PostgresStore({ url: server.url, schema, clock: new WrongClock() }),
    ];
    const problems: string[] = [];
    wrong.onProblem(({ message }) => problems.push(message));
    for (const store of [right, wrong]) store.journal.append([sampleOutcome(0)]);
    await Promise.all([right.journal.flush(), wrong.journal.flush()]);
    expect(await wrong.coordination.writers()).toHaveLength(2);
    expect(await right.coordination.writers()).toHaveLength(2);
    expect(problems.join()).toContain('the clock of this machine is 60 minutes ahead of that of the server');
    await Promise.all([right.close(), wrong.close()]);
  });

  it('gives the lease to another leader during a partition, and the old one can decide nothing after it', async () => {
    const proxy = await TcpProxy.open(server.port);
    const schema = newSchema();
    const other = new PostgresStore({ url: server.url, schema });
    await other.ledger.head();
    const url = server.address('admin', { port: proxy.port });
    const old = new PostgresStore({ url, schema, connectTimeoutMs: 300, queryTimeoutMs: 300 });
    const lease = await old.coordination.lease('cycle');
    const head = await old.ledger.head();
    expect(await other.coordination.lease('cycle')).toBeUndefined();
    proxy.stall();
    // The lease expires by the clock of the server: moved forward here instead of waiting.
    await admin.query(`update ${schema}.lease set expires_at = now() - interval '1 second'`);
    const taken = await other.coordination.lease('cycle');
    expect(taken?.fence).toBeGreaterThan(lease?.fence ?? 0);
    await other.ledger.append([sampleEntry(1)], head);
    expect(await lease?.held()).toBe(false);
    await expect(old.ledger.append([sampleEntry(0)], head)).rejects.toSatisfy(LoopError.is);
    proxy.resume();
    expect((await untilDone(() => old.ledger.append([sampleEntry(0)], head))).kind).toBe('conflict');
    expect(await lease?.held()).toBe(false);
    expect((await all(other.ledger.read())).map(({ entry }) => entry.atMs)).toEqual([1]);
    await Promise.all([old.close(), other.close()]);
    await proxy.close();
  });

  it('loses and doubles no record of a process that a network cut off for a moment', async () => {
    const report = await runPartition(server, { seconds: 2 });
    expect(report).toMatchObject({ broken: [], missing: 0, doubled: 0 });
    expect(report.waiting).toBeGreaterThan(0);
  });

  it('notices decisions that were edited in the database, but not those that an erasure changed', async () => {
    const schema = newSchema();
    const store = new PostgresStore({ url: server.url, schema });
    store.journal.append([sampleOutcome(0, { actual: 'decision' })]);
    await store.ledger.append([sampleEntry(0), sampleEntry(1)], await store.ledger.head());
    expect((await store.erase({ text: 'decision' })).decisions).toBe(2);
    const after = new PostgresStore({ url: server.url, schema });
    expect(await after.ledger.head()).toMatchObject({ length: 3 });
    expect((await after.ledger.head()).broken).toBeUndefined();
    await after.close();
    await admin.query(`update ${schema}.ledger set entry = replace(entry, '[erased] 0', 'x') where position = 0`);
    const reader = new PostgresStore({ url: server.url, schema });
    expect((await reader.ledger.head()).broken).toContain('entry 0 was edited');
    await Promise.all([store.close(), reader.close()]);
  });

  it('leaves one version or the next when a migration is cut off', async () => {
    const random = seededRandom(3);
    const next = 'alter table $schema.meta add column note text; create table $schema.extra (id int);';
    for (const _round of range(12)) {
      const proxy = await TcpProxy.open(server.port);
      const schema = newSchema();
      const pool = new pg.Pool({ connectionString: server.address('admin', { port: proxy.port }) });
      pool.on('error', () => {});
      const client = await pool.connect();
      client.on('error', () => {});
      proxy.cutAfter(Math.floor(random() * 12_000));
      await migrateSchema(client, schema, [...MIGRATIONS, next]).catch(() => undefined);
      client.release(true);
      await pool.end();
      await proxy.close();
      const again = await admin.connect();
      const { to } = await migrateSchema(again, schema, [...MIGRATIONS, next]);
      expect(to).toBe(MIGRATIONS.length + 1);
      const { rows } = await again.query(`select version, note from ${schema}.meta`);
      expect(rows).toEqual([{ version: MIGRATIONS.length + 1, note: null }]);
      again.release();
    }
  });
});

/** Repeats until the connection holds. */
async function untilDone<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 50) throw error;
    }
  }
}
