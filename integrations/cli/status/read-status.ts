import type { FixStatus, HealthScore, Issue, Pattern, RSILoop } from 'rsi-loop';
import { readFailedCycles } from 'rsi-loop/node';
import type { StudySummary } from '../../dashboard/data/studies.js';
import { fixesToReview } from '../fixes/review.js';

/** Output of `rsi status --json`. Fields are added within a format, never changed or removed. */
export interface Status {
  readonly format: 'rsi-status/1';
  /** True if something needs a person: a decision waits, cycles fail, or the store has problems. */
  readonly attention: boolean;
  readonly health: HealthScore;
  readonly patterns: {
    readonly found: number;
    /** Patterns that occurred often enough to be acted on. */
    readonly recurring: number;
    /** Patterns with the most impact, at most 3. */
    readonly worst: readonly Pick<Pattern, 'id' | 'task' | 'issue' | 'count' | 'rate' | 'trend'>[];
  };
  readonly trials: readonly TrialStatus[];
  readonly waiting: readonly FixName[];
  /** Studies of lines that have not ended. */
  readonly studies: readonly StudySummary[];
  readonly loop: LoopCondition;
}

interface FixName {
  readonly id: string;
  readonly task: string;
  readonly issue: Issue;
  readonly status: FixStatus;
}

/** Running trial. `evidence` and `needed` are e-values; null before the first task of the trial has ended. */
export interface TrialStatus extends FixName {
  readonly evidence: number | null;
  readonly needed: number | null;
}

interface LoopCondition {
  /** Number of live processes that write records. */
  readonly processes: number;
  /** Time of the last cycle, epoch milliseconds; null if there was none. */
  readonly lastCycleMs: number | null;
  readonly frozen: { readonly by: string; readonly reason: string; readonly atMs: number } | null;
  /** Cycles that were cut short since the last complete one, and why. */
  readonly failedCycles: { readonly count: number; readonly sinceMs: number; readonly why: string } | null;
  /** Problems found while the folder was opened. */
  readonly problems: readonly string[];
}

const WORST = 3;
/** Entries at the end of the ledger that are searched for the last cycle. */
const LATEST = 200;

/** Reads the state of a loop. `problems` are those found while its folder was opened. */
export async function readStatus(
  loop: RSILoop,
  problems: readonly string[],
  studies: readonly StudySummary[] = [],
): Promise<Status> {
  const patterns = loop.patterns();
  const waiting = fixesToReview(loop).map(({ id, task, issue, status }) => ({ id, task, issue, status }));
  const { score, low, high, known } = loop.health();
  const condition = await conditionOf(loop, problems);
  return {
    format: 'rsi-status/1',
    attention: waiting.length > 0 || problems.length > 0 || condition.failedCycles !== null,
    health: { score, low, high, known },
    patterns: {
      found: patterns.length,
      recurring: patterns.filter(({ recurring }) => recurring).length,
      worst: patterns.slice(0, WORST).map(({ id, task, issue, count, rate, trend }) => {
        return { id, task, issue, count, rate, trend };
      }),
    },
    trials: runningTrials(loop),
    waiting,
    studies,
    loop: condition,
  };
}

/** Returns the trials without a verdict, those with the most evidence first. */
function runningTrials(loop: RSILoop): readonly TrialStatus[] {
  return loop
    .fixes({ status: 'trial' })
    .filter(({ verdict }) => verdict === undefined)
    .map(({ id, task, issue, status }) => {
      const { eHelp: evidence = null, needed = null } = loop.verifier.figures(id) ?? {};
      return { id, task, issue, status, evidence, needed };
    })
    .sort((one, other) => (other.evidence ?? 0) - (one.evidence ?? 0));
}

async function conditionOf(loop: RSILoop, problems: readonly string[]): Promise<LoopCondition> {
  const writers = await loop.store.coordination.writers();
  const failed = await readFailedCycles(loop.store.snapshots);
  return {
    processes: writers.filter(({ alive }) => alive).length,
    lastCycleMs: (await lastCycleMs(loop)) ?? null,
    frozen: loop.frozen() ?? null,
    failedCycles: failed && failed.count > 0 ? { count: failed.count, sinceMs: failed.sinceMs, why: failed.why } : null,
    problems: [...problems],
  };
}

async function lastCycleMs({ store: { ledger } }: RSILoop): Promise<number | undefined> {
  const { length } = await ledger.head();
  let atMs: number | undefined;
  for await (const { entry } of ledger.read(Math.max(0, length - LATEST), length)) {
    if (entry.kind === 'cycle') atMs = entry.atMs;
  }
  return atMs;
}
