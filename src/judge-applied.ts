import { scopeCovers } from './policy.js';
import type { Fix, LedgerEntry, Outcome, TaskStatistics } from './records.js';
import type { Rooms } from './rooms.js';
import { placebo, type TimedEnd } from './verify/placebo.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Tasks that the time after the change should hold, and how long that may take. */
const TASKS_AFTER = 50;
const LONGEST_MS = 7 * DAY_MS;
/** How far back like moments are looked for, and how many ends are held for it. */
const BACK_MS = 60 * DAY_MS;
const MAX_ENDS = 500_000;

/**
 * Says of fixes that were put in force without a trial how far failures fell since, beside how far they fall by
 * themselves. It proves nothing and is not called so: the verdict is `unproven`.
 */
export async function judgeApplied(
  { ledger, store }: Pick<Rooms, 'ledger' | 'store'>,
  tasks: ReadonlyMap<string, TaskStatistics>,
  atMs: number,
): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for (const fix of ledger.state.fixes.values()) {
    const due = dueOf(fix, tasks.get(fix.task));
    if (!due || atMs < due.changedMs + due.windowMs) continue;
    const ends: TimedEnd[] = [];
    for await (const { record } of store.read('journal')) {
      if (record.kind === 'outcome' && isAbout(fix, record.outcome, due.changedMs - BACK_MS)) {
        ends.push({ atMs: record.outcome.atMs, success: record.outcome.success });
        if (ends.length >= MAX_ENDS) break;
      }
    }
    ends.sort((a, b) => a.atMs - b.atMs);
    const found = placebo(ends, due);
    // Too few tasks to say anything: there may be more of them later.
    if (found.observed === undefined && atMs < due.changedMs + LONGEST_MS) continue;
    const verdict = { kind: 'unproven', why: 'not-randomised', atMs, placebo: found } as const;
    const reason = 'in force for everybody, so it can only be compared with the past';
    entries.push({ kind: 'fix-moved', atMs, by: 'auto', fixId: fix.id, to: 'kept-unproven', reason, verdict });
  }
  return entries.length === 0 ? entries : ledger.append(() => entries);
}

/** Only what never was on trial, and was not judged yet. */
function dueOf(
  { status, trial, verdict, decision }: Fix,
  task: TaskStatistics | undefined,
): { readonly changedMs: number; readonly windowMs: number } | undefined {
  if (status !== 'kept-unproven' || trial || verdict || decision.kind !== 'approved') return undefined;
  const forTasks = task && task.perDay > 0 ? (TASKS_AFTER / task.perDay) * DAY_MS : LONGEST_MS;
  return { changedMs: decision.atMs, windowMs: Math.min(LONGEST_MS, Math.max(HOUR_MS, forTasks)) };
}

function isAbout({ change }: Fix, outcome: Outcome, sinceMs: number): boolean {
  return outcome.atMs >= sinceMs && scopeCovers(change.scope, outcome) && !outcome.issues.includes('cancelled');
}
