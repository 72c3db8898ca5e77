import pg from 'pg';
import { RSILoop } from 'rsi-loop';
import { checkPostgres, PostgresStore } from 'rsi-loop/stores/postgres';
import { afterEach, describe, expect, it } from 'vitest';
import { sampleOutcome } from '../../../src/testing/sample-records.js';
import { newSchema, type PostgresServer, type ServerOptions, startPostgres, whyNoPostgres } from './postgres-server.js';

const why = whyNoPostgres();
let server: PostgresServer;
afterEach(() => server?.stop());

const start = async (settings: ServerOptions['settings']) => {
  server = await startPostgres({ isSafe: true, ...(settings && { settings }) });
  return { url: server.url, schema: newSchema() };
};

describe.skipIf(why)(`settings of a database that break promises${why ? ` (${why})` : ''}`, () => {
  it('lose nothing that was acknowledged if commits do not wait for the disk', async () => {
    const place = await start({ synchronous_commit: 'off', wal_writer_delay: '10s', wal_writer_flush_after: '0' });
    const store = new PostgresStore(place);
    await store.ledger.head();
    for (let number = 0; number < 20; number++) {
      store.journal.append([sampleOutcome(number)]);
      await store.journal.flush();
    }
    const entry = { kind: 'frozen', atMs: 1, by: 'test', reason: 'test' } as const;
    await store.ledger.append([entry], await store.ledger.head());
    store.journal.append([sampleOutcome(20)]);
    await store.journal.flush();
    await server.kill();
    await store.close();
    await server.start();
    const after = new PostgresStore({ ...place, readOnly: true });
    let records = 0;
    for await (const _ of after.journal.read()) records++;
    expect({ records, decisions: (await after.ledger.head()).length }).toEqual({ records: 21, decisions: 1 });
    await after.close();
    const checks = await checkPostgres(place);
    expect(checks.find(({ name }) => name === 'settings')).toMatchObject({
      ok: true,
      found: expect.stringContaining('although synchronous_commit is off'),
    });
  });

  it('fail a check of the database, as missing records do', async () => {
    const place = await start({ fsync: 'off', full_page_writes: 'off' });
    const loop = new RSILoop({ store: new PostgresStore(place) });
    for (let number = 0; number < 50; number++) loop.observer.recordSimple('t', { success: true });
    await loop.flush();
    await loop.runCycle();
    await loop.close();
    const failing = async () =>
      Object.fromEntries((await checkPostgres(place)).flatMap(({ ok, name, found }) => (ok ? [] : [[name, found]])));
    expect(await failing()).toEqual({ settings: expect.stringContaining('fsync and full_page_writes off') });
    const admin = new pg.Client({ connectionString: place.url });
    await admin.connect();
    await admin.query(`delete from ${place.schema}.journal where position < 20`);
    await admin.end();
    expect(await failing()).toMatchObject({ journal: '20 records that cycles counted are missing' });
  });
});
