import type { FixStatus, HealthScore, Issue, Pattern, RSILoop } from 'rsi-loop';
import { type Period, periods, ranking } from 'rsi-loop/kit';
import { readFailedCycles } from 'rsi-loop/node';
import type { RuleFollowed } from 'rsi-loop/sources/agents';
import { followedOf } from './followed.js';
import type { StudySummary } from './studies.js';
import { type WaitingFix, waitingOf } from './waiting.js';
import { tasksToProof } from './words/sentences.js';
import type { Worsening } from './worse/find-worse.js';

/** Output of `rsi status --json`. Fields are added within a format, never changed or removed. */
export interface Status {
  readonly format: 'rsi-status/1';
  /** True if something needs a person: a decision waits, cycles fail, or the store has problems or cannot be read. */
  readonly attention: boolean;
  readonly health: HealthScore;
  /** Period that `health` and `patterns` cover. `unread` records of it were read by no cycle yet. */
  readonly period: { readonly sinceMs: number; readonly untilMs: number; readonly unread: number };
  readonly patterns: {
    /** Number of patterns of failures. */
    readonly found: number;
    /** Number of patterns of slow or costly successes. */
    readonly measures: number;
    /** Patterns that occurred often enough to be acted on. */
    readonly recurring: number;
    /** Number of failing tasks and issues: patterns that differ only in their wording count once. */
    readonly failing: number;
    /** Tasks and issues with the most impact, at most 3. `id` names the pattern of the costliest wording. */
    readonly worst: readonly Pick<Pattern, 'id' | 'task' | 'issue' | 'count' | 'rate' | 'trend'>[];
  };
  readonly trials: readonly TrialStatus[];
  /** Fixes that a person decides on. */
  readonly waiting: readonly WaitingFix[];
  /** Number of proposals that start automatically after a step in the program. */
  readonly forProgram: number;
  /** Number of changes that fit but that no trial can decide here. */
  readonly remarks: number;
  /** Studies of lines that have not ended. */
  readonly studies: readonly StudySummary[];
  /** Signals of coding agents that got worse in the last 30 days, as far as `rsi worse` has read. */
  readonly worse: readonly Worsening[];
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
  /** Estimated number of tasks to a proof; 0 while only side effects are checked, null without a first sign of help. */
  readonly moreTasks: number | null;
  /** How often the tasks or sessions that got a rule followed it, if their calls show it. */
  readonly followed?: RuleFollowed;
}

interface LoopCondition {
  /** Place of the records. `memory`: they end with the process, because it has no store or cannot read it. */
  readonly durability: 'store' | 'memory';
  /** Number of live processes that write records. */
  readonly processes: number;
  /** Time of the last cycle, epoch milliseconds; null if there was none. */
  readonly lastCycleMs: number | null;
  readonly frozen: { readonly by: string; readonly reason: string; readonly atMs: number } | null;
  readonly paused: { readonly by: string; readonly reason: string; readonly atMs: number } | null;
  /** Cycles that were cut short since the last complete one, and why. */
  readonly failedCycles: { readonly count: number; readonly sinceMs: number; readonly why: string } | null;
  /** Problems found while the folder was opened. */
  readonly problems: readonly string[];
}

const WORST = 3;
/** Entries at the end of the ledger that are searched for the last cycle. */
const LATEST = 200;

/** Other contents of the status, and the range to read. */
export interface StatusOptions extends Partial<Period> {
  /** Problems found while the folder was opened. */
  readonly problems: readonly string[];
  readonly studies?: readonly StudySummary[];
  readonly worse?: readonly Worsening[];
}

/** Reads the state of a loop. */
export async function readStatus(
  loop: RSILoop,
  { problems, studies = [], worse = [], ...range }: StatusOptions,
): Promise<Status> {
  const { patterns: all, health, sinceMs, untilMs, unread } = await periods.readPeriod(loop, range);
  const patterns = all.filter(({ kind }) => !ranking.isMeasure(kind));
  const groups = ranking.groupPatterns(patterns);
  const { fixes: waiting, forProgram, remarks } = waitingOf(loop);
  const { score, low, high, known } = health;
  const condition = await conditionOf(loop, problems);
  return {
    format: 'rsi-status/1',
    attention: waiting.length > 0 || problems.length > 0 || condition.failedCycles !== null || loop.hasLostStore,
    health: { score, low, high, known },
    period: { sinceMs, untilMs, unread },
    patterns: {
      found: patterns.length,
      measures: all.length - patterns.length,
      recurring: patterns.filter(({ recurring }) => recurring).length,
      failing: groups.length,
      worst: groups
        .slice(0, WORST)
        .map(ranking.totalOf)
        .map(({ first: { id, task, issue, trend }, count, rate }) => {
          return { id, task, issue, count, rate, trend };
        }),
    },
    trials: await runningTrials(loop),
    waiting,
    forProgram: forProgram.length,
    remarks: remarks.length,
    studies,
    worse,
    loop: condition,
  };
}

/** Returns the trials without a verdict, those with the most evidence first. */
async function runningTrials(loop: RSILoop): Promise<readonly TrialStatus[]> {
  const fixes = loop.fixes({ status: 'trial' }).filter(({ verdict }) => verdict === undefined);
  const follows = await followedOf(loop, fixes);
  return fixes
    .map(({ id, task, issue, status }) => {
      const figures = loop.verifier.figures(id);
      const { eHelp: evidence = null, needed = null } = figures ?? {};
      const followed = follows.get(id);
      const moreTasks = (figures && tasksToProof(figures)) ?? null;
      return { id, task, issue, status, evidence, needed, moreTasks, ...(followed && { followed }) };
    })
    .sort((one, other) => (other.evidence ?? 0) - (one.evidence ?? 0));
}

async function conditionOf(loop: RSILoop, problems: readonly string[]): Promise<LoopCondition> {
  const writers = await loop.store.coordination.writers();
  const failed = await readFailedCycles(loop.store.snapshots);
  return {
    durability: loop.durability,
    processes: writers.filter(({ alive }) => alive).length,
    lastCycleMs: (await lastCycleMs(loop)) ?? null,
    frozen: loop.frozen() ?? null,
    paused: loop.paused() ?? null,
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
