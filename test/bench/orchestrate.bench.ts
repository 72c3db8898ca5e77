/**
 * Scheduling of 10,000 tasks: processor time per task beside the bare calls of `loop.run`, for four shapes of graphs, steps in
 * memory and on disk; and the memory over many runs. Aims: at most 0.1 ms per task, flat memory. Exits 1 above.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orchestrate, type TaskSpec } from '../../integrations/orchestrate/index.js';
import { RSILoop } from '../../src/index.js';

const COUNT = 10_000;
const MOST_MS = 0.1;
/** Growth of the heap from the third to the last of the runs, in megabytes. */
const MOST_MB = 10;
const RUNS = 12;

const loop = new RSILoop();
const worker = () => 'done';
const task = (id: number, after: readonly number[] = []): TaskSpec => ({
  ...{ id: `t${id}`, worker: 'work', priority: (id * 7_919) % 5, after: after.map((other) => `t${other}`) },
});
const all = Array.from({ length: COUNT }, (_, at) => at);
const SHAPES: Readonly<Record<string, readonly TaskSpec[]>> = {
  'no dependencies': all.map((id) => task(id)),
  'one chain': all.map((id) => task(id, id === 0 ? [] : [id - 1])),
  'fan out, fan in': all.map((id) => task(id, id === 0 ? [] : id === COUNT - 1 ? all.slice(1, -1) : [0])),
  'layers of 100': all.map((id) => task(id, id < 100 ? [] : [id - 100, id - 100 + ((id * 13) % 100) - (id % 100)])),
};

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function bare(): Promise<void> {
  for (const _ of all) await loop.run('work', worker);
}

async function run(tasks: readonly TaskSpec[], folder?: string): Promise<void> {
  const where = folder === undefined ? {} : { folder };
  const { status } = await orchestrate(loop, { tasks, workers: { work: worker }, ...where });
  if (status !== 'done') throw new Error(status);
}

let missed = false;
await bare();
const bareMs = await milliseconds(bare);
console.log(`bare loop.run                ${(bareMs / COUNT).toFixed(3)} ms per task`);
for (const [name, tasks] of Object.entries(SHAPES)) {
  await run(tasks);
  const ms = (await milliseconds(() => run(tasks))) / COUNT;
  missed ||= ms > MOST_MS;
  console.log(`${name.padEnd(28)} ${ms.toFixed(3)} ms per task with loop.run (aim ${MOST_MS})`);
}
const folder = mkdtempSync(join(tmpdir(), 'rsi-orchestrate-'));
const onDisk = (await milliseconds(() => run(SHAPES['no dependencies'] ?? [], folder))) / COUNT;
console.log(`steps on disk                ${onDisk.toFixed(3)} ms of processor time per task`);
rmSync(folder, { recursive: true });

// The loop keeps outcomes too, up to its own limits.
for (let at = 0; at < RUNS; at++) await bare();
const heaps: number[] = [];
for (let at = 0; at < RUNS; at++) {
  await run(SHAPES['layers of 100'] ?? []);
  globalThis.gc?.();
  heaps.push(process.memoryUsage().heapUsed / 1e6);
}
const grown = Math.min(...heaps.slice(-3)) - Math.min(...heaps.slice(2, 5));
missed ||= grown > MOST_MB;
console.log(
  `heap after ${RUNS} runs           ${heaps.at(-1)?.toFixed(0)} MB, ${grown.toFixed(1)} MB more (aim ${MOST_MB})`,
);
await loop.close();
process.exitCode = missed ? 1 : 0;
