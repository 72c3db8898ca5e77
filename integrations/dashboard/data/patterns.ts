import type { PatternsView } from '../views.js';
import { patternRows, trendAxis } from './pattern-row.js';
import type { DataSource } from './source.js';

export async function patternsView(source: DataSource): Promise<PatternsView> {
  const spread = await source.spreads.of(source);
  const each = source.patterns.map((pattern) => [pattern]);
  const rows = await patternRows(source, each, spread);
  return {
    patterns: rows.map(({ wordings: _, ...row }) => row),
    sessions: spread.sessions,
    all: spread.all,
    axis: trendAxis(source.lines),
  };
}
