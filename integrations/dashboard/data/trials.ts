import { betting } from 'rsi-loop/kit';
import { endedTrials, runningTrials } from '../../reports/trial-row.js';
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
  const follows = await source.followed.of();
  const rows = trials.map((row) => {
    const followed = follows.get(row.fix.id);
    return followed ? { ...row, followed } : row;
  });
  return { trials: rows, alpha: { budget, opened, confirmed, next } };
}
