import type { RuleCounters } from '../contract/trial.js';

/** What a rule did for an agent of then counts half for the agent of 90 days later: models, prompts and tools have changed. */
export const COUNTERS_HALF_LIFE_MS = 90 * 24 * 3_600_000;

/** The same counters at a later time; never at an earlier one. */
export function laterCounters({ helpful, harmful, atMs }: RuleCounters, nowMs: number): RuleCounters {
  const left = 0.5 ** (Math.max(0, nowMs - atMs) / COUNTERS_HALF_LIFE_MS);
  return { helpful: helpful * left, harmful: harmful * left, atMs: Math.max(atMs, nowMs) };
}
