/** A host: `serve` does tasks, `run` has a run of two tasks. Then the address of the database, and the name of the host or the run. */
import { appendFileSync, existsSync } from 'node:fs';
import { orchestrate, type WorkerFunction } from '../../../integrations/orchestrate/index.js';
import { PgBossRuns } from '../../../integrations/stores/pg-boss/index.js';
import { RSILoop } from '../../../src/index.js';

const [, , kind = '', url = '', name = ''] = process.argv;
const runs = new PgBossRuns({ url, schema: 'hosts', lostMs: 1_000, pollMs: 50 });

/** Begins, and ends when the file `go` is there. */
const hold: WorkerFunction = async ({ run, id, signal }) => {
  appendFileSync('effects.log', `${name} began ${run} ${id}\n`);
  while (!existsSync('go') && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 20));
  return name;
};
const pay: WorkerFunction = async ({ spend }) => {
  await spend({ usd: 0.6 }, () => 'first');
  return spend({ usd: 0.6 }, () => 'second');
};
const tell: WorkerFunction = ({ send }) => send('other', 'hello');

if (kind === 'serve') {
  const served = await runs.serve({ hold, pay, tell }, { concurrency: 4 });
  console.log('serving');
  process.once('SIGTERM', () => void served.close().then(() => runs.close()));
} else {
  const loop = new RSILoop();
  const tasks = ['first', 'second'].map((id, at) => ({ id, worker: 'hold', after: at === 0 ? [] : ['first'] }));
  const run = orchestrate(loop, { id: name, store: runs, tasks, workers: { hold: runs.worker('hold') } });
  const end = await run.then(({ status }) => status, String);
  console.log(end);
  await Promise.all([runs.close(), loop.close()]);
}
