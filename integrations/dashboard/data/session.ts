import type { FixStatus, Outcome } from 'rsi-loop';
import { patternsOf } from 'rsi-loop/parts';
import type { SessionView } from '../views.js';
import { callsOf, sessionRow } from './session-row.js';
import type { DataSource, ViewParams } from './source.js';

const MAX_CALLS = 2_000;
const IN_FORCE: readonly FixStatus[] = ['confirmed', 'applied-unverified', 'reopened'];

/** Returns undefined for a session without an outcome among the newest ones. */
export async function sessionView(source: DataSource, { id = '' }: ViewParams): Promise<SessionView | undefined> {
  const { loop, recent } = source;
  await recent.follow();
  const outcomes = [...callsOf(recent.ofSession(id))].sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
  if (outcomes.length === 0) return undefined;
  const calls = outcomes.slice(-MAX_CALLS);
  const patterns = calls.flatMap((call): [string, string][] => {
    const [pattern] = call.issues.length > 0 ? patternsOf(loop, call) : [];
    return pattern === undefined ? [] : [[call.id, pattern]];
  });
  return {
    session: sessionRow(id, outcomes),
    calls,
    omitted: outcomes.length - calls.length,
    patterns: Object.fromEntries(patterns),
    advice: adviceOf(source, id, outcomes),
  };
}

/** Returns the rules that were on trial in the session, and those in force before it ended. */
function adviceOf({ loop, recent }: DataSource, id: string, outcomes: readonly Outcome[]): SessionView['advice'] {
  const arms = recent.armsOf(id);
  const tasks = new Set(outcomes.map(({ task }) => task));
  const lastMs = outcomes.at(-1)?.atMs ?? 0;
  return loop.fixes({ kind: 'rule' }).flatMap(({ id: fixId, change, status, changedMs }) => {
    const drawn = arms.get(fixId);
    const isInForce = IN_FORCE.includes(status) && changedMs <= lastMs;
    const arm = drawn ?? (isInForce && concerns(change.scope.task, tasks) ? 'in-force' : undefined);
    return arm === undefined ? [] : [{ fixId, text: change.text, arm }];
  });
}

function concerns(task: string | undefined, tasks: ReadonlySet<string>): boolean {
  return task === undefined || tasks.has(task);
}
