/** A pool of processes that share one store. Each worker records and reads settings; one process leads the cycles. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { RSILoop } from 'rsi-loop';

const WORKERS = 2;
const JOBS = 40;
const [worker] = process.argv.slice(2);
const loop = new RSILoop({ store: './rsi_data', source: worker ? `worker ${worker}` : 'pool' });
await loop.ready();

if (worker === undefined) {
  const workers = Array.from({ length: WORKERS }, (_, index) => fork(fileURLToPath(import.meta.url), [`${index}`]));
  await Promise.all(workers.map((child) => once(child, 'exit')));

  const { patterns } = await loop.runCycle();
  for (const { task, issue, count, rate, sources } of patterns) {
    console.log(`${task}: ${issue}, ${count} of ${rate.of}, from ${sources.length} workers`);
  }
} else {
  for (let job = 0; job < JOBS / WORKERS; job++) {
    const resize = async () => {
      if (job % 5 === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    await loop.run('resize_image', resize, { session: `batch ${worker}` }).catch(() => {});
  }
}
await loop.close(); // resolved: every record of this process is on disk
