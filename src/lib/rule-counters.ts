import type { RuleCounters } from '../contract/trial.js';

/** Half-life of a rule's counters, 90 days, because models, prompts and tools change over time. */
export const COUNTERS_HALF_LIFE_MS = 90 * 24 * 3_600_000;

/** Returns the counters decayed to a later time. An earlier time has no effect. */
export function laterCounters({ helpful, harmful, atMs }: RuleCounters, nowMs: number): RuleCounters {
  const left = 0.5 ** (Math.max(0, nowMs - atMs) / COUNTERS_HALF_LIFE_MS);
  return { helpful: helpful * left, harmful: harmful * left, atMs: Math.max(atMs, nowMs) };
}
