import { betting } from 'rsi-loop/kit';
import { endedTrials, runningTrials } from '../../reports/trial-row.js';
import type { TrialsView } from '../fix-views.js';
import type { DataSource } from './source.js';

export function trialsView({ loop }: DataSource): TrialsView {
  const { budget, opened, confirmed, next } = betting.trialBudget(loop);
  return { trials: [...runningTrials(loop), ...endedTrials(loop)], alpha: { budget, opened, confirmed, next } };
}
