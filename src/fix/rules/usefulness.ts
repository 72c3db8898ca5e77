import type { Fix } from '../../contract/fix.js';
import type { RuleCounters } from '../../contract/trial.js';
import type { TrialFigures } from '../../contract/verdict.js';
import { laterCounters } from '../../lib/rule-counters.js';

/**
 * What a rule did, as it counts now: in its trial and in the hold-back since, as `figures` say, or where neither is open any
 * more as its verdict says. Undefined where it was never compared with sessions that went without it.
 */
export function ruleCounters(
  { verdict }: Pick<Fix, 'verdict'>,
  figures: TrialFigures | undefined,
  nowMs: number,
): RuleCounters | undefined {
  const counters = (figures ?? (verdict && 'figures' in verdict ? verdict.figures : undefined))?.counters;
  return counters && laterCounters(counters, nowMs);
}

/** What a rule is worth when its section is full: what it spared less what it brought; 0 where nothing is known. */
export function worthOf(counters: RuleCounters | undefined): number {
  return counters ? counters.helpful - counters.harmful : 0;
}
