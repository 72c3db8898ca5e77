import type { Fix } from '../contract/fix.js';
import type { Trial } from '../contract/trial.js';
import type { Verdict } from '../contract/verdict.js';

/** Counts of all trials ever opened. Each may confirm a useless fix, so each uses a part of one budget. */
export interface TrialCounts {
  readonly opened: number;
  readonly confirmed: number;
  /** Budget that running trials hold and that unconfirmed ones have used up. */
  readonly spent: number;
  /** Trials opened and not confirmed, running ones included. */
  readonly unconfirmed: number;
  /** Trials by the failures they targeted, opened since the last confirmation for these failures. */
  readonly byFailures: ReadonlyMap<string, number>;
}

export const NO_TRIALS: TrialCounts = { opened: 0, confirmed: 0, spent: 0, unconfirmed: 0, byFailures: new Map() };

type About = Pick<Fix, 'task' | 'issue'>;

/** Returns the number of trials opened for the failures of one task and issue since the last one that confirmed its fix. */
export function trialsFor({ byFailures }: TrialCounts, about: About): number {
  return byFailures.get(taskIssueKey(about)) ?? 0;
}

/** Returns the counts after a trial was opened, with its charge to the budget. */
export function withOpened(counts: TrialCounts, about: About, trial?: Trial): TrialCounts {
  const byFailures = new Map(counts.byFailures).set(taskIssueKey(about), trialsFor(counts, about) + 1);
  const { opened, spent, unconfirmed } = counts;
  return {
    ...counts,
    opened: opened + 1,
    unconfirmed: unconfirmed + 1,
    spent: spent + chargeOf(trial),
    byFailures,
  };
}

/**
 * Returns the counts after a fix was confirmed: its trial costs nothing, and the attempts on the rest of the failures
 * are counted from the start. The bound on false confirmations per failures holds between two confirmations.
 */
export function withConfirmed(counts: TrialCounts, trial: Trial | undefined, about?: About): TrialCounts {
  const spent = Math.max(0, counts.spent - chargeOf(trial));
  const byFailures = new Map(counts.byFailures);
  if (about) byFailures.delete(taskIssueKey(about));
  return { ...counts, spent, confirmed: counts.confirmed + 1, unconfirmed: counts.unconfirmed - 1, byFailures };
}

/** Returns the counts after a trial ended without a confirmation: its capital goes back to the budget, up to its charge. */
export function withEnded(counts: TrialCounts, trial: Trial | undefined, verdict: Verdict | undefined): TrialCounts {
  const eHelp = verdict && 'figures' in verdict ? verdict.figures.eHelp : 0;
  return { ...counts, spent: Math.max(0, counts.spent - chargeOf(trial) * Math.min(1, eHelp)) };
}

/** Returns the number of the next trial among all trials, and the counts its level depends on. */
export function nextPlace(counts: TrialCounts, about: About) {
  const { opened, confirmed, spent, unconfirmed } = counts;
  return { trial: opened + 1, confirmed, attempt: trialsFor(counts, about) + 1, spent, unconfirmed };
}

/** Returns the budget that a trial holds while it runs. `levelOf` says why this much. */
function chargeOf(trial: Trial | undefined): number {
  return trial ? trial.alpha / (1 - trial.alpha) : 0;
}

function taskIssueKey({ task, issue }: About): string {
  return JSON.stringify([task, issue]);
}
