import { migrate } from 'rsi-loop/stores/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/lib/random.js';
import { bundleStoreProcess, runHistory } from './history.js';
import { newSchema, type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.js';

const why = whyNoPostgres();
let server: PostgresServer;

beforeAll(async () => {
  if (why === undefined) server = await startPostgres();
});
afterAll(() => server?.stop());

describe.skipIf(why)(`many processes on one database${why ? ` (${why})` : ''}`, () => {
  it('lose and double nothing when they and the server are killed at random', async () => {
    const schema = newSchema();
    await migrate({ url: server.url, schema });
    const { script, remove } = await bundleStoreProcess();
    const scale = { processes: 3, records: 1_500, kills: 3, serverKills: 2 };
    const report = await runHistory({ server, schema, script, ...scale, random: seededRandom(5) });
    remove();
    expect(report).toMatchObject({ broken: [], missing: 0, doubled: 0, forks: 0 });
    expect(report.operations).toBeGreaterThan(3_000);
    expect(report.killed).toBeGreaterThan(0);
  }, 120_000);
});
