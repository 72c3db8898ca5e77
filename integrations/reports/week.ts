import type { Issue, RSILoop } from 'rsi-loop';
import { periods, ranking } from 'rsi-loop/kit';
import type { StudySummary } from './studies.js';
import { waitingOf } from './waiting.js';
import type { Worsening } from './worse/find-worse.js';

const WEEK_MS = 7 * 86_400_000;
const MOST = 3;

/** Failing task of a week, and what its failures cost. */
interface WeekFailure {
  readonly task: string;
  readonly issue: Issue;
  readonly count: number;
  readonly of: number;
}

/** Verdict of a trial that ended in the week. */
interface WeekVerdict {
  readonly id: string;
  readonly task: string;
  readonly issue: Issue;
  readonly helps: boolean;
}

/** Decision that a person should make next. */
export type WeekDecision =
  | { readonly kind: 'fix'; readonly id: string; readonly task: string; readonly issue: Issue }
  | { readonly kind: 'lines'; readonly name: string; readonly harms: number }
  | { readonly kind: 'worse'; readonly worsening: Worsening };

/** Document of `rsi status --week`. */
export interface Week {
  readonly format: 'rsi-week/1';
  readonly sinceMs: number;
  readonly untilMs: number;
  /** The most costly failures, at most 3, and the number of all failures. */
  readonly worst: readonly WeekFailure[];
  readonly failures: number;
  /** Time and money of the failed calls, as far as they are recorded. */
  readonly lostMs: number;
  readonly lostUsd: number;
  readonly verdicts: readonly WeekVerdict[];
  /** Lines, skills and tools in running studies that are known to help or to harm. */
  readonly lines: { readonly helps: number; readonly harms: number };
  readonly worse: readonly Worsening[];
  /** One thing to decide; null if nothing waits. */
  readonly decide: WeekDecision | null;
}

/** Reads the week before `nowMs`. */
export async function readWeek(
  loop: RSILoop,
  {
    nowMs,
    studies,
    worse,
  }: { readonly nowMs: number; readonly studies: readonly StudySummary[]; readonly worse: readonly Worsening[] },
): Promise<Week> {
  const sinceMs = nowMs - WEEK_MS;
  const { patterns: all } = await periods.readPeriod(loop, { sinceMs, untilMs: nowMs });
  const patterns = all.filter(({ kind }) => !ranking.isMeasure(kind));
  const sum = (value: (pattern: (typeof patterns)[number]) => number) =>
    patterns.reduce((to, one) => to + value(one), 0);
  const verdicts = loop.fixes().flatMap(({ id, task, issue, verdict, status }) => {
    if (!verdict || verdict.atMs < sinceMs) return [];
    return [{ id, task, issue, helps: status === 'confirmed' }];
  });
  const recent = worse.filter(({ noticedMs }) => noticedMs >= sinceMs);
  return {
    format: 'rsi-week/1',
    sinceMs,
    untilMs: nowMs,
    worst: ranking
      .groupPatterns(patterns)
      .slice(0, MOST)
      .map(ranking.totalOf)
      .map(({ first: { task, issue }, count, rate }) => ({ task, issue, count, of: rate.of })),
    failures: sum(({ count }) => count),
    lostMs: sum(({ impact }) => impact.lostMs),
    lostUsd: sum(({ impact }) => impact.lostUsd),
    verdicts,
    lines: {
      helps: studies.reduce((to, { helps }) => to + helps, 0),
      harms: studies.reduce((to, { harms }) => to + harms, 0),
    },
    worse: recent,
    decide: decisionOf(loop, studies, recent),
  };
}

/** A change for the worse costs every day, a waiting fix may, and a line that harms is left out already. */
function decisionOf(
  loop: RSILoop,
  studies: readonly StudySummary[],
  [worsening]: readonly Worsening[],
): WeekDecision | null {
  if (worsening) return { kind: 'worse', worsening };
  const [fix] = waitingOf(loop).fixes;
  if (fix) return { kind: 'fix', id: fix.id, task: fix.task, issue: fix.issue };
  const study = studies.find(({ harms }) => harms > 0);
  return study ? { kind: 'lines', name: study.name, harms: study.harms } : null;
}
