import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { RSILoop } from 'rsi-loop';
import { orchestrate, type TaskSpec, type WorkerFunction } from 'rsi-loop/orchestrate';

// 50 tasks: 46 pages for three workers, three chapters, and a book. Kill the program at any moment and start it again.
const PAGES = 46;
const pages = Array.from({ length: PAGES }, (_, at) => ({
  id: `page-${at}`,
  worker: ['fetch', 'scan', 'translate'][at % 3] ?? 'fetch',
  input: at,
}));
const chapters = [0, 1, 2].map((chapter) => ({
  id: `chapter-${chapter}`,
  worker: 'write',
  after: pages.filter(({ input }) => input % 3 === chapter).map(({ id }) => id),
  priority: 1,
}));
const book = { id: 'book', worker: 'write', after: chapters.map(({ id }) => id) };
export const tasks: readonly TaskSpec[] = [...pages, ...chapters, book];

/** Does the work of a task, and writes down that it happened. A real service would get `key` as idempotency key. */
const work: WorkerFunction = async ({ id, key, results }) => {
  await wait(10);
  appendFileSync('effects.log', `${id} ${key}\n`);
  return Object.values(results).reduce<number>((sum, pagesBefore) => sum + Number(pagesBefore), 0) || 1;
};
export const workers = { fetch: work, scan: work, translate: work, write: work };

/** Runs the book to its end, or continues it. */
export async function run(): Promise<void> {
  const loop = new RSILoop();
  const { status, tasks: ended } = await orchestrate(loop, {
    ...{ id: 'book', folder: './rsi_runs', tasks, workers, concurrency: 4 },
    onStep: (step, { counts }) => {
      if (step.kind === 'done' || step.kind === 'resumed') console.log(`${step.kind}: ${counts.done} of 50`);
    },
  });
  console.log(`${status}: ${ended.get('book')?.result} pages`);
  await loop.close();
}
