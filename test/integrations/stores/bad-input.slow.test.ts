import pg from 'pg';
import { LoopError, RSILoop } from 'rsi-loop';
import { migrate, PostgresStore, type PostgresStoreOptions } from 'rsi-loop/stores/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, newSchema, type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.js';
import { TcpProxy } from './tcp-proxy.js';

const why = whyNoPostgres();
let server: PostgresServer;
let admin: pg.Pool;

/** Roles that may connect only with TLS, and one that may not connect at all. */
const HBA = `hostnossl all only_tls 127.0.0.1/32 reject
host all stranger 127.0.0.1/32 reject`;

beforeAll(async () => {
  if (why !== undefined) return;
  server = await startPostgres({ hba: HBA, tls: true, settings: { ssl: 'on' } });
  admin = new pg.Pool({ connectionString: server.url });
  for (const role of ['poor', 'only_tls', 'stranger']) await admin.query(`create role ${role} login password 'p@ss'`);
});
afterAll(async () => {
  await admin?.end();
  await server?.stop();
});

/** Returns the sentence of a store with these options. */
async function sentenceOf(options: PostgresStoreOptions): Promise<string> {
  const store = new PostgresStore({ connectTimeoutMs: 2_000, ...options });
  try {
    await store.ledger.head();
    return 'no error';
  } catch (error) {
    expect(LoopError.is(error)).toBe(true);
    const { message } = error as LoopError; // checked above
    expect(message).not.toContain('p%40ss');
    expect(message).not.toContain('p@ss');
    return message;
  } finally {
    await store.close();
  }
}

describe.skipIf(why)(`a PostgreSQL store${why ? ` (${why})` : ''} names the setting to change`, () => {
  const cases: Readonly<Record<string, readonly [() => PostgresStoreOptions | Promise<PostgresStoreOptions>, string]>> =
    {
      'for a wrong password': [
        () => ({ url: server.url.replace('p%40ss', 'wrong') }),
        'password authentication failed for user "admin": correct the user or the password in url, or set PGPASSWORD',
      ],
      'for a missing password': [
        () => ({ url: server.url.replace(':p%40ss', '') }),
        'give a password in url, or set PGPASSWORD',
      ],
      'for an unknown role': [
        () => ({ url: server.address('nobody_here') }),
        'correct the user or the password in url',
      ],
      'for an unknown database': [
        () => ({ url: server.address('admin', { database: 'nothing' }) }),
        'create the database, or correct its name at the end of url',
      ],
      'for a role without rights': [
        () => ({ url: server.address('poor') }),
        'permission denied for database postgres: grant the role its rights with the script that "rsi store roles" prints',
      ],
      'for a role that the server rejects': [
        () => ({ url: server.address('stranger') }),
        'else check user and database against its pg_hba.conf',
      ],
      'for a server that requires TLS': [
        () => ({ url: server.address('only_tls') }),
        'set ssl: true if the server requires TLS',
      ],
      'for a certificate that is not trusted': [
        () => ({ url: server.url, ssl: true }),
        'the certificate of the server is not trusted: set ssl.ca, or sslrootcert in url',
      ],
      'for a server that is not running': [
        async () => ({ url: server.address('admin', { port: await freePort() }) }),
        'start the server, or correct host and port in url',
      ],
      'for a host that does not exist': [
        () => ({ url: 'postgres://admin@nowhere.invalid/postgres' }),
        'correct the host in url',
      ],
      'for an empty schema that is only read': [
        () => ({ url: server.url, schema: 'nothing_here', readOnly: true }),
        'holds no loop: give the schema of one',
      ],
    };
  for (const [name, [options, sentence]] of Object.entries(cases)) {
    it(name, async () => {
      expect(await sentenceOf(await options())).toContain(sentence);
    });
  }

  it('for a network that drops everything, after connectTimeoutMs', async () => {
    const proxy = await TcpProxy.open(server.port);
    proxy.stall();
    const url = server.address('admin', { port: proxy.port });
    expect(await sentenceOf({ url, connectTimeoutMs: 200 })).toContain(
      'check host, port and firewall, or raise connectTimeoutMs',
    );
    await proxy.close();
  });

  it('for a missing table, a newer schema and a server without TLS', async () => {
    const schema = newSchema();
    await migrate({ url: server.url, schema });
    await admin.query(`alter table ${schema}.head rename to gone`);
    expect(await sentenceOf({ url: server.url, schema })).toContain(
      `a table of schema ${schema} is missing: restore it, or give another schema`,
    );
    await admin.query(`update ${schema}.meta set version = 99`);
    expect(await sentenceOf({ url: server.url, schema })).toContain('install a newer version of rsi-loop');
    await expect(migrate({ url: server.url, schema })).rejects.toThrow('install a newer version of rsi-loop');
    await admin.query(`update ${schema}.meta set version = 0`);
    const unknown = `schema ${schema} names the version 0, which no release has: restore the schema from a backup`;
    expect(await sentenceOf({ url: server.url, schema })).toContain(unknown);
    await expect(migrate({ url: server.url, schema })).rejects.toThrow(unknown);
    const plain = await startPostgres();
    expect(await sentenceOf({ url: plain.url, ssl: true })).toContain('remove ssl, or sslmode from url');
    await plain.stop();
  });

  it('for options that cannot be right', () => {
    const url = 'postgres://localhost/db';
    expect(() => new PostgresStore({ url: 'localhost/db' })).toThrow('give postgres://user@host:port/database');
    expect(() => new PostgresStore({ url, schema: 'x; drop table y' })).toThrow('small letters, digits and _');
    expect(() => new PostgresStore({ url, maxQueued: 0 })).toThrow('maxQueued is 0: give a number of at least 1');
    expect(() => new PostgresStore({} as PostgresStoreOptions)).toThrow('needs url or pool');
  });

  it('connects with TLS to a server that it may trust', async () => {
    const schema = newSchema();
    const store = new PostgresStore({ url: server.address('admin'), ssl: { rejectUnauthorized: false }, schema });
    expect(await store.ledger.head()).toEqual({ length: 0, hash: '' });
    await store.close();
  });
});

describe.skipIf(why)('a loop whose server is away at the start', () => {
  it('says so, continues in memory, and catches up once the server is back', async () => {
    const own = await startPostgres();
    await own.kill();
    const store = new PostgresStore({ url: own.url });
    const loop = new RSILoop({ store });
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    await loop.ready();
    expect(problems.join('\n')).toContain('the loop continues in memory, without trials');
    for (let count = 0; count < 3; count++) loop.observer.recordSimple('api_call', { success: false, error: 'boom' });
    expect((await loop.runCycle()).patterns.map(({ count }) => count)).toEqual([3]);

    await own.start();
    await loop.runCycle();
    expect(loop.hasLostStore).toBe(false);
    const { patterns } = await loop.runCycle();
    expect(patterns.map(({ count }) => count)).toEqual([3]);
    await loop.close();

    const after = new RSILoop({ store: own.url });
    await after.rebuilt();
    expect((await after.runCycle()).patterns.map(({ count }) => count)).toEqual([3]);
    await after.close();
    await own.stop();
  });
});
