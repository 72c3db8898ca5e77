/**
 * Long runs: none of 1,000 simulated healthy ones is stopped by the default watch (`--count=N`, with `--from=N` those from this
 * number on, so that pieces add up), and 27 kinds of runaway end within a second after their limit. The long version of
 * test/integrations/oversee/healthy-runs.test.ts, overshoot.test.ts and runaways.slow.test.ts; `--healthy-runs`, `--overshoot`,
 * `--processes` and `--runaways` run one of them. Overshoot: what is paid above a limit, for each way to begin calls, each kind of price and limit.
 */
import { healthyRuns } from '../integrations/oversee/healthy-runs.js';
import { overshoot } from '../integrations/oversee/overshoot.js';
import { SHARED_USD, spentByProcesses } from '../integrations/oversee/spent-by-processes.js';
import { stopRunaways } from '../integrations/oversee/stop-runaways.js';
import { campaigns, takeNumbers } from './run-campaigns.js';

const [count = 1_000] = takeNumbers('count');
const [from = 0] = takeNumbers('from');
const run = campaigns();
await run('overshoot', () => overshoot(5));
await run('processes', async () => {
  const above = async (known: 'known' | 'unknown') =>
    Number(Math.max(0, (await spentByProcesses(known)) - SHARED_USD).toFixed(6));
  const [knownUsd, laterUsd] = [await above('known'), await above('unknown')];
  return { knownUsd, laterUsd, broken: knownUsd > 0 || laterUsd > 0.007 ? ['the shared limit was exceeded'] : [] };
});
await run('healthy-runs', () => healthyRuns(count, { from }));
if (process.platform === 'linux') await run('runaways', stopRunaways);
// Runaways that ignore their signal are still running: JavaScript cannot end them.
process.exit();
