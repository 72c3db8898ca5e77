import pg from 'pg';
import { PostgresStore } from 'rsi-loop/stores/postgres';
import { storeContract } from 'rsi-loop/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  newSchema,
  type PostgresServer,
  startPostgres,
  whyNoPostgres,
} from '../integrations/stores/postgres-server.js';

const why = whyNoPostgres();
let server: PostgresServer;

beforeAll(async () => {
  if (why === undefined) server = await startPostgres();
});
afterAll(() => server?.stop());

describe.skipIf(why)(`PostgreSQL${why ? ` (${why})` : ''}`, () => {
  storeContract('PostgresStore', { describe, it }, { create: schemaPlace, shared: true, lasting: true });

  it('takes a pool of the host, and leaves it open', async () => {
    const pool = new pg.Pool({ connectionString: server.url });
    const store = new PostgresStore({ pool, schema: newSchema() });
    expect(await store.ledger.head()).toEqual({ length: 0, hash: '' });
    await store.close();
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });
});

function schemaPlace() {
  const schema = newSchema();
  return { open: () => new PostgresStore({ url: server.url, schema }), remove: () => {} };
}
