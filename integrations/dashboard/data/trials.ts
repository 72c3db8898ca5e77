import { trialBudget } from 'rsi-loop/parts';
import type { TrialsView } from '../fix-views.js';
import type { DataSource } from './source.js';
import { runningTrials, verdicts } from './trial-row.js';

export function trialsView(source: DataSource): TrialsView {
  const { budget, opened, confirmed, next } = trialBudget(source.loop);
  return { trials: [...runningTrials(source), ...verdicts(source)], alpha: { budget, opened, confirmed, next } };
}
