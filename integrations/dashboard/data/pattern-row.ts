import type { Fix, Pattern } from 'rsi-loop';
import type { Timelines } from 'rsi-loop/kit';
import type { PatternRow, TimeAxis } from '../views.js';
import type { DataSource } from './source.js';

/** Buckets of the window that one point of a trend line adds up: 28 points of 6 hours for a window of 7 days. */
const WIDTH = 6;
const POINTS = 28;

/** Axis of the trend lines. The bucket that is still filling is left out. */
export function trendAxis({ sinceMs, stepMs }: Timelines): TimeAxis {
  return { sinceMs, stepMs: stepMs * WIDTH, buckets: POINTS };
}

/** Returns patterns as rows of a table. */
export function patternRows(
  { loop }: DataSource,
  patterns: readonly Pattern[],
  lines: Timelines,
): readonly PatternRow[] {
  const trends = lines.ofPatterns(new Set(patterns.map(({ id }) => id)), WIDTH);
  const fixes = newestFixes(loop.fixes());
  return patterns.map((pattern) => {
    const { id, kind, task, issue, template, count, episodes, rate, trend, recurring, impact, severity } = pattern;
    const fix = fixes.get(id);
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
      trendLine: (trends.get(id) ?? []).slice(0, POINTS),
      ...(fix && { fix: { id: fix.id, status: fix.status } }),
    };
  });
}

function newestFixes(fixes: readonly Fix[]): ReadonlyMap<string, Fix> {
  const newest = new Map<string, Fix>();
  for (const fix of fixes) {
    if ((newest.get(fix.patternId)?.changedMs ?? Number.NEGATIVE_INFINITY) < fix.changedMs)
      newest.set(fix.patternId, fix);
  }
  return newest;
}
