/** Serves the tasks of the example with 50 tasks, or runs them: `serve` or `run`, and the address of the database. */
import { tasks, workers } from '../../../examples/orchestrate-resume.js';
import { orchestrate } from '../../../integrations/orchestrate/index.js';
import { PgBossRuns } from '../../../integrations/stores/pg-boss/index.js';
import { RSILoop } from '../../../src/index.js';

const [, , kind = '', url = ''] = process.argv;
const runs = new PgBossRuns({ url, schema: 'book', lostMs: 1_000, pollMs: 20 });
if (kind === 'serve') {
  const served = await runs.serve(workers, { concurrency: 2 });
  process.once('SIGTERM', () => void served.close().then(() => runs.close()));
} else {
  // An attempt whose machine was lost may be made again.
  const loop = new RSILoop({ idempotent: true, policy: { 'retries.network': 3, 'backoff.baseMs': 100 } });
  const names = Object.keys(workers);
  const remote = Object.fromEntries(names.map((name) => [name, runs.worker(name, { count: 4 })]));
  const { status, tasks: ends } = await orchestrate(loop, {
    ...{ id: 'book', store: runs, tasks, workers: remote, concurrency: 4 },
    onStep: (step, { counts }) => {
      if (step.kind === 'done') console.log(`done: ${counts.done} of 50`);
    },
  });
  for (const [id, { error }] of ends) if (error !== undefined) console.error(`${id}: ${error}`);
  console.log(`${status}: ${ends.get('book')?.result} pages`);
  await Promise.all([runs.close(), loop.close()]);
}
