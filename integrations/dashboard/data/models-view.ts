import { periods } from 'rsi-loop/kit';
import type { ModelsView } from '../views.js';
import type { DataSource } from './source.js';

export function modelsView({ loop, recent }: DataSource): ModelsView {
  const lines = periods.timelines(loop);
  const { sinceMs, stepMs, buckets } = lines;
  return {
    axis: { sinceMs, stepMs, buckets },
    rows: lines.ofModels().map((row) => ({ ...row, ...recent.spending.of(row) })),
  };
}
