import type { ModelsView } from '../views.js';
import type { DataSource } from './source.js';

export function modelsView({ lines, recent }: DataSource): ModelsView {
  const { sinceMs, stepMs, buckets } = lines;
  return {
    axis: { sinceMs, stepMs, buckets },
    rows: lines.ofModels().map((row) => ({ ...row, ...recent.spending.of(row) })),
  };
}
