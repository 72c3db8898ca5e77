/**
 * A loop on a database that grows, in long: test/integrations/stores/size.slow.test.ts is the short version.
 * `--rows=10000000` adds a size.
 */
import { startPostgres } from '../integrations/stores/postgres-server.js';
import { measureSize } from '../integrations/stores/size.js';
import { campaigns, takeNumbers } from './run-campaigns.js';

const asked = takeNumbers('rows');
const run = campaigns();
const server = await startPostgres({ settings: { max_wal_size: '8GB', shared_buffers: '512MB' } });

async function size(rows: number) {
  const report = await measureSize(server, { rows, added: 1_000, cycles: 5 });
  const { startMs, cycleRows, daysLeft, worstFlushMs } = report;
  const broken = [
    ...(startMs > 1_000 ? [`a start took ${startMs} ms`] : []),
    ...(cycleRows > 2_000 ? [`a cycle over 1,000 outcomes read ${cycleRows} rows`] : []),
    ...(daysLeft !== 31 ? [`${daysLeft} days are left`] : []),
    ...(worstFlushMs > 500 ? [`a flush took ${worstFlushMs} ms while a day was dropped`] : []),
  ];
  return { broken, ...report };
}

try {
  for (const rows of [30_000, 300_000, ...asked]) await run(`${rows} outcomes`, () => size(rows));
} finally {
  await server.stop();
}
