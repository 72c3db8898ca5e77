import { periods } from 'rsi-loop/kit';
import type { PatternsView } from '../views.js';
import { patternRows, trendAxis } from './pattern-row.js';
import type { DataSource } from './source.js';

export function patternsView(source: DataSource): PatternsView {
  const lines = periods.timelines(source.loop);
  return { patterns: patternRows(source, source.report.patterns, lines), axis: trendAxis(lines) };
}
