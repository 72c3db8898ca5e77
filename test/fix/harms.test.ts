import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, mergePolicy } from '../../src/contract/policy.js';
import type { Settings } from '../../src/contract/settings.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import { harmOf } from '../../src/fix/harms.js';
import { policyOnly, somePattern, someTask } from './fixtures.js';

const successMs = { p50: 1_000, p90: 4_000, p99: 9_000, max: 10_000, count: 500 };
const perDay = 86_400;

function harm(set: Settings, task: Partial<TaskStatistics> = {}, present: Settings = {}) {
  return harmOf(set, mergePolicy([present]), someTask({ successMs, perDay, ...task }));
}

describe('settings that could harm tasks that succeed', () => {
  it('are time limits below 1.5 times the slowest recorded success', () => {
    expect(harm({ 'timeout.attemptMs': 15_000 })).toBeUndefined();
    expect(harm({ 'timeout.attemptMs': 14_999 })).toContain('which is close to that');
    expect(harm({ 'timeout.attemptMs': 9_500 })).toContain('would have cut at most 5 of them');
    expect(harm({ 'timeout.taskMs': 5_000 })).toContain('would have cut at most 50 of them');
    // No durations are recorded.
    expect(harmOf({ 'timeout.taskMs': 60_000 }, mergePolicy([]), someTask())).toBeUndefined();
  });

  it('are no longer time limits than those in force', () => {
    expect(harm({ 'timeout.attemptMs': 5_000 }, {}, { 'timeout.attemptMs': 3_000 })).toBeUndefined();
    expect(harm({ 'timeout.attemptMs': 0 }, {}, { 'timeout.attemptMs': 3_000 })).toBeUndefined();
  });

  it('are fewer places than the demand needs, and calls further apart than tasks arrive', () => {
    expect(harm({ 'limit.concurrency': 3 })).toBeUndefined();
    expect(harm({ 'limit.concurrency': 2 })).toContain('need 3 places');
    expect(harm({ 'limit.concurrency': 2 }, {}, { 'limit.concurrency': 1 })).toBeUndefined();
    expect(harm({ 'limit.spacingMs': 1_000 })).toBeUndefined();
    expect(harm({ 'limit.spacingMs': 1_001 })).toContain('come every 1,000 ms');
    expect(harm({ 'limit.spacingMs': 1_001 }, {}, { 'limit.spacingMs': 1_200 })).toBeUndefined();
  });

  it('are breakers and shorter queues, because they refuse calls', () => {
    expect(harm({ 'breaker.failures': 5 })).toContain('breaker.failures refuses');
    expect(harm({ 'breaker.ratio': 0.9 }, {}, { 'breaker.ratio': 0.5 })).toBeUndefined();
    expect(harm({ 'limit.queue': 10 })).toContain('limit.queue');
    expect(harm({ 'limit.queue': 2 * DEFAULT_POLICY['limit.queue'] })).toBeUndefined();
    expect(harm({ 'retries.network': 2, 'limit.resetMs': 60_000 })).toBeUndefined();
  });

  it('are proposed to a person, with the figures', () => {
    const entries = [
      { name: 'mine', match: () => true, propose: () => [{ set, safe: true, reason: 'few at a time' }] },
    ];
    const set = { 'limit.concurrency': 2 };
    const task = someTask({ successMs, perDay });
    const kind = policyOnly({ entries });
    const facts = { pattern: somePattern(), task, tasks: new Map(), ofTask: [], advised: 0 };
    const [first] = [...kind.propose(facts)];
    expect(first).toMatchObject({ safe: false, target: 'limit.concurrency' });
    expect(first?.details().reason).toBe(
      'few at a time; 86,400 tasks a day, half of them longer than 1,000 ms and a tenth longer than 4,000 ms, need 3 places, so tasks would queue without end',
    );
  });
});

describe('a limit that belongs to one key of several', () => {
  const pattern = somePattern({ issue: 'rate_limit', examples: ['429: limit 60 requests per minute'] });

  it('is reported once, with what to change, and no setting is proposed', () => {
    const told: string[] = [];
    const kind = policyOnly({ report: (message) => void told.push(message) });
    const propose = (perDay: number) => {
      const task = someTask({ perDay, outcomes: 1_000, failures: 50 });
      return [...kind.propose({ pattern, task, tasks: new Map(), ofTask: [], advised: 0 })].map(({ target }) => target);
    };
    expect(propose(60 * 1_440)).not.toEqual([]);
    expect(told).toEqual([]);
    expect(propose(300 * 1_440)).toEqual([]);
    expect(propose(300 * 1_440)).toEqual([]);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('a limit of 60 requests in 1 min, but 285 of its tasks succeed in that time');
    expect(told[0]).toContain('loop.run("api_call", fn, { quota: key })');
  });
});
