import { describe, expect, it } from 'vitest';
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
});
