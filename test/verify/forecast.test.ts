import { describe, expect, it } from 'vitest';
import { whole } from '../../src/lib/text.js';
import { forecast } from '../../src/verify/forecast.js';

describe('forecast', () => {
  it('says about as many tasks as a halving takes in simulation', () => {
    expect(forecast({ rate: 0.2, perDay: 1000, observedDays: 7, unit: 'task' })).toMatchObject({
      kind: 'testable',
      tasks: 371,
    });
    expect(forecast({ rate: 0.6, perDay: 1000, observedDays: 7, unit: 'task' })).toMatchObject({
      kind: 'testable',
      tasks: 80,
    });
  });

  it('takes more tasks for blocks, for a later attempt and for rarer failures', () => {
    const days = (input: Partial<Parameters<typeof forecast>[0]>) => {
      const one = forecast({ rate: 0.2, perDay: 1000, observedDays: 7, unit: 'task', ...input });
      return one.kind === 'testable' ? (one.days ?? Number.NaN) : Number.POSITIVE_INFINITY;
    };
    expect(days({ unit: 'block' })).toBeGreaterThan(2 * days({}));
    expect(days({ needed: 120 })).toBeGreaterThan(days({}));
    expect(days({ rate: 0.1 })).toBeGreaterThan(2 * days({}));
  });

  it('says nothing in days before a day was seen', () => {
    const early = forecast({ rate: 0.2, perDay: 1000, observedDays: 0.5, unit: 'task' });
    expect(early).toEqual({ kind: 'testable', tasks: 371 });
    expect(forecast({ rate: 0.2, perDay: 1000, observedDays: 1, unit: 'task' })).toHaveProperty('days');
  });

  it('takes longer beside other failures, unless only the tasks are bet on that the fix can act on', () => {
    const tasks = (input: Partial<Parameters<typeof forecast>[0]>) => {
      const one = forecast({ rate: 0.05, perDay: 1000, observedDays: 7, unit: 'task', ...input });
      return one.kind === 'testable' ? one.tasks : Number.POSITIVE_INFINITY;
    };
    expect(tasks({ failing: 0.25 })).toBeGreaterThan(3 * tasks({}));
    expect(tasks({ failing: 0.25, isTriggered: true })).toBeLessThan(tasks({}));
    // Where a halving would take more than 30 days, a cure may still be shown.
    expect(tasks({ failing: 0.25, perDay: 100 })).toBeLessThan(3_000);
  });

  it('says what cannot be tested here, and why', () => {
    expect(forecast({ rate: 0.02, perDay: 5, observedDays: 7, unit: 'task' })).toMatchObject({
      kind: 'not-testable',
      reason: expect.stringContaining('days'),
    });
    expect(forecast({ rate: 0, perDay: 5, observedDays: 7, unit: 'task' })).toMatchObject({ kind: 'not-testable' });
  });

  it('says how long it would take, and after how many days a trial ends', () => {
    const reason = (input: Partial<Parameters<typeof forecast>[0]>) => {
      const one = forecast({ rate: 0.02, perDay: 5, observedDays: 7, unit: 'task', ...input });
      return one.kind === 'testable' ? `testable in ${one.days}` : one.reason;
    };
    const tasks = forecast({ rate: 0.02, perDay: 1e6, observedDays: 7, unit: 'task' });
    const count = tasks.kind === 'testable' ? tasks.tasks : Number.NaN;
    expect(reason({})).toBe(
      `a verdict would take about ${Math.ceil(count / 35)} weeks (about ${whole(count)} tasks) at this volume, and a trial ends after 30 days`,
    );
    expect(reason({ observedDays: 0.9 })).toBe(
      `it takes about ${whole(count)} tasks, more than 30 days at the volume so far`,
    );
    expect(reason({ perDay: 0 })).toBe('nothing failed in the window');
    expect(reason({ rate: 0 })).toBe('nothing failed in the window');
    expect(reason({ perDay: count / 30 })).toBe('testable in 30');
    expect(reason({ unit: 'session', perDay: (count * 2.8) / 59 })).toMatch(/^testable in 5\d/);
    expect(reason({ unit: 'block', perDay: (count * 2.8) / 59 })).toContain('ends after 30');
  });

  it('asks more of units of several tasks, by a fixed factor', () => {
    const tasks = (unit: 'task' | 'block' | 'session') => {
      const one = forecast({ rate: 0.2, perDay: 1e6, observedDays: 7, unit });
      return one.kind === 'testable' ? one.tasks : Number.NaN;
    };
    expect(tasks('block')).toBe(1_037);
    expect(tasks('session')).toBe(1_037);
  });

  it('grows with the evidence needed, and stays finite where everything fails', () => {
    const tasks = (input: Partial<Parameters<typeof forecast>[0]>) => {
      const one = forecast({ rate: 0.2, perDay: 1e6, observedDays: 7, unit: 'task', ...input });
      return one.kind === 'testable' ? one.tasks : Number.NaN;
    };
    expect(tasks({ needed: 1_600 })).toBe(2 * 371 - 1);
    expect(tasks({ rate: 1 })).toBe(tasks({ rate: 0.95 }));
    expect(tasks({ rate: 0.2, failing: 0.1 })).toBe(371);
    expect(tasks({ rate: 0.2, isTriggered: true })).toBeLessThan(371);
  });

  it('hopes for a cure only beside other failures, where a halving would take too long', () => {
    const tasks = (input: Partial<Parameters<typeof forecast>[0]>) => {
      const one = forecast({ rate: 0.05, perDay: 1e6, observedDays: 7, unit: 'task', ...input });
      return one.kind === 'testable' ? one.tasks : Number.POSITIVE_INFINITY;
    };
    const halving = tasks({ failing: 0.25 });
    const cure = tasks({ failing: 0.25, perDay: halving / 30 - 1 });
    expect(cure).toBeLessThan(halving / 2);
    expect(tasks({ failing: 0.25, perDay: halving / 30 })).toBe(halving);
    expect(tasks({ perDay: tasks({}) / 30 - 1 })).toBe(Number.POSITIVE_INFINITY);
  });
});
