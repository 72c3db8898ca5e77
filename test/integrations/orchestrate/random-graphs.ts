import type { RunStep, TaskSpec, WorkerTask } from '../../../integrations/orchestrate/index.js';
import type { Random } from '../../../src/lib/random.js';

/** Random graph with the limits of its workers, and the tasks that fail. */
export interface RandomGraph {
  readonly tasks: readonly WorkerTask[];
  readonly concurrency: number;
  /** Tasks at the same time by worker; absent for functions. */
  readonly counts: Readonly<Record<string, number>>;
  readonly failing: ReadonlySet<string>;
}

export const WORKERS = ['red', 'green', 'blue'];

export function randomGraph(random: Random, most = 16): RandomGraph {
  const size = 1 + Math.floor(random() * most);
  const density = random();
  const names = Array.from({ length: size }, (_, at) => `t${at}`);
  const tasks = names.map((id, at): WorkerTask => {
    const after = names.slice(0, at).filter(() => random() < (density * 4) / size);
    return {
      ...{ id, worker: pick(WORKERS, random), priority: Math.floor(random() * 4) - 1, after },
      ...(random() < 0.25 && { afterFailure: 'run' as const }),
    };
  });
  // The order of the plan is not the order of the dependencies.
  const shuffled = tasks.map((task) => ({ task, at: random() })).sort((a, b) => a.at - b.at);
  return {
    tasks: shuffled.map(({ task }) => task),
    concurrency: 1 + Math.floor(random() * 4),
    counts: random() < 0.5 ? { red: 1 + Math.floor(random() * 2) } : {},
    failing: new Set(names.filter(() => random() < 0.1)),
  };
}

/**
 * Reads the steps of a run and returns the first broken rule: a task that begins before those it comes after, or although a
 * task that comes first was ready and had a free worker, or more tasks at the same time than allowed, or a wrong end.
 * Written without the code of the library. `isKilled` allows several processes to begin a task.
 */
export function brokenRule(graph: RandomGraph, steps: readonly RunStep[], isKilled = false): string | undefined {
  const { tasks, concurrency, counts, failing } = graph;
  const ended = new Map<string, string>();
  let running = new Map<string, WorkerTask>();
  const order = new Map(tasks.map((task, at) => [task.id, at]));
  const isReady = ({ id, after = [], afterFailure }: TaskSpec) =>
    !ended.has(id) &&
    !running.has(id) &&
    after.every((other) => (afterFailure === 'run' ? ended.has(other) : ended.get(other) === 'done'));
  const countOf = (worker: string) => [...running.values()].filter((task) => task.worker === worker).length;
  const isFree = (worker: string) => countOf(worker) < (counts[worker] ?? Number.POSITIVE_INFINITY);
  const comesFirst = (one: TaskSpec, other: TaskSpec) =>
    (one.priority ?? 0) > (other.priority ?? 0) ||
    (one.priority === other.priority && (order.get(one.id) ?? 0) < (order.get(other.id) ?? 0));
  for (const [at, step] of steps.entries()) {
    const say = (what: string) => `step ${at} (${JSON.stringify(step)}): ${what}`;
    if (step.kind === 'resumed') running = new Map();
    if (step.kind === 'began') {
      const task = tasks.find(({ id }) => id === step.task);
      if (!task || !isReady(task)) return say('the task is not ready');
      if (running.size >= concurrency) return say('more tasks than allowed');
      if (!isFree(task.worker)) return say(`more tasks of ${task.worker} than allowed`);
      const first = tasks.find((other) => isReady(other) && isFree(other.worker) && comesFirst(other, task));
      if (first) return say(`${first.id} comes first`);
      running.set(task.id, task);
    }
    if (step.kind === 'done' || step.kind === 'failed') {
      if (ended.has(step.task)) return say('it had ended');
      if (!running.delete(step.task)) return say('it was not running');
      if ((step.kind === 'failed') !== failing.has(step.task)) return say('a wrong end');
      ended.set(step.task, step.kind);
    }
    if (step.kind === 'skipped') {
      const task = tasks.find(({ id }) => id === step.task);
      if (ended.has(step.task) || running.has(step.task)) return say('it had begun');
      if (!task?.after?.includes(step.because) || (ended.get(step.because) ?? 'done') === 'done')
        return say('no reason');
      if (task.afterFailure === 'run') return say('it runs after a failure');
      ended.set(step.task, 'skipped');
    }
  }
  if (ended.size < tasks.length) return `${tasks.length - ended.size} tasks have not ended`;
  const begun = steps.flatMap((step) => (step.kind === 'began' ? [step.task] : []));
  if (!isKilled && new Set(begun).size < begun.length) return 'a task began twice';
  return undefined;
}

export function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[Math.floor(random() * items.length)] as Item; // never empty
}
