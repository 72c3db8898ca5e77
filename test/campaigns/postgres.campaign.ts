/** The long version of test/integrations/stores/history.slow.test.ts. `--minutes=10` adds a run of that length. */
import { migrate } from 'rsi-loop/stores/postgres';
import { seededRandom } from '../../src/lib/random.js';
import { bundleStoreProcess, runHistory } from '../integrations/stores/history.js';
import { runPartition } from '../integrations/stores/partition.js';
import { newSchema, startPostgres } from '../integrations/stores/postgres-server.js';
import { campaigns, takeNumbers } from './run-campaigns.js';

const asked = takeNumbers('minutes');
const run = campaigns();
const { script, remove } = await bundleStoreProcess();
const server = await startPostgres({ settings: { max_connections: '500' } });

async function history(processes: number, records: number, kills: number, serverKills: number, forMs?: number) {
  const schema = newSchema();
  await migrate({ url: server.url, schema });
  const scale = { processes, records, kills, serverKills, ...(forMs !== undefined && { forMs }) };
  return runHistory({ server, schema, script, ...scale, random: seededRandom(7) });
}

try {
  await run('kill -9, eight processes and the server', () => history(8, 4_000, 30, 8));
  await run('kill -9, fifty processes and the server', () => history(50, 2_500, 100, 20));
  await run('a partition of a minute', () => runPartition(server, { seconds: 60 }));
  for (const minutes of asked) {
    const endless = [1_000_000, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
    await run(`${minutes} minutes of kill -9, fifty processes and the server`, () =>
      history(50, ...endless, minutes * 60_000),
    );
  }
} finally {
  await server.stop();
  remove();
}
