import { addTo } from 'rsi-loop/kit';
import type { TaskSpec } from './task.js';

/** Returns the ids of tasks that wait for each other, with the first one repeated at the end. */
export function findCycle(tasks: ReadonlyMap<string, TaskSpec>): readonly string[] | undefined {
  const waitsFor = new Map<string, number>();
  const dependents = new Map<string, string[]>();
  for (const [id, { after = [] }] of tasks) {
    const inside = [...new Set(after)].filter((other) => tasks.has(other));
    waitsFor.set(id, inside.length);
    for (const other of inside) addTo(dependents, other, id);
  }
  endFree(waitsFor, dependents);
  let [at] = [...waitsFor].find(([, count]) => count > 0) ?? [];
  // Each task that is left waits for another one that is left, so this path closes.
  const path = new Set<string>();
  while (at !== undefined && !path.has(at)) {
    path.add(at);
    at = tasks.get(at)?.after?.find((other) => (waitsFor.get(other) ?? 0) > 0);
  }
  if (at === undefined) return undefined;
  const ids = [...path];
  return [...ids.slice(ids.indexOf(at)), at];
}

/** Counts down as if each task ended as soon as it waits for none. */
function endFree(waitsFor: Map<string, number>, dependents: ReadonlyMap<string, readonly string[]>): void {
  const free = [...waitsFor].flatMap(([id, count]) => (count === 0 ? [id] : []));
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    for (const dependent of dependents.get(id) ?? []) {
      const left = (waitsFor.get(dependent) ?? 0) - 1;
      waitsFor.set(dependent, left);
      if (left === 0) free.push(dependent);
    }
  }
}
