import pg from 'pg';
import { RSILoop } from 'rsi-loop';
import { migrate, PostgresStore, type PostgresStoreOptions, roleScript } from 'rsi-loop/stores/postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../integrations/stores/postgres/migrations.js';
import { startPooler, whyNoPooler } from './pooler.js';
import { freePort, newSchema, type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.js';
import { TcpProxy } from './tcp-proxy.js';

/** Way in which a database cannot be used, and its end without a change to the program. */
interface Fault {
  readonly options: PostgresStoreOptions;
  readonly sentence: string;
  readonly mend: () => Promise<unknown>;
}

const why = whyNoPostgres();
const TASKS = 60;
let server: PostgresServer;
let admin: pg.Pool;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (why !== undefined) return;
  server = await startPostgres({
    hba: 'hostnossl all only_tls 127.0.0.1/32 reject',
    tls: true,
    settings: { ssl: 'on' },
  });
  admin = new pg.Pool({ connectionString: server.url });
  admin.on('error', () => {});
  for (const role of ['forgetful', 'poor', 'only_tls'])
    await admin.query(`create role ${role} login superuser password 'p@ss'`);
  await admin.query('alter role poor nosuperuser');
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await admin?.end();
  await server?.stop();
});

const faults: Readonly<Record<string, (schema: string) => Fault | Promise<Fault>>> = {
  'a wrong password': (schema) => ({
    options: { url: server.address('forgetful').replace('p%40ss', 'wrong'), schema },
    sentence: 'correct the user or the password in url, or set PGPASSWORD',
    mend: () => admin.query(`alter role forgetful password 'wrong'`),
  }),
  'missing rights': (schema) => ({
    options: { url: server.address('poor'), schema },
    sentence: 'grant the role its rights with the script that "rsi store roles" prints',
    mend: () => admin.query(`${roleScript(schema)}; grant ${schema}_agent to poor`),
  }),
  'a schema of a newer version': async (schema) => {
    await admin.query(`update ${schema}.meta set version = 99`);
    return {
      options: { url: server.url, schema },
      sentence: 'install a newer version of rsi-loop',
      mend: () => admin.query(`update ${schema}.meta set version = ${MIGRATIONS.length}`),
    };
  },
  'a server that is too old': async (schema) => {
    // A function that is found before that of the server.
    await admin.query(`create schema old; create function old.current_setting(text) returns text language sql
      as $$ select case $1 when 'server_version' then '13.11' else '130011' end $$`);
    const url = new URL(server.url);
    url.searchParams.set('options', '-c search_path=old,pg_catalog');
    return {
      options: { url: url.href, schema },
      sentence: 'is version 13.11: use 14 or later',
      mend: () => admin.query('drop function old.current_setting(text)'),
    };
  },
  'a missing table': async (schema) => {
    await admin.query(`alter table ${schema}.head rename to gone`);
    return {
      options: { url: server.url, schema },
      sentence: `a table of schema ${schema} is missing: restore it, or give another schema`,
      mend: () => admin.query(`alter table ${schema}.gone rename to head`),
    };
  },
  'a server that requires TLS': (schema) => ({
    options: { url: server.address('only_tls'), schema },
    sentence: 'set ssl: true if the server requires TLS, else check user and database against its pg_hba.conf',
    mend: async () => {
      const { rows } = await admin.query('show hba_file');
      await admin.query(`copy (select 'host all all 127.0.0.1/32 scram-sha-256') to '${rows[0].hba_file}'`);
      await admin.query('select pg_reload_conf()');
    },
  }),
  'a network that drops everything': async (schema) => {
    const proxy = await TcpProxy.open(server.port);
    proxy.stall();
    closing.push(() => proxy.close());
    return {
      options: { url: server.address('admin', { port: proxy.port }), schema, connectTimeoutMs: 300 },
      sentence: 'check host, port and firewall, or raise connectTimeoutMs',
      mend: async () => proxy.resume(),
    };
  },
};

async function problemsOf(fault: Fault, schema: string): Promise<void> {
  const loop = new RSILoop({
    store: new PostgresStore(fault.options),
    idempotent: true,
    policy: { 'backoff.baseMs': 10 },
  });
  closing.push(() => loop.close());
  const problems: string[] = [];
  loop.on('problem', ({ message }) => problems.push(message));
  await loop.ready();
  expect(problems.join('\n')).toContain(`${fault.sentence}; the loop continues in memory, without trials`);
  for (let task = 0; task < TASKS; task++) {
    const call = () => (task % 3 === 0 ? Promise.reject(new Error('ECONNRESET: socket hang up')) : 'fine');
    await loop.run('ask', call).catch(() => undefined);
  }
  const { patterns } = await loop.runCycle();
  expect(patterns.map(({ task, count }) => [task, count])).toEqual([['ask', TASKS / 3]]);
  expect(loop.fixes({ status: 'trial' })).toEqual([]);

  await fault.mend();
  while (loop.hasLostStore) await loop.runCycle();
  await loop.flush();
  const { rows } = await admin.query(`select count(*)::int as tasks from ${schema}.outcomes`);
  expect(rows).toEqual([{ tasks: TASKS }]);
  // With the database, what was found in memory goes into a trial.
  await loop.runCycle();
  expect(loop.fixes({ status: 'trial' })).not.toEqual([]);
}

describe.skipIf(why)(`a loop on a database with${why ? ` (${why})` : ''}`, () => {
  for (const [name, open] of Object.entries(faults)) {
    it(`${name} says what to change, goes on in memory without trials, and catches up`, async () => {
      const schema = newSchema();
      await migrate({ url: server.url, schema });
      await problemsOf(await open(schema), schema);
    });
  }

  it.skipIf(whyNoPooler())('a pooler in statement mode says what to change, and catches up', async () => {
    const schema = newSchema();
    await migrate({ url: server.url, schema });
    const port = await freePort();
    let pooler = await startPooler(server, 'statement', port);
    closing.push(() => pooler.stop());
    const mend = async () => {
      await pooler.stop();
      pooler = await startPooler(server, 'transaction', port);
    };
    const sentence = 'the pooler is in statement mode: set pool_mode = transaction or session';
    await problemsOf({ options: { url: pooler.url, schema }, sentence, mend }, schema);
  });
});
