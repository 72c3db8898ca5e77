import { describe, expect, it } from 'vitest';
import { isTriggered, triggerOf } from '../../src/verify/trigger.js';

describe('triggerOf', () => {
  it('takes tasks whose first attempt failed as a retry is for', () => {
    expect(triggerOf({ 'retries.parse_error': 1 }, {})).toEqual({ failedWith: ['parse_error'] });
    const slower = { 'retries.network': 2, 'retries.timeout': 1, 'backoff.baseMs': 500 };
    expect(triggerOf(slower, {})).toEqual({ failedWith: ['network', 'timeout'] });
  });

  it('takes tasks that ran nearly as long as the shorter of the old and the new time limit', () => {
    const limit = { 'timeout.attemptMs': 2_000, 'retries.timeout': 1 };
    expect(triggerOf(limit, { 'timeout.attemptMs': 0 })).toEqual({ failedWith: ['timeout'], tookMs: 1_800 });
    expect(triggerOf(limit, { 'timeout.attemptMs': 500 })).toEqual({ failedWith: ['timeout'], tookMs: 450 });
    expect(triggerOf({ 'timeout.attemptMs': 0 }, { 'timeout.attemptMs': 0 })).toBeUndefined();
  });

  it('knows no condition for settings that act before or during the first attempt', () => {
    for (const name of [
      'model.order',
      'model.weights',
      'limit.resetMs',
      'input.maxTokens',
      'my.depth',
      'backoff.baseMs',
    ]) {
      expect(triggerOf({ [name]: 1 }, {})).toBeUndefined();
    }
    expect(triggerOf({ 'retries.network': 1, 'model.order': ['b'] }, {})).toBeUndefined();
  });
});

describe('isTriggered', () => {
  const trigger = { failedWith: ['network'], tookMs: 900 };
  const end = (more: object) => ({ failed: false, atMs: 0, ...more });

  it('looks at the first attempt alone, however the task ended', () => {
    expect(isTriggered(end({ firstIssue: 'network', firstMs: 10 }), trigger)).toBe(true);
    expect(isTriggered(end({ failed: true, firstIssue: 'auth', firstMs: 10 }), trigger)).toBe(false);
    expect(isTriggered(end({ firstMs: 900 }), trigger)).toBe(true);
    expect(isTriggered(end({ firstMs: 899 }), trigger)).toBe(false);
  });

  it('counts a task that never ended, so that nothing is gained by letting tasks vanish', () => {
    expect(isTriggered(undefined, trigger)).toBe(true);
  });

  it('leaves out what does not list its attempts', () => {
    expect(isTriggered(end({ failed: true, durationMs: 5_000 }), trigger)).toBe(false);
  });
});
