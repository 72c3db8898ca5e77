import type { Fix } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { Journal } from '../contract/journal.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { Outcome } from '../contract/outcome.js';
import { scopeCovers } from '../contract/scope.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import type { Verdict } from '../contract/verdict.js';
import type { Ledger } from '../ledger/ledger.js';
import type { LedgerState } from '../ledger/reduce.js';
import type { ClockWatch } from '../lib/clock-watch.js';
import { messageOf } from '../lib/text.js';
import type { Report } from '../run/problem.js';
import { placebo, type TimedEnd } from '../verify/placebo.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Number of tasks that the time after the change should contain, and the longest time to wait for them. */
const TASKS_AFTER = 50;
const LONGEST_MS = 7 * DAY_MS;
/** How far back to search for comparable moments, and the maximum number of outcomes to hold for it. */
const BACK_MS = 60 * DAY_MS;
const MAX_ENDS = 500_000;

interface AssessContext {
  readonly ledger: Ledger;
  readonly store: { readonly journal: Journal };
  readonly report: Report;
  readonly clockWatch: Pick<ClockWatch, 'aheadSince'>;
}

interface AssessInputs extends Pick<AssessContext, 'clockWatch'> {
  readonly journal: Journal;
  readonly tasks: Tasks;
  readonly atMs: number;
}

type Tasks = ReadonlyMap<string, TaskStatistics>;

/**
 * Compares the failures after a fix that was applied without a trial with the usual drop in failures.
 * This is not proof, so the verdict is always `inconclusive`.
 */
export class AppliedFixes {
  /** Time of the next attempt for fixes with too little data so far. Each attempt reads the journal. */
  readonly #againMs = new Map<FixId, number>();

  async assess({ ledger, store, report, clockWatch }: AssessContext, tasks: Tasks, atMs: number): Promise<void> {
    const entries: Extract<LedgerEntry, { kind: 'fix-moved' }>[] = [];
    for (const fix of ledger.state.active.values()) {
      try {
        const verdict = await this.#verdictOf(fix, { journal: store.journal, tasks, atMs, clockWatch });
        const reason = 'in force for everybody, so it can only be compared with the past';
        if (verdict) {
          entries.push({
            kind: 'fix-moved',
            atMs,
            by: 'auto',
            fixId: fix.id,
            to: 'applied-unverified',
            reason,
            verdict,
          });
        }
      } catch (error) {
        report({ where: 'cycle', message: `fix ${fix.id} could not be compared with the past: ${messageOf(error)}` });
      }
    }
    // Reading takes time, and a person may have decided on a fix meanwhile.
    if (entries.length > 0) await ledger.appendLegal(({ fixes }) => entries.filter((entry) => isKept(entry, fixes)));
  }

  /** Returns the verdict on a fix that was applied without a trial, once there is enough data. */
  async #verdictOf(fix: Fix, { journal, tasks, atMs, clockWatch }: AssessInputs): Promise<Verdict | undefined> {
    const due = dueOf(fix, tasks.get(fix.task));
    if (!due) return undefined;
    const passedMs = atMs - clockWatch.aheadSince(due.changedMs);
    if (passedMs < (this.#againMs.get(fix.id) ?? due.changedMs + due.windowMs)) return undefined;
    const found = placebo(await endsOf(fix, journal, due.changedMs - BACK_MS), due);
    if (found.observed === undefined && passedMs < due.changedMs + LONGEST_MS) {
      this.#againMs.set(fix.id, passedMs + due.windowMs / 4);
      return undefined;
    }
    this.#againMs.delete(fix.id);
    return { kind: 'inconclusive', why: 'not-randomised', atMs, placebo: found };
  }
}

function isKept({ fixId }: { readonly fixId: FixId }, fixes: LedgerState['fixes']): boolean {
  return fixes.get(fixId)?.status === 'applied-unverified';
}

async function endsOf(fix: Fix, journal: Journal, sinceMs: number): Promise<readonly TimedEnd[]> {
  const ends: TimedEnd[] = [];
  for await (const { record } of journal.read()) {
    if (record.kind !== 'outcome' || !isAbout(fix, record.outcome, sinceMs)) continue;
    ends.push({ atMs: record.outcome.atMs, success: record.outcome.success });
    if (ends.length >= MAX_ENDS) break;
  }
  return ends.sort((a, b) => a.atMs - b.atMs);
}

/** Returns the time span to compare; undefined for fixes that had a trial or already have a verdict. */
function dueOf(
  { status, trial, verdict, decision }: Fix,
  task: TaskStatistics | undefined,
): { readonly changedMs: number; readonly windowMs: number } | undefined {
  if (status !== 'applied-unverified' || trial || verdict || decision.kind !== 'approved') return undefined;
  const forTasks = task && task.perDay > 0 ? (TASKS_AFTER / task.perDay) * DAY_MS : LONGEST_MS;
  return { changedMs: decision.atMs, windowMs: Math.min(LONGEST_MS, Math.max(HOUR_MS, forTasks)) };
}

function isAbout({ change }: Fix, outcome: Outcome, sinceMs: number): boolean {
  return outcome.atMs >= sinceMs && scopeCovers(change.scope, outcome) && !outcome.issues.includes('cancelled');
}
