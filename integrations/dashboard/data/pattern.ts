import { timelines } from 'rsi-loop';
import type { PatternView } from '../views.js';
import { fixRow } from './fix-row.js';
import { markersSince } from './overview.js';
import type { DataSource, ViewParams } from './source.js';

/** Returns undefined for a pattern that was not seen in the window. */
export function patternView(source: DataSource, { id }: ViewParams): PatternView | undefined {
  const { loop, report, recent } = source;
  const pattern = report.patterns.find((one) => one.id === id);
  if (!pattern) return undefined;
  const lines = timelines(loop);
  const titles = new Map(report.patterns.map((one) => [one.id, `${one.task}: ${one.template}`]));
  return {
    pattern,
    axis: { sinceMs: lines.sinceMs, stepMs: lines.stepMs, buckets: lines.buckets },
    ...(lines.ofPattern(pattern.id) ?? { occurrences: [], tasks: [] }),
    markers: markersSince(loop.healthHistory(), lines.sinceMs),
    examples: [],
    cause: pattern.rootCause,
    related: pattern.related.map(({ patternId, lift, q, lagMs, name }) => ({
      id: patternId,
      title: titles.get(patternId) ?? patternId,
      lift,
      q,
      lagMs,
      ...(name !== undefined && { name }),
    })),
    fixes: loop
      .fixes({ task: pattern.task })
      .filter(({ patternId }) => patternId === pattern.id)
      .map((fix) => fixRow(loop, fix)),
    sessions: [],
    outcomes: [],
    searched: recent.size,
  };
}
