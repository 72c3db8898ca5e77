import { describe, expect, it } from 'vitest';
import type { Attempt, Outcome } from '../../src/contract/outcome.js';
import { measured, taskEndOf } from '../../src/verify/task-end.js';
import { trialOf } from './harness.js';

const outcome = (parts: Partial<Outcome> = {}): Outcome => ({
  ...{ id: 'x' as Outcome['id'], task: 'ask', source: 'generic', success: true, atMs: 7, issues: [] },
  ...parts,
});
const attempt = (parts: Partial<Attempt> = {}): Attempt => ({ durationMs: 30, delayMs: 0, success: true, ...parts });

describe('the end of a task in a trial', () => {
  it('is a failure if it failed or was cancelled', () => {
    expect(taskEndOf(outcome())).toEqual({ failed: false, atMs: 7 });
    expect(taskEndOf(outcome({ success: false })).failed).toBe(true);
    expect(taskEndOf(outcome({ issues: ['cancelled'] })).failed).toBe(true);
    expect(taskEndOf(outcome({ issues: ['timeout'] })).failed).toBe(false);
  });

  it('carries what was measured, and leaves out what is not a number', () => {
    expect(taskEndOf(outcome({ durationMs: 9, tokens: { input: 3, output: 4 }, costUsd: 0, quality: 5 }))).toEqual({
      ...{ failed: false, atMs: 7, durationMs: 9, tokens: 7, costUsd: 0, quality: 5, firstMs: 9 },
    });
    const odd = { durationMs: Number.NaN, tokens: { input: Number.NaN, output: 4 }, quality: Number.NaN };
    expect(taskEndOf(outcome({ ...odd, costUsd: Number.POSITIVE_INFINITY }))).toEqual({ failed: false, atMs: 7 });
  });

  it('names its first attempt, and all its waits', () => {
    const attempts = [
      attempt({ success: false, issue: 'timeout' }),
      attempt({ durationMs: 50, delayMs: 200 }),
      attempt({ delayMs: 5 }),
    ];
    expect(taskEndOf(outcome({ durationMs: 300, attempts }))).toMatchObject({
      ...{ durationMs: 300, waitedMs: 205, firstMs: 30, firstIssue: 'timeout' },
    });
    expect(taskEndOf(outcome({ attempts: [attempt({ issue: 'timeout' })] }))).toEqual({
      ...{ failed: false, atMs: 7, firstMs: 30 },
    });
    expect(taskEndOf(outcome({ attempts: [attempt({ success: false })] }))).not.toHaveProperty('firstIssue');
  });

  it('took as long as its only attempt, unless it failed without listing any', () => {
    expect(taskEndOf(outcome({ durationMs: 9, success: false }))).not.toHaveProperty('firstMs');
    expect(taskEndOf(outcome({ durationMs: 9, attempts: [] })).firstMs).toBe(9);
  });

  it('is a failure beyond the limit of its trial, in time or money', () => {
    const end = { failed: false, atMs: 7, durationMs: 100, costUsd: 2 };
    const failed = (atMost: { durationMs?: number; costUsd?: number }) => measured(end, trialOf({ atMost })).failed;
    expect(failed({ durationMs: 100 })).toBe(false);
    expect(failed({ durationMs: 99 })).toBe(true);
    expect(failed({ costUsd: 2 })).toBe(false);
    expect(failed({ costUsd: 1.9 })).toBe(true);
    expect(measured({ failed: false, atMs: 7 }, trialOf({ atMost: { durationMs: 0, costUsd: 0 } })).failed).toBe(false);
    expect(measured(end, trialOf())).toBe(end);
    const broken = { ...end, failed: true };
    expect(measured(broken, trialOf({ atMost: { durationMs: 1 } }))).toBe(broken);
  });
});
