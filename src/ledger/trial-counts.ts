import type { Fix } from '../contract/fix.js';

/** Counts of all trials ever opened. Each may confirm a useless fix, so the budget it used is never returned. */
export interface TrialCounts {
  readonly opened: number;
  readonly confirmed: number;
  /** Opened trials by the failures they targeted. */
  readonly byFailures: ReadonlyMap<string, number>;
}

export const NO_TRIALS: TrialCounts = { opened: 0, confirmed: 0, byFailures: new Map() };

type About = Pick<Fix, 'task' | 'issue'>;

/** Returns the number of trials opened for the failures of one task and issue, regardless of their result. */
export function trialsFor({ byFailures }: TrialCounts, about: About): number {
  return byFailures.get(keyOf(about)) ?? 0;
}

export function withOpened(counts: TrialCounts, about: About): TrialCounts {
  const byFailures = new Map(counts.byFailures).set(keyOf(about), trialsFor(counts, about) + 1);
  return { ...counts, opened: counts.opened + 1, byFailures };
}

/** Returns the number of the next trial among all trials, and the counts its level depends on. */
export function nextPlace(counts: TrialCounts, about: About) {
  return { trial: counts.opened + 1, confirmed: counts.confirmed, attempt: trialsFor(counts, about) + 1 };
}

function keyOf({ task, issue }: About): string {
  return JSON.stringify([task, issue]);
}
