import type { Fix } from '../../contract/fix.js';
import type { RuleCounters } from '../../contract/trial.js';
import type { TrialFigures } from '../../contract/verdict.js';
import { laterCounters } from '../../lib/rule-counters.js';

/**
 * Returns the current counters of a rule: from `figures` of its trial or holdout, or from its verdict if neither is
 * open.
 * Returns `undefined` if it was never compared with sessions that went without it.
 */
export function ruleCounters(
  { verdict }: Pick<Fix, 'verdict'>,
  figures: TrialFigures | undefined,
  nowMs: number,
): RuleCounters | undefined {
  const counters = (figures ?? (verdict && 'figures' in verdict ? verdict.figures : undefined))?.counters;
  return counters && laterCounters(counters, nowMs);
}

/** Returns the value of a rule when its section is full: helpful minus harmful counts; 0 if unknown. */
export function usefulnessOf(counters: RuleCounters | undefined): number {
  return counters ? counters.helpful - counters.harmful : 0;
}
