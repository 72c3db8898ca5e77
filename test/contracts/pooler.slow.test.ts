import { PostgresStore } from 'rsi-loop/stores/postgres';
import { storeContract } from 'rsi-loop/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pooler, startPooler, whyNoPooler } from '../integrations/stores/pooler.js';
import {
  newSchema,
  type PostgresServer,
  startPostgres,
  whyNoPostgres,
} from '../integrations/stores/postgres-server.js';

const why = whyNoPostgres() ?? whyNoPooler();
let server: PostgresServer;
let pooler: Pooler;

beforeAll(async () => {
  if (why !== undefined) return;
  server = await startPostgres();
  pooler = await startPooler(server, 'transaction');
});
afterAll(async () => {
  await pooler?.stop();
  await server?.stop();
});

describe.skipIf(why)(`PgBouncer in transaction mode${why ? ` (${why})` : ''}`, () => {
  const schemaPlace = () => {
    const schema = newSchema();
    return { open: () => new PostgresStore({ url: pooler.url, schema }), remove: () => {} };
  };
  storeContract('PostgresStore', { describe, it }, { create: schemaPlace, shared: true, lasting: true });

  it('passes decisions on by polling, because it passes on no notification', async () => {
    const { open } = schemaPlace();
    const [one, other] = [open(), open()];
    const head = await other.ledger.head();
    const seen = new Promise<void>((resolve) => other.ledger.onAppended(resolve));
    await one.ledger.append([{ kind: 'frozen', atMs: 1, by: 'test', reason: 'test' }], head);
    await seen;
    expect((await other.ledger.head()).length).toBe(1);
    await Promise.all([one.close(), other.close()]);
  });

  it('is named in a sentence if it is in statement mode', async () => {
    const wrong = await startPooler(server, 'statement');
    const store = new PostgresStore({ url: wrong.url, schema: newSchema() });
    await expect(store.ledger.head()).rejects.toThrow('set pool_mode = transaction or session');
    await store.close();
    await wrong.stop();
  });
});
