import { migrate } from 'rsi-loop/stores/postgres';
import { seededRandom } from '../../../src/lib/random.js';
import { bundleStoreProcess, type HistoryReport, runHistory } from './history.js';
import { startPooler } from './pooler.js';
import { newSchema, type PostgresServer, startPostgres } from './postgres-server.js';

/** Runs processes behind PgBouncer in transaction mode. Kills them, the pooler and the server at random moments. */
export async function killBehindPooler(seed: number): Promise<HistoryReport> {
  const direct = await startPostgres();
  const { script, remove } = await bundleStoreProcess();
  let pooler = await startPooler(direct, 'transaction');
  const { url } = pooler;
  const server: Pick<PostgresServer, 'url' | 'kill' | 'start'> = {
    url,
    kill: async () => {
      await pooler.stop();
      await direct.kill();
    },
    start: async () => {
      await direct.start();
      pooler = await startPooler(direct, 'transaction', Number(new URL(url).port));
    },
  };
  try {
    const schema = newSchema();
    await migrate({ url: direct.url, schema });
    const scale = { processes: 3, records: 1_500, kills: 6, serverKills: 2 };
    return await runHistory({ server, schema, script, ...scale, random: seededRandom(seed) });
  } finally {
    await pooler.stop();
    await direct.stop();
    remove();
  }
}
