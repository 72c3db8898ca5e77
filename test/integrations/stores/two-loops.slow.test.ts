import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { RSILoop } from 'rsi-loop';
import { PostgresStore } from 'rsi-loop/stores/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { all } from '../../../src/testing/sample-records.js';
import { bundleStoreProcess } from './history.js';
import { newSchema, type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.js';

const why = whyNoPostgres();
let server: PostgresServer;

beforeAll(async () => {
  if (why === undefined) server = await startPostgres();
});
afterAll(() => server?.stop());

/** Resolves when an event of the loop makes `holds` true. */
function until(loop: RSILoop, kind: 'fix-approved' | 'fix-rejected' | 'trial-started', holds: () => boolean) {
  return new Promise<void>((resolve) => {
    loop.on(kind, () => holds() && resolve());
  });
}

describe.skipIf(why)(`two loops on one database${why ? ` (${why})` : ''}`, () => {
  it('find the failures of both, and a decision made in one reaches the other without a cycle', async () => {
    const schema = newSchema();
    const open = () =>
      new RSILoop({ store: new PostgresStore({ url: server.url, schema }), autoFix: false, idempotent: true });
    const [one, other] = [open(), open()];
    await Promise.all([one.ready(), other.ready()]);
    for (const loop of [one, other]) {
      for (let call = 0; call < 60; call++) {
        const failure = { success: false, error: 'ECONNRESET: socket hang up' };
        await loop
          .run('api_call', () => {
            if (call % 4 === 0) throw new Error(failure.error);
            return 'fine';
          })
          .catch(() => undefined);
      }
      await loop.flush();
    }
    const { patterns, fixes } = await one.runCycle();
    expect(patterns[0]?.count).toBe(30);
    const [fix] = fixes;
    expect(fix?.status).toBe('proposed');
    if (fix === undefined) return;
    // The other loop knows the proposal by a notification, and decides.
    await other.runCycle();
    const started = until(one, 'trial-started', () => one.fixes({ status: 'trial' }).some(({ id }) => id === fix.id));
    await other.approve(fix.id, { by: 'a person', reason: 'test' });
    const trial = other.fixes({ status: 'trial' }).length === 0 ? one.runCycle() : Promise.resolve();
    await Promise.all([started, trial]);
    await Promise.all([one.close(), other.close()]);
  });
});

describe.skipIf(why)('a process that ends without close()', () => {
  it('stores what it recorded', async () => {
    const schema = newSchema();
    const { script, remove } = await bundleStoreProcess();
    const child = spawn(process.execPath, [script, server.url, schema, 'leave', '0', '100'], { stdio: 'inherit' });
    const [code] = await once(child, 'exit');
    remove();
    expect(code).toBe(0);
    const store = new PostgresStore({ url: server.url, schema });
    expect(await all(store.journal.read())).toHaveLength(100);
    await store.close();
  });
});
