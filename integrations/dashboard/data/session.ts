import { describeFix, type Outcome } from 'rsi-loop';
import type { SessionView } from '../session-views.js';
import { isInForce } from './in-force.js';
import { mostLike } from './like-session.js';
import { callsOf, sessionRow } from './session-row.js';
import type { DataSource, ViewParams } from './source.js';

const MAX_CALLS = 2_000;

/** Returns undefined for a session without an outcome among the newest ones. */
export async function sessionView(source: DataSource, { id = '' }: ViewParams): Promise<SessionView | undefined> {
  const { recent, patternsOf } = source;
  await recent.follow();
  const outcomes = [...callsOf(recent.ofSession(id))].sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
  if (outcomes.length === 0) return undefined;
  const calls = outcomes.slice(-MAX_CALLS);
  const patterns = calls.flatMap((call): [string, string][] => {
    const [pattern] = call.issues.length > 0 ? patternsOf(call) : [];
    return pattern === undefined ? [] : [[call.id, pattern]];
  });
  const row = sessionRow(id, outcomes);
  const [session = row] = await source.names.addTo([row]);
  const good = session.failures > 0 ? await mostLike(recent, id, outcomes) : undefined;
  return {
    session,
    calls,
    omitted: outcomes.length - calls.length,
    patterns: Object.fromEntries(patterns),
    advice: adviceOf(source, id, outcomes),
    ...(good && { good }),
  };
}

/** Returns the rules and versions that were on trial in the session, and those in force before it ended. */
function adviceOf({ loop, recent }: DataSource, id: string, outcomes: readonly Outcome[]): SessionView['advice'] {
  const arms = recent.armsOf(id);
  const tasks = new Set(outcomes.map(({ task }) => task));
  const lastMs = outcomes.at(-1)?.atMs ?? 0;
  return loop.fixes().flatMap((fix) => {
    const { change } = fix;
    // Rules, texts and skills: other fixes change settings.
    if (!('text' in change || 'hash' in change)) return [];
    const text = 'text' in change && !('version' in change) ? change.text : describeFix(loop, fix).title;
    const { scope } = change;
    const wasInForce = isInForce(fix) && fix.changedMs <= lastMs;
    const arm = arms.get(fix.id) ?? (wasInForce && concerns(scope.task, tasks) ? 'in-force' : undefined);
    return arm === undefined ? [] : [{ fixId: fix.id, text, arm }];
  });
}

function concerns(task: string | undefined, tasks: ReadonlySet<string>): boolean {
  return task === undefined || tasks.has(task);
}
