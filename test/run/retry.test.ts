import { describe, expect, it } from 'vitest';
import { mergePolicy } from '../../src/contract/policy.js';
import { backoffMs, retriesFor } from '../../src/run/retry.js';
import { RetryBudget } from '../../src/run/retry-budget.js';

const policy = mergePolicy([{ 'backoff.baseMs': 100, 'backoff.maxMs': 1_000, 'retries.network': 4 }]);

describe('backoffMs', () => {
  it('spreads each wait over a bound that doubles up to the longest', () => {
    const longest = [1, 2, 3, 4, 5, 6].map((retry) => backoffMs(retry, undefined, policy, () => 0.999_999));
    expect(longest.map((delayMs) => Math.round(delayMs ?? 0))).toEqual([100, 200, 400, 800, 1_000, 1_000]);
    expect(backoffMs(3, undefined, policy, () => 0)).toBe(0);
  });

  it('never comes back before it was asked to, and not at all when that is too long', () => {
    expect(backoffMs(1, 700, policy, () => 0.5)).toBe(750);
    expect(backoffMs(1, 1_000, policy, () => 0)).toBe(1_000);
    expect(backoffMs(1, 1_001, policy, () => 0)).toBeUndefined();
    expect(backoffMs(1, 5_000, mergePolicy([policy, { 'limit.resetMs': 10_000 }]), () => 0)).toBe(5_000);
  });
});

describe('retriesFor', () => {
  it('never retries an error that a second try cannot mend', () => {
    expect(retriesFor('network', policy)).toBe(4);
    expect(retriesFor('auth', { ...policy, 'retries.auth': 4 })).toBe(0);
  });
});

describe('RetryBudget', () => {
  const storm = (tasks: number, isPressure: boolean) => {
    const budget = new RetryBudget();
    let extra = 0;
    for (let task = 0; task < tasks; task++) {
      budget.countTask();
      for (let retry = 0; retry < 4; retry++) if (budget.take(isPressure)) extra++;
    }
    return extra;
  };

  it('allows extra attempts for at most 10 % of tasks under pressure and 50 % otherwise', () => {
    for (const tasks of [100, 999, 1_000, 1_001, 5_000, 20_000]) {
      expect(storm(tasks, true)).toBeLessThanOrEqual(tasks * 0.1);
      expect(storm(tasks, true)).toBeGreaterThan(tasks * 0.08);
      expect(storm(tasks, false)).toBeLessThanOrEqual(tasks * 0.5);
    }
  });

  it('gives a fresh process three extra attempts on credit', () => {
    expect([storm(1, true), storm(5, true), storm(29, true)]).toEqual([3, 3, 3]);
  });

  it('does not save up for a storm: a million good tasks allow no more than 100 extra attempts at once', () => {
    const budget = new RetryBudget();
    for (let task = 0; task < 1_000_000; task++) budget.countTask();
    let extra = 0;
    while (budget.take(true)) extra++;
    expect(extra).toBeLessThanOrEqual(100);
  });

  it('goes on in another process with what was used up, and with at most its memory of tasks', () => {
    const budget = new RetryBudget();
    for (let task = 0; task < 60; task++) budget.countTask();
    for (let extra = 0; extra < 4; extra++) budget.take(true);
    budget.take(false);
    expect(budget.save()).toEqual({ tasks: 60, pressure: 4, other: 1 });
    const other = new RetryBudget();
    other.restore(budget.save());
    expect([other.take(true), other.take(true), other.take(true)]).toEqual([true, true, false]);
    const boastful = new RetryBudget();
    boastful.restore({ tasks: 1e9, pressure: 0, other: 0 });
    expect(boastful.save().tasks).toBe(1_000);
  });

  it('forgets half of everything after 1,000 tasks', () => {
    const budget = new RetryBudget();
    for (let task = 0; task < 999; task++) budget.countTask();
    for (let extra = 0; extra < 40; extra++) budget.take(true);
    for (let extra = 0; extra < 60; extra++) budget.take(false);
    expect(budget.save()).toEqual({ tasks: 999, pressure: 40, other: 60 });
    budget.countTask();
    expect(budget.save()).toEqual({ tasks: 500, pressure: 20, other: 30 });
  });
});
