import pg from 'pg';
import { RSILoop, type Store } from 'rsi-loop';
import { migrate, PostgresStore, recordingStore, roleScript } from 'rsi-loop/stores/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { migrateSchema } from '../../../integrations/stores/postgres/migrate.js';
import { MIGRATIONS } from '../../../integrations/stores/postgres/migrations.js';
import { sampleOutcome } from '../../../src/testing/sample-records.js';
import { newSchema, type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.js';
import { createRoles, placeOf, type Role, type RoleWorld, tryDeeds } from './role-deeds.js';

const why = whyNoPostgres();
let server: PostgresServer;
let admin: pg.Pool;
let world: RoleWorld;
let schema: string;

beforeAll(async () => {
  if (why !== undefined) return;
  server = await startPostgres();
  admin = new pg.Pool({ connectionString: server.url });
});
afterAll(async () => {
  await admin?.end();
  await server?.stop();
});

beforeEach(async () => {
  if (why !== undefined) return;
  world = await createRoles(server);
  ({ schema } = world);
});

const as = (role: Role) => placeOf(world, role);

function open<Kind extends Store>(store: Kind): Kind {
  onTestFinished(() => store.close?.());
  return store;
}

async function recordsOf(): Promise<readonly string[]> {
  const reader = open(new PostgresStore({ ...as('reader'), readOnly: true }));
  const found: string[] = [];
  for await (const { record } of reader.journal.read()) {
    found.push(record.kind === 'outcome' ? record.outcome.task : `start of ${record.start.task}`);
  }
  return found;
}

describe.skipIf(why)(`roles of a database${why ? ` (${why})` : ''}`, () => {
  it('let each login do what its role says, and nothing else', async () => {
    expect(await tryDeeds(server)).toEqual({ tried: 84, escapes: 0, broken: [] });
  });

  it('let a loop record as a recorder, and decide nothing', async () => {
    const loop = new RSILoop({ store: open(recordingStore(as('recorder'))) });
    await loop.ready();
    expect(loop.durability).toBe('store');
    loop.observer.recordSimple('reported', { success: false, error: 'ECONNRESET' });
    await loop.run('ran', () => 1);
    await loop.flush();
    await loop.runCycle();
    await expect(loop.freeze({ by: 'me', reason: 'test' })).rejects.toThrow('only records');
    await loop.close();
    expect(await recordsOf()).toEqual(expect.arrayContaining(['reported', 'ran']));
    const { rows } = await admin.query(`select count(*)::int as entries from ${schema}.ledger`);
    expect(rows).toEqual([{ entries: 1 }]);
    const alive = await open(new PostgresStore({ url: server.url, schema })).coordination.writers();
    expect(alive).toHaveLength(1);
  });

  it('let a decider decide, and record nothing', async () => {
    const store = open(new PostgresStore(as('decider')));
    const entry = { kind: 'unfrozen', atMs: 2, by: 'person', reason: 'test' } as const;
    expect((await store.ledger.append([entry], await store.ledger.head())).kind).toBe('ok');
    store.journal.append([sampleOutcome(7)]);
    await expect(store.journal.flush()).rejects.toThrow('permission denied');
    expect(await recordsOf()).toHaveLength(1);
  });

  it('leave the days that records are kept to the owner', async () => {
    const problems: string[] = [];
    const agent = open(new PostgresStore({ ...as('agent'), retainDays: 1 }));
    agent.onProblem(({ message }) => problems.push(message));
    await agent.coordination.writers();
    expect(problems.join()).toContain('only the owner of schema');
    const days = async () => (await admin.query(`select days from ${schema}.retention`)).rows;
    expect(await days()).toEqual([{ days: 30 }]);
    await open(new PostgresStore({ url: server.url, schema, retainDays: 7 })).coordination.writers();
    expect(await days()).toEqual([{ days: 7 }]);
  });

  it('come with a migration that keeps the days a schema holds, and lets processes of before write on', async () => {
    const older = newSchema();
    const client = await admin.connect();
    await migrateSchema(client, older, MIGRATIONS.slice(0, 2));
    await client.query(
      `create table ${older}.journal_20200101 (like ${older}.journal including defaults including generated)`,
    );
    await client.query(
      `alter table ${older}.journal attach partition ${older}.journal_20200101 for values from ('2020-01-01') to ('2020-01-02')`,
    );
    await client.query(`insert into ${older}.writer (writer, host, pid, watermark_ms) values ('before', 'h', 1, 0)`);
    client.release();
    expect(await migrate({ url: server.url, schema: older })).toEqual({ from: 2, to: 3 });
    const { rows } = await admin.query<{ days: number }>(`select days from ${older}.retention`);
    expect(rows[0]?.days).toBeGreaterThan(2_000);
    await admin.query(roleScript(older));
    await admin.query(`create role ${older}_login login password 'p@ss' in role ${older}_agent`);
    const agent = new pg.Client({ connectionString: server.address(`${older}_login`) });
    await agent.connect();
    const { rowCount } = await agent.query(`update ${older}.writer set written = 1 where writer = 'before'`);
    expect(rowCount).toBe(1);
    await agent.end();
  });
});
