import pg from 'pg';
import { RSILoop, type Store } from 'rsi-loop';
import { migrate, PostgresStore, recordingStore, roleScript } from 'rsi-loop/stores/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { migrateSchema } from '../../../integrations/stores/postgres/migrate.js';
import { MIGRATIONS } from '../../../integrations/stores/postgres/migrations.js';
import { sampleOutcome } from '../../../src/testing/sample-records.js';
import { newSchema, type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.js';

const why = whyNoPostgres();
const ROLES = ['recorder', 'decider', 'agent', 'reader'] as const;
type Role = (typeof ROLES)[number];

let server: PostgresServer;
let admin: pg.Pool;
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

/** A schema whose process `other` of the owner wrote a record and a decision and holds a lease, and a login per role. */
beforeEach(async () => {
  if (why !== undefined) return;
  schema = newSchema();
  const { journal, ledger, coordination } = open(new PostgresStore({ url: server.url, schema, writer: 'other' }));
  journal.append([sampleOutcome(0)]);
  await journal.flush();
  await ledger.append([{ kind: 'frozen', atMs: 1, by: 'owner', reason: 'test' }], await ledger.head());
  await coordination.lease('cycle');
  await admin.query(roleScript(schema));
  for (const role of ROLES) {
    await admin.query(`create role ${loginOf(role)} login password 'p@ss' in role ${schema}_${role}`);
  }
});

const loginOf = (role: Role) => `${schema}_${role}_login`;
const placeOf = (role: Role) => ({ url: server.address(loginOf(role)), schema });

function open<Kind extends Store>(store: Kind): Kind {
  onTestFinished(() => store.close?.());
  return store;
}

async function recordsOf(): Promise<readonly string[]> {
  const reader = open(new PostgresStore({ ...placeOf('reader'), readOnly: true }));
  const found: string[] = [];
  for await (const { record } of reader.journal.read()) {
    found.push(record.kind === 'outcome' ? record.outcome.task : `start of ${record.start.task}`);
  }
  return found;
}

/** Statements that a login may try by hand. Each adds its own row of `writer` first if that is allowed. */
const DEEDS: Readonly<Record<string, { readonly sql: string; readonly by: readonly Role[] }>> = {
  'add an outcome of its own': { sql: journalRow('mine', 'outcome'), by: ['recorder', 'agent'] },
  'add a start of its own': { sql: journalRow('mine', 'start'), by: ['agent'] },
  'add an outcome under the name of another process': { sql: journalRow('other', 'outcome'), by: [] },
  'count as a living process': {
    sql: `insert into $s.writer (writer, host, pid, watermark_ms) values ('alive', 'h', 1, 0)`,
    by: ['decider', 'agent'],
  },
  'mark another process as ended': {
    sql: `update $s.writer set ended_at = now() where writer = 'other' returning 1`,
    by: [],
  },
  'raise the count of another process': {
    sql: `update $s.writer set written = 99 where writer = 'other' returning 1`,
    by: [],
  },
  'take over the name of another process': {
    sql: `update $s.writer set login = session_user where writer = 'other' returning 1`,
    by: [],
  },
  'read records': { sql: 'select record from $s.journal', by: ['decider', 'agent', 'reader'] },
  'read decisions': { sql: 'select entry from $s.ledger', by: ['decider', 'agent', 'reader'] },
  'add a decision': {
    sql: `insert into $s.ledger (position, previous, hash, entry, content, token) values (9, '', '', '', '{}', '')`,
    by: ['decider', 'agent'],
  },
  'move the head': { sql: 'update $s.head set length = length returning 1', by: ['decider', 'agent'] },
  'take a lease': { sql: `update $s.lease set owner = 'me' returning 1`, by: ['decider', 'agent'] },
  'save state': { sql: `insert into $s.snapshot values ('loop', 1, '', '')`, by: ['decider', 'agent'] },
  'edit a record': { sql: `update $s.journal set kind = 'outcome' returning 1`, by: [] },
  'delete a record': { sql: 'delete from $s.journal', by: [] },
  'edit a decision': { sql: `update $s.ledger set entry = '' returning 1`, by: [] },
  'delete a decision': { sql: 'delete from $s.ledger', by: [] },
  'delete the records of all days but one': { sql: 'select $s.drop_days(1)', by: [] },
  'shorten the days that records are kept': { sql: 'update $s.retention set days = 1 returning 1', by: [] },
  'apply the days that the owner set': { sql: 'select $s.drop_days()', by: ['decider', 'agent'] },
  'create a table': { sql: 'create table $s.mine ()', by: [] },
};

function journalRow(writer: string, kind: string): string {
  return `insert into $s.journal (day, writer, position, kind, record)
    values ((now() at time zone 'UTC')::date, '${writer}', 5, '${kind}', '{}')`;
}

/** Returns whether the server let the login do it: no error, and no row left out. */
async function mayDo(role: Role, sql: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: server.address(loginOf(role)) });
  await client.connect();
  try {
    await client.query('begin');
    const added = `insert into ${schema}.writer (writer, host, pid, watermark_ms, ended_at) values ('mine', 'h', 1, 0, now())`;
    await client.query(`savepoint own; ${added}`).catch(() => client.query('rollback to own'));
    const { rowCount } = await client.query(sql.replaceAll('$s', schema));
    return rowCount !== 0;
  } catch (error) {
    expect(String(error)).toMatch(/permission denied|row-level security/);
    return false;
  } finally {
    await client.end();
  }
}

describe.skipIf(why)(`roles of a database${why ? ` (${why})` : ''}`, () => {
  it.each(Object.entries(DEEDS))('only those who may: %s', async (_, { sql, by }) => {
    const allowed: Role[] = [];
    for (const role of ROLES) if (await mayDo(role, sql)) allowed.push(role);
    expect(allowed).toEqual(by);
  });

  it('let a loop record as a recorder, and decide nothing', async () => {
    const loop = new RSILoop({ store: open(recordingStore(placeOf('recorder'))) });
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
    expect(alive).toHaveLength(2);
  });

  it('let a decider decide, and record nothing', async () => {
    const store = open(new PostgresStore(placeOf('decider')));
    const entry = { kind: 'unfrozen', atMs: 2, by: 'person', reason: 'test' } as const;
    expect((await store.ledger.append([entry], await store.ledger.head())).kind).toBe('ok');
    store.journal.append([sampleOutcome(7)]);
    await expect(store.journal.flush()).rejects.toThrow('permission denied');
    expect(await recordsOf()).toHaveLength(1);
  });

  it('leave the days that records are kept to the owner', async () => {
    const problems: string[] = [];
    const agent = open(new PostgresStore({ ...placeOf('agent'), retainDays: 1 }));
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
