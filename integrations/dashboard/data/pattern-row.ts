import type { Fix, Pattern } from 'rsi-loop';
import { ranking, type Timelines } from 'rsi-loop/kit';
import { patternNotes } from '../../reports/pattern-notes.js';
import type { TimeAxis, WorstRow } from '../views.js';
import { Pauses } from './pauses.js';
import type { DataSource } from './source.js';
import type { PeriodSpread } from './spreads.js';

/** Buckets of the window that one point of a trend line adds up: 28 points of 6 hours for a window of 7 days. */
const WIDTH = 6;
const POINTS = 28;

/** Axis of the trend lines. The bucket that is still filling is left out. */
export function trendAxis({ sinceMs, stepMs }: Timelines): TimeAxis {
  return { sinceMs, stepMs: stepMs * WIDTH, buckets: POINTS };
}

/** Returns each group of patterns as one row. Without a spread, a row says nothing about sessions and facets. */
export async function patternRows(
  source: DataSource,
  groups: readonly (readonly Pattern[])[],
  spread?: PeriodSpread,
): Promise<readonly WorstRow[]> {
  const { loop, lines } = source;
  const trends = lines.ofPatterns(new Set(groups.flatMap((group) => group.map(({ id }) => id))), WIDTH);
  const fixes = newestFixes(loop.fixes());
  const notes = await patternNotes(loop);
  const byPattern: PeriodSpread['byPattern'] = spread?.byPattern ?? new Map();
  const rowOf = (group: readonly Pattern[]): WorstRow => {
    const { first: pattern, count, rate } = ranking.totalOf({ impact: 0, patterns: group });
    const { id, kind, task, issue, template, episodes, trend, recurring, impact, severity } = pattern;
    const fix = fixes.get(id);
    const own = notes.get(id);
    const sessions = new Set(group.flatMap((one) => [...(byPattern.get(one.id)?.sessions ?? [])]));
    return {
      id,
      kind,
      task,
      issue,
      template,
      count,
      episodes,
      rate,
      trend,
      recurring,
      impact,
      severity,
      where: pattern.where,
      sources: pattern.sources,
      firstSeenMs: pattern.firstSeenMs,
      lastSeenMs: pattern.lastSeenMs,
      trendLine: summed(group.map((one) => trends.get(one.id) ?? [])),
      sessions: sessions.size,
      facets: byPattern.get(id)?.facets ?? {},
      wordings: group.length,
      isMuted: own?.isMuted ?? false,
      ...(own?.assignee !== undefined && { assignee: own.assignee }),
      ...(fix && { fix: { id: fix.id, status: fix.status } }),
    };
  };
  const pauses = new Pauses();
  const rows: WorstRow[] = [];
  for (const group of groups) {
    if (pauses.isDue) await pauses.take();
    rows.push(rowOf(group));
  }
  return rows;
}

function summed(lines: readonly (readonly number[])[]): readonly number[] {
  return Array.from({ length: POINTS }, (_, at) => lines.reduce((sum, line) => sum + (line[at] ?? 0), 0));
}

function newestFixes(fixes: readonly Fix[]): ReadonlyMap<string, Fix> {
  const newest = new Map<string, Fix>();
  for (const fix of fixes) {
    if ((newest.get(fix.patternId)?.changedMs ?? Number.NEGATIVE_INFINITY) < fix.changedMs)
      newest.set(fix.patternId, fix);
  }
  return newest;
}
