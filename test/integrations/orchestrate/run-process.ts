/**
 * Runs a random graph in a folder, and writes down each effect. Kills itself with SIGKILL at the n-th boundary: before and
 * after each step and each effect. 0 never does.
 */
import { appendFileSync } from 'node:fs';
import {
  orchestrate,
  RunFolder,
  type RunStep,
  type TaskContext,
  type WorkerPool,
} from '../../../integrations/orchestrate/index.js';
import { RSILoop } from '../../../src/index.js';
import { seededRandom } from '../../../src/lib/random.js';
import { randomGraph, WORKERS } from './random-graphs.js';

const [, , folder = '', seed = '1', killAt = '0'] = process.argv;
let boundaries = 0;

function boundary(): void {
  if (++boundaries === Number(killAt)) process.kill(process.pid, 'SIGKILL');
}

class KilledFolder extends RunFolder {
  override async add(run: string, step: RunStep): Promise<void> {
    boundary();
    await super.add(run, step);
    boundary();
  }
}

const graph = randomGraph(seededRandom(Number(seed)), 40);
const work = async ({ id, attempt, key }: TaskContext) => {
  boundary();
  appendFileSync(`${folder}/effects.log`, `${id} ${attempt} ${key}\n`);
  boundary();
  await new Promise((resolve) => setImmediate(resolve));
  if (graph.failing.has(id)) throw new Error(`${id} fails`);
  return { done: id };
};
const workers = Object.fromEntries(
  WORKERS.map((name) => {
    const run = async (...[call, host]: Parameters<WorkerPool['run']>) => ({
      result: await work({ ...call, ...host }),
    });
    const count = graph.counts[name];
    return [name, count === undefined ? work : { count, run, close: async () => undefined }];
  }),
);
const store = new KilledFolder(`${folder}/runs`);
const loop = new RSILoop();
const { tasks, concurrency } = graph;
const result = await orchestrate(loop, { id: 'r', tasks, workers, concurrency, store });
console.log(JSON.stringify([...result.tasks].map(([id, { status }]) => `${id} ${status}`)));
await Promise.all([store.close(), loop.close()]);
