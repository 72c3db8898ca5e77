import { describe, expect, it } from 'vitest';
import { mergePolicy } from '../../src/contract/policy.js';
import { longestWait, planTrial } from '../../src/verify/plan.js';
import { trialOf } from './harness.js';

describe('longestWait', () => {
  it('adds up the back-offs that a policy really makes, not the longest one it would allow', () => {
    expect(longestWait(mergePolicy([]), [])).toBe(0);
    expect(longestWait(mergePolicy([{ 'retries.network': 1 }]), [])).toBe(200);
    expect(longestWait(mergePolicy([{ 'retries.overloaded': 3, 'retries.network': 1 }]), [])).toBe(200 + 400 + 800);
    const short = { 'retries.network': 3, 'backoff.baseMs': 100, 'backoff.maxMs': 150 };
    expect(longestWait(mergePolicy([short]), [])).toBe(100 + 150 + 150);
  });

  it('adds the resets that were announced, where the policy waits for them', () => {
    const waits = mergePolicy([{ 'retries.rate_limit': 2, 'limit.resetMs': 60_000 }]);
    expect(longestWait(waits, [500, 2_000])).toBe(2_000 + (200 + 2_000) + (400 + 2_000));
    expect(longestWait(waits, [3_600_000])).toBe(600);
    const only = mergePolicy([{ 'retries.rate_limit': 1, 'backoff.maxMs': 1_000 }]);
    expect(longestWait(only, [900])).toBe(200 + 900);
    expect(longestWait(only, [1_100])).toBe(200);
  });

  it('makes a block twice as long, and never shorter than a second', () => {
    const place = { trial: 1, confirmed: 0, attempt: 1 };
    const plan = { ...trialOf(), place, unit: 'block', nowMs: 0, tasksPerDay: 86_400_000 } as const;
    expect(planTrial({ ...plan, longestWaitMs: 4_000 }).blockMs).toBe(8_000);
    expect(planTrial({ ...plan, longestWaitMs: 0 }).blockMs).toBe(1_000);
  });
});
