import type { Fix, TrialFigures } from '../../records.js';

/** What a rule did in its trial and, as long as sessions are held back from it, since. */
export interface RuleCounters {
  /** Failed tasks it spared, compared with the sessions that went without it. */
  readonly helpful: number;
  /** Failed tasks it brought. One of the two is 0. */
  readonly harmful: number;
}

/** What it did for an agent of then counts half for the agent of 90 days later: models, prompts and tools have changed. */
const HALF_LIFE_MS = 90 * 24 * 3_600_000;

/** Failures with the rule, against as many as its tasks would have had at the rate of those without. */
export function ruleCounters({ fix, control }: Pick<TrialFigures, 'fix' | 'control'>): RuleCounters {
  const expected = control.tasks === 0 ? fix.failures : (control.failures / control.tasks) * fix.tasks;
  const spared = expected - fix.failures;
  return { helpful: Math.max(0, spared), harmful: Math.max(0, -spared) };
}

/** What a rule is worth when its section is full: what it spared, less with age; 0 where nothing was shown or known. */
export function worthOf(fix: Fix | undefined, nowMs: number): number {
  const { verdict, changedMs = nowMs } = fix ?? {};
  if (!verdict || !('figures' in verdict)) return 0;
  const { helpful, harmful } = ruleCounters(verdict.figures);
  return (helpful - harmful) * 0.5 ** (Math.max(0, nowMs - changedMs) / HALF_LIFE_MS);
}
