import pg from 'pg';
import { migrate, PostgresStore } from 'rsi-loop/stores/postgres';
import type { StoreProblem } from 'rsi-loop/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { all, range, sampleEntry, sampleOutcome } from '../../../src/testing/sample-records.js';
import { flushed, positionsIn, usePostgres } from './postgres-of-file.js';
import { newSchema, type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.js';
import { TcpProxy } from './tcp-proxy.js';

const why = whyNoPostgres();
let server: PostgresServer;
let admin: pg.Pool;
const closing: (() => Promise<unknown>)[] = [];

usePostgres((started, connected) => {
  [server, admin] = [started, connected];
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe.skipIf(why)(`a PostgreSQL store${why ? ` (${why})` : ''}`, () => {
  it('keeps records in memory while the disk of the server is full, says what to do, and stores them afterwards', async () => {
    const schema = newSchema();
    await migrate({ url: server.url, schema });
    // The server rejects every row with the error of a full disk.
    await admin.query(
      `create function ${schema}.out_of_space() returns trigger language plpgsql as $$ begin
         raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
       create trigger out_of_space before insert on ${schema}.journal for each row execute function ${schema}.out_of_space()`,
    );
    const store = new PostgresStore({ url: server.url, schema, flushMs: 0 });
    closing.push(() => store.close());
    const problems: StoreProblem[] = [];
    store.onProblem((problem) => problems.push(problem));
    for (const number of range(50)) store.journal.append([sampleOutcome(number)]);
    await expect(store.journal.flush()).rejects.toThrow('the disk of the server is full: free space there');
    await expect(store.journal.flush()).rejects.toThrow('50 records wait in memory');
    await admin.query(`drop trigger out_of_space on ${schema}.journal`);
    await flushed(store);
    expect(await positionsIn(store)).toEqual(range(50));
    expect(problems.map(({ kind }) => kind)).toEqual(['failing']);
  });

  it('stores a batch once when its statement takes longer than queryTimeoutMs and runs after all', async () => {
    const schema = newSchema();
    const store = new PostgresStore({ url: server.url, schema, flushMs: 0, queryTimeoutMs: 200 });
    closing.push(() => store.close());
    store.journal.append([sampleOutcome(0)]);
    await flushed(store);
    const blocker = await admin.connect();
    await blocker.query('begin');
    await blocker.query(`select from ${schema}.writer for update`);
    for (const number of range(20)) store.journal.append([sampleOutcome(1 + number)]);
    await expect(store.journal.flush()).rejects.toThrow('check the network, or raise queryTimeoutMs');
    await blocker.query('commit');
    blocker.release();
    await flushed(store);
    expect(await positionsIn(store)).toEqual(range(21));
  });

  it('listens again after its connection was terminated, and learns of every decision', async () => {
    const schema = newSchema();
    const [one, other] = [0, 1].map(() => new PostgresStore({ url: server.url, schema })) as [
      PostgresStore,
      PostgresStore,
    ];
    closing.push(
      () => one.close(),
      () => other.close(),
    );
    await one.ledger.head();
    let heard = () => {};
    one.ledger.onAppended(() => heard());
    const listening = async () => {
      const sql = `select pid from pg_stat_activity where query = 'listen rsi_loop_${schema}'`;
      return (await admin.query(sql)).rows.map(({ pid }) => pid as number);
    };
    const untilListening = async (not?: number) => {
      for (;;) {
        const found = (await listening()).find((pid) => pid !== not);
        if (found !== undefined) return found;
      }
    };
    const pid = await untilListening();
    await admin.query('select pg_terminate_backend($1)', [pid]);
    for (const number of range(2)) {
      const told = new Promise<void>((resolve) => {
        heard = resolve;
      });
      await other.ledger.append([sampleEntry(number)], await other.ledger.head());
      // The first may arrive by polling, the second arrives on the new connection.
      await told;
      expect((await one.ledger.head()).length).toBe(number + 1);
      await untilListening(pid);
    }
  });

  it('continues on the server that takes over behind the same address, and loses and doubles nothing', async () => {
    const primary = await startPostgres({ settings: { synchronous_standby_names: '' } });
    const follower = await primary.follower();
    const direct = new pg.Client({ connectionString: primary.url });
    await direct.connect();
    // From here on, nothing is acknowledged that the follower does not have.
    await direct.query(`alter system set synchronous_standby_names = '*'`);
    await direct.query('select pg_reload_conf()');
    await direct.end();
    const proxy = await TcpProxy.open(primary.port);
    const schema = newSchema();
    const url = primary.address('admin', { port: proxy.port });
    const store = new PostgresStore({ url, schema, flushMs: 0, connectTimeoutMs: 1_000 });
    closing.push(
      () => primary.stop(),
      () => follower.stop(),
      () => proxy.close(),
      () => store.close(),
    );
    for (const number of range(100)) store.journal.append([sampleOutcome(number)]);
    await store.journal.flush();
    await store.ledger.append([sampleEntry(0)], await store.ledger.head());
    await primary.kill();
    for (const number of range(100)) store.journal.append([sampleOutcome(100 + number)]);
    await expect(store.journal.flush()).rejects.toThrow('records wait in memory');
    await follower.promote();
    // The copied setting would make it wait for a follower of its own.
    const promoted = new pg.Client({ connectionString: follower.url });
    await promoted.connect();
    await promoted.query(`alter system set synchronous_standby_names = ''`);
    await promoted.query('select pg_reload_conf()');
    await promoted.end();
    proxy.moveTo(follower.port);
    await flushed(store);
    expect(await positionsIn(store)).toEqual(range(200));
    const head = await store.ledger.head();
    expect((await store.ledger.append([sampleEntry(1)], head)).kind).toBe('ok');
    expect((await all(store.ledger.read())).map(({ entry }) => entry.atMs)).toEqual([0, 1]);
    expect((await store.ledger.head()).broken).toBeUndefined();
  });

  it('tells an address that names a read-only standby', async () => {
    const primary = await startPostgres();
    const follower = await primary.follower();
    closing.push(
      () => primary.stop(),
      () => follower.stop(),
    );
    const store = new PostgresStore({ url: follower.url });
    await expect(store.ledger.head()).rejects.toThrow('the server is a read-only standby: let url name the primary');
    await store.close();
  });
});
