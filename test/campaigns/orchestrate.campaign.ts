/**
 * Runs of tasks under load: the exact order in 10,000 random graphs, one effect for each receipt in 2,000 that are killed at
 * any step, and in processes that get kill -9 300 times; 20 nights of 200 tasks
 * with a server outage of five simulated minutes. The long version of test/integrations/orchestrate/*.slow.test.ts.
 * `--order`, `--simulated-kills`, `--outage` and `--real-kills` run one of them; with `--count=N` only so many graphs or kills, and with
 * `--from=N` those from this number on. So pieces add up.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { bundleProcess } from '../bundle-process.js';
import { killRuns } from '../integrations/orchestrate/kills.js';
import { outageNights } from '../integrations/orchestrate/outage.js';
import { runGraphs } from '../integrations/orchestrate/run-graphs.js';
import { campaigns, takeNumbers } from './run-campaigns.js';

const [count] = takeNumbers('count');
const [from = 0] = takeNumbers('from');
const run = campaigns();
await run('order', () => runGraphs(count ?? 10_000, { seed: 21, from }));
await run('simulated-kills', () => runGraphs(count ?? 2_000, { seed: 22, from, kills: 8 }));
await run('outage', () => outageNights(count ?? 20, { from }));
mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync(resolve('.tmp', 'orchestrate-'));
try {
  const program = await bundleProcess('test/integrations/orchestrate/run-process.ts', folder);
  await run('real-kills', () => killRuns(program, folder, count ?? 300, from));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
