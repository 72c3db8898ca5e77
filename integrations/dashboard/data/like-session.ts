import type { Outcome } from 'rsi-loop';
import type { SessionView } from '../session-views.js';
import { Pauses } from './pauses.js';
import type { RecentOutcomes } from './recent-outcomes.js';
import { ASIDE, callsOf, MODEL_CALL, sessionRow } from './session-row.js';

/** Newest sessions that are looked at, and calls of the chosen one that are sent. */
const MAX_SESSIONS = 500;
const MAX_TASKS = 500;

/** Returns the session without a failure that has the most tasks in common with this one; undefined if none does. */
export async function mostLike(
  recent: RecentOutcomes,
  id: string,
  calls: readonly Outcome[],
): Promise<SessionView['good']> {
  const own = tasksOf(calls);
  const pauses = new Pauses();
  let best: { readonly id: string; readonly outcomes: readonly Outcome[]; readonly likeness: number } | undefined;
  for (const [other, all] of [...recent.sessions].slice(-MAX_SESSIONS)) {
    if (pauses.isDue) await pauses.take();
    if (other === id || all[0]?.source !== calls[0]?.source) continue;
    const outcomes = callsOf(all);
    if (sessionRow(other, outcomes).failures > 0) continue;
    const likeness = likenessOf(own, tasksOf(outcomes));
    if (likeness > (best?.likeness ?? 0)) best = { id: other, outcomes, likeness };
  }
  if (!best) return undefined;
  const sorted = [...best.outcomes].sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
  return {
    id: best.id,
    lastMs: sorted.at(-1)?.atMs ?? 0,
    tasks: sorted
      .filter(isStep)
      .slice(0, MAX_TASKS)
      .map(({ task }) => task),
  };
}

/** Answers of the model and findings about them are no steps to compare. */
function isStep({ task, tags }: Outcome): boolean {
  return task !== MODEL_CALL && tags?.includes(ASIDE) !== true;
}

function tasksOf(calls: readonly Outcome[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { task } of calls) counts.set(task, (counts.get(task) ?? 0) + 1);
  return counts;
}

/** Returns the share of the tasks of both that they have in common, 0 to 1. */
function likenessOf(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let common = 0;
  let all = 0;
  for (const task of new Set([...one.keys(), ...other.keys()])) {
    const [a, b] = [one.get(task) ?? 0, other.get(task) ?? 0];
    common += Math.min(a, b);
    all += Math.max(a, b);
  }
  return all === 0 ? 0 : common / all;
}
