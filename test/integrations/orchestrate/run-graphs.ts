import {
  orchestrate,
  type RunStep,
  type TaskContext,
  type Worker,
  type WorkerPool,
} from '../../../integrations/orchestrate/index.js';
import { MemoryRunStore } from '../../../integrations/orchestrate/memory-run-store.js';
import { RSILoop } from '../../../src/index.js';
import type { Random } from '../../../src/lib/random.js';
import { seededRandom } from '../../../src/lib/random.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';
import { Life, MortalStore, NEVER } from './mortal-store.js';
import { brokenRule, type RandomGraph, randomGraph, WORKERS } from './random-graphs.js';

interface Effect {
  readonly task: string;
  readonly attempt: number;
  readonly key: string;
  /** Number of stored steps before it. */
  readonly at: number;
}

export interface GraphReport {
  readonly graphs: number;
  readonly tasks: number;
  readonly kills: number;
  /** Effects without a receipt: a kill came between. */
  readonly inDoubt: number;
  readonly broken: readonly string[];
  readonly [count: string]: unknown;
}

/**
 * Runs random graphs to their end, killed `kills` times on the way, and checks every rule. Each graph depends on `seed` and
 * its number alone: pieces with another `from` add up.
 */
export async function runGraphs(
  count: number,
  { seed = 1, from = 0, kills = 0, most = 16 } = {},
): Promise<GraphReport> {
  const loop = new RSILoop({ clock: new ManualClock(0) });
  const report = { graphs: 0, tasks: 0, kills: 0, inDoubt: 0 };
  const broken: string[] = [];
  for (; report.graphs < count; report.graphs++) {
    const number = from + report.graphs;
    const random = seededRandom(seed * 1_000_003 + number);
    const graph = randomGraph(random, most);
    const run = await runGraph(loop, graph, `g${number}`, random, kills);
    report.tasks += graph.tasks.length;
    report.kills += run.kills;
    report.inDoubt += run.inDoubt;
    const rule = brokenRule(graph, run.steps, kills > 0) ?? run.broken;
    if (rule !== undefined) broken.push(`graph ${number}: ${rule}`);
  }
  await loop.close();
  return { ...report, broken };
}

async function runGraph(loop: RSILoop, graph: RandomGraph, id: string, random: Random, most: number) {
  const store = new MemoryRunStore();
  const effects: Effect[] = [];
  let kills = 0;
  const total = 2 * (2 + 2 * graph.tasks.length);
  for (;;) {
    const life = new Life(kills < most ? Math.floor(random() * (total / most + 2)) : Number.POSITIVE_INFINITY);
    const isOver = await liveOn(loop, graph, id, { store, life, effects, random });
    if (isOver) break;
    kills++;
  }
  const steps = await store.load(id);
  return { steps, kills, ...checkEffects(steps, effects) };
}

interface LifeParts {
  readonly store: MemoryRunStore;
  readonly life: Life;
  readonly effects: Effect[];
  readonly random: Random;
}

/** Runs until the end or the death of the process. */
async function liveOn(loop: RSILoop, graph: RandomGraph, id: string, parts: LifeParts): Promise<boolean> {
  const { store, life, effects, random } = parts;
  const work = async ({ id: task, attempt, key }: TaskContext) => {
    for (let turns = Math.floor(random() * 4); turns > 0; turns--) await Promise.resolve();
    if (life.isDead) return NEVER;
    effects.push({ task, attempt, key, at: (await store.load(id)).length });
    for (let turns = Math.floor(random() * 4); turns > 0; turns--) await Promise.resolve();
    if (graph.failing.has(task)) throw new Error(`${task} fails`);
    return { done: task };
  };
  const workers = Object.fromEntries(
    WORKERS.map((name): [string, Worker] => {
      const count = graph.counts[name];
      if (count === undefined) return [name, work];
      const run = async (...[call, host]: Parameters<WorkerPool['run']>) => ({
        result: await work({ ...call, ...host }),
      });
      return [name, { count, run, close: async () => undefined }];
    }),
  );
  const { tasks, concurrency } = graph;
  let isOver = false;
  const result = orchestrate(loop, { id, tasks, workers, concurrency, store: new MortalStore(store, life) });
  void result.then(() => {
    isOver = true;
  });
  // A dead process never resolves.
  while (!isOver && !life.isDead) await new Promise((resolve) => setImmediate(resolve));
  if (life.isDead) return false;
  const { tasks: states } = await result;
  for (const { spec, result: value } of states.values()) {
    const state = states.get(spec.id);
    if (state?.status === 'done' && JSON.stringify(value) !== JSON.stringify({ done: spec.id }))
      throw new Error('lost');
  }
  return true;
}

/** Each receipt has exactly one effect, and none happens after it. */
function checkEffects(steps: readonly RunStep[], effects: readonly Effect[]) {
  let inDoubt = effects.length;
  for (const [at, step] of steps.entries()) {
    if (step.kind !== 'done') continue;
    const own = effects.filter(({ task }) => task === step.task);
    const counted = own.filter(({ attempt }) => attempt === step.attempt);
    inDoubt -= counted.length;
    const about = `${step.task}, attempt ${step.attempt}`;
    if (counted.length !== 1) return { inDoubt, broken: `${counted.length} effects of ${about}` };
    if (own.some((effect) => effect.at > at)) return { inDoubt, broken: `an effect after the receipt of ${about}` };
    if (new Set(own.map(({ key }) => key)).size !== 1) return { inDoubt, broken: `two keys of ${about}` };
  }
  const failed = steps.filter(({ kind }) => kind === 'failed').length;
  return { inDoubt: inDoubt - failed, broken: undefined };
}
