import { describe, expect, it } from 'vitest';
import { mergePolicy } from '../../src/contract/policy.js';
import type { Settings } from '../../src/contract/settings.js';
import { LimitsByPolicy } from '../../src/run/limits.js';

const NOTHING: Settings = {
  'limit.concurrency': 0,
  'limit.spacingMs': 0,
  'limit.resetMs': 0,
  'breaker.failures': 0,
  'breaker.ratio': 0,
};
const limitsOf = (settings: Settings) => new LimitsByPolicy().of(mergePolicy([{ ...NOTHING, ...settings }]));

describe('the limits of a policy', () => {
  it.each<readonly [keyof Settings, number, keyof ReturnType<typeof limitsOf>]>([
    ['limit.concurrency', 3, 'gate'],
    ['limit.spacingMs', 100, 'gate'],
    ['limit.resetMs', 5_000, 'gate'],
    ['breaker.failures', 5, 'breaker'],
    ['breaker.ratio', 0.5, 'breaker'],
  ])('%s alone calls for one part, and no setting for none', (name, value, part) => {
    const limits = limitsOf({ [name]: value });
    const parts = (['gate', 'breaker'] as const).filter((one) => limits[one] !== undefined);
    expect(parts).toEqual([part]);
    expect([limitsOf({}).gate, limitsOf({}).breaker]).toEqual([undefined, undefined]);
  });

  it('are those of the policy asked for, in any order, read once', () => {
    const limits = new LimitsByPolicy();
    const [short, long] = [1_000, 2_000].map((attemptMs) => mergePolicy([{ 'timeout.attemptMs': attemptMs }]));
    if (short === undefined || long === undefined) throw new Error('two policies');
    const first = limits.of(short);
    expect([first, limits.of(long), limits.of(long), limits.of(short)].map(({ attemptMs }) => attemptMs)).toEqual([
      1_000, 2_000, 2_000, 1_000,
    ]);
    expect(limits.of(short)).toBe(first);
  });
});
