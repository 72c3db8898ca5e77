import { describe, expect, it } from 'vitest';
import { mergePolicy } from '../../src/contract/policy.js';
import { longestWait, planTrial, unitFor } from '../../src/verify/plan.js';
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

  it('makes a block long enough for callers that learn an unannounced pace', () => {
    const place = { trial: 1, confirmed: 0, attempt: 1 };
    const plan = { ...trialOf(), place, unit: 'block', nowMs: 0, tasksPerDay: 86_400_000 } as const;
    const waits = { ...plan, set: { 'limit.resetMs': 60_000 } };
    expect(planTrial({ ...waits, longestWaitMs: 600 }).blockMs).toBe(660_000);
    expect(planTrial({ ...waits, longestWaitMs: 600, priceMs: 20_000 }).blockMs).toBe(220_000);
    expect(planTrial({ ...waits, longestWaitMs: 90_000 }).blockMs).toBe(180_000);
  });
});

describe('the unit of a trial', () => {
  it.for([
    ['rate_limit', ['retries.rate_limit'], 'block'],
    ['overloaded', [], 'block'],
    ['quota_exceeded', [], 'block'],
    ['timeout', ['retries.timeout', 'timeout.attemptMs'], 'task'],
    ['network', ['backoff.baseMs'], 'task'],
    ['network', ['limit.concurrency'], 'block'],
    ['network', ['breaker.openMs'], 'block'],
    ['network', ['my.limit.own'], 'task'],
  ] as const)('for %s that changes %j is a %s', ([issue, settings, unit]) => {
    expect(unitFor(issue, settings)).toBe(unit);
  });
});

describe('the unit for retries after an overload of a moment', () => {
  const unit = (issue: string, apart: number | undefined, settings = ['retries.server_error', 'backoff.maxMs']) =>
    unitFor(issue, settings, { outcomes: 100, inSessions: 0, ...(apart !== undefined && { apart }) });

  it('is the task if tasks are so far apart that a retry is over before the next one', () => {
    expect(unit('server_error', 0.75)).toBe('task');
    expect(unit('overloaded', 0.9, ['retries.overloaded'])).toBe('task');
    expect(unit('server_error', 0.74)).toBe('block');
    expect(unit('server_error', undefined)).toBe('block');
  });

  it('stays the block for quotas, and for settings that all callers share', () => {
    expect(unit('rate_limit', 1, ['retries.rate_limit'])).toBe('block');
    expect(unit('server_error', 1, ['retries.server_error', 'limit.resetMs'])).toBe('block');
    expect(unit('server_error', 1, [])).toBe('block');
  });
});

describe('the unit for a setting of the host', () => {
  const unit = (parts: object, settings = ['my.depth'], issue = 'wrong_output') =>
    unitFor(issue, settings, { outcomes: 100, inSessions: 90, perSession: 12, ...parts });

  it('is the session if most tasks belong to sessions of several tasks, because harm may come later in them', () => {
    expect(unit({})).toBe('session');
    expect(unit({ inSessions: 79 })).toBe('task');
    expect(unit({ perSession: 1.9 })).toBe('task');
    expect(unit({ perSession: undefined })).toBe('task');
  });

  it('stays the block for a shared quota, and the task for settings of the loop', () => {
    expect(unit({}, ['my.depth'], 'rate_limit')).toBe('block');
    expect(unit({}, ['retries.network'], 'network')).toBe('task');
  });
});

describe('the plan of a trial', () => {
  const plan = (parts: object) => trialOf(parts);

  it('waits as long as the change waits for a limit, if it does', () => {
    expect(plan({ set: { 'limit.resetMs': 60_000 } })).toMatchObject({ waitsMs: 60_000 });
    for (const set of [{ 'limit.resetMs': 0 }, { 'limit.resetMs': '60' }, { 'retries.network': 1 }, undefined])
      expect(plan({ set })).not.toHaveProperty('waitsMs');
  });

  it('says if the fix only chooses which model answers', () => {
    expect(plan({ set: { 'model.order': ['b'], 'model.weights': {} } })).toMatchObject({ choosesModels: true });
    for (const set of [{}, { 'model.fallback': true }, { 'model.order': ['b'], 'retries.network': 1 }])
      expect(plan({ set })).not.toHaveProperty('choosesModels');
  });

  it('aims at a part of the failures only if less counts as failed than usual', () => {
    expect(plan({ aim: 0.4 })).toMatchObject({ aim: 0.4 });
    expect(plan({ aim: 0.0001 }).aim).toBeGreaterThan(0.0001);
    expect(plan({ aim: 1 })).not.toHaveProperty('aim');
    expect(plan({ aim: 0.4, atMost: { durationMs: 100 } })).not.toHaveProperty('aim');
    expect(plan({ atMost: { durationMs: 100 } })).not.toHaveProperty('aim');
  });
});
