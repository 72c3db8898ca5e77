import { describe, expect, it } from 'vitest';
import { feasibilityOf, inWords, type TrialNeeds } from '../../src/verify/feasibility.js';

const needs = (parts: Partial<TrialNeeds> = {}): TrialNeeds => ({
  ...{ rate: 0.2, perDay: 60, observedDays: 7, unit: 'task', needed: 40 },
  ...parts,
});

describe('a trial', () => {
  it('is possible where a cure would be shown before the deadline', () => {
    const { days, problem } = feasibilityOf(needs());
    expect(problem).toBeUndefined();
    expect(days).toBeLessThan(3);
  });

  it('is not opened where not even a cure could be shown, and says how many tasks a week are missing', () => {
    const few = feasibilityOf(needs({ perDay: 1, rate: 0.05 }));
    expect(few.problem).toMatch(
      /^even a fix that prevents nine in ten of these failures would take about \d+ days, and a trial ends after 30: it needs \d+ tasks a week and gets 7$/,
    );
    const missing = Number(/needs (\d+) tasks/.exec(few.problem ?? '')?.[1]);
    expect(feasibilityOf(needs({ perDay: missing / 7, rate: 0.05 })).problem).toBeUndefined();
    expect(feasibilityOf(needs({ perDay: (missing - 2) / 7, rate: 0.05 })).problem).toBeDefined();
  });

  it('is opened on the first day, when nobody knows the volume yet', () => {
    expect(feasibilityOf(needs({ perDay: 1, rate: 0.05, observedDays: 0.9 })).problem).toBeUndefined();
  });

  it('needs more time where earlier trials used up the budget', () => {
    const [first, late] = [needs(), needs({ needed: 20_000 })].map((one) => feasibilityOf(one).days);
    expect(late).toBeGreaterThan(2 * (first ?? 0));
  });

  it('has twice the time if whole sessions are drawn, and says that single tasks would be quicker', () => {
    const sessions = feasibilityOf(needs({ unit: 'session', perDay: 2, rate: 0.1 }));
    expect(sessions.problem).toContain('a trial ends after 60');
    expect(inWords(sessions)).toMatch(/; with single tasks instead of sessions, .* it takes about \d+ days$/);
  });

  it('says what drawing from more tasks or from both arms alike would save', () => {
    expect(feasibilityOf(needs({ perDay: 10, perDayUnlimited: 60 })).shorter).toEqual([
      'with all tasks of this name instead of a part of them it takes about 2 days',
    ]);
    expect(feasibilityOf(needs({ perDay: 10, perDayUnlimited: 15 })).shorter).toEqual([]);
    expect(feasibilityOf(needs({ share: 0.95 })).shorter).toHaveLength(1);
    expect(feasibilityOf(needs({ share: 0.8 })).shorter).toEqual([]);
  });
});
