import { betting } from 'rsi-loop/kit';
import { endedTrials, runningTrials, withFollowed } from '../../reports/trial-row.js';
import type { TrialsView } from '../fix-views.js';
import { inPeriod } from './chosen-period.js';
import type { DataSource, ViewParams } from './source.js';

/** Returns the trials that ran in the chosen time. */
export async function trialsView(source: DataSource, { range }: ViewParams): Promise<TrialsView> {
  const { loop, nowMs } = source;
  const { budget, opened, confirmed, next } = betting.trialBudget(loop);
  const isShown = inPeriod(source, range);
  const trials = [...runningTrials(loop), ...endedTrials(loop)].filter(({ startedMs, verdict, ended }) =>
    isShown({ sinceMs: startedMs, untilMs: verdict?.atMs ?? ended?.atMs ?? nowMs }),
  );
  return { trials: await withFollowed(loop, trials), alpha: { budget, opened, confirmed, next } };
}
