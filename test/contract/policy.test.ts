import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_POLICY,
  isSettingName,
  mergePolicy,
  parseSettings,
  settingLimitsOf,
} from '../../src/contract/policy.js';
import { SETTINGS } from '../../src/contract/settings.js';

describe('the limits of settings', () => {
  it('holds its own defaults', () => {
    expect(parseSettings(DEFAULT_POLICY)).toEqual(DEFAULT_POLICY);
    expect(mergePolicy([])).toEqual(DEFAULT_POLICY);
  });

  it('changes nothing by default except falling back along the models the host listed', () => {
    const { 'model.fallback': fallback, ...others } = DEFAULT_POLICY;
    expect(fallback).toBe(true);
    const active = Object.entries(others).filter(([name]) =>
      /^(retries|timeout|input)|spacing|concurrency|reset/.test(name),
    );
    expect(active.filter(([, value]) => value !== 0)).toEqual([]);
    expect([others['breaker.failures'], others['breaker.ratio']]).toEqual([0, 0]);
  });

  it('names the setting, its value and what is allowed when a user sets something that cannot be', () => {
    expect(() => parseSettings({ 'retries.network': 9 })).toThrow(
      'setting retries.network is 9: give a whole number from 0 to 4',
    );
    expect(() => parseSettings({ 'retries.auth': 1 })).toThrow('retries.auth');
    expect(() => parseSettings({ 'retries.network': Number.NaN })).toThrow('NaN');
    expect(() => parseSettings({ retrise: 1 })).toThrow('unknown setting "retrise"');
    expect(() => parseSettings({ 'model.order': 'gpt' })).toThrow('give a list');
    expect(() => parseSettings({ 'model.weights': { a: -1 } })).toThrow('weight from 0 to 1');
    expect(() => parseSettings(null)).toThrow('give an object');
  });

  it('pulls a fix inside the bounds, leaves out what has no usable value, and says both by name', () => {
    const problems: string[] = [];
    const policy = mergePolicy(
      [
        {
          'retries.network': 40,
          'retries.auth': 3,
          'retries.timeout': Number.NaN,
          'timeout.attemptMs': '5',
          'model.order': { a: 1 },
          'backoff.baseMs': Number.POSITIVE_INFINITY,
          nonsense: 1,
        },
      ],
      settingLimitsOf(),
      (message) => problems.push(message),
    );
    expect(policy['retries.network']).toBe(4);
    expect(policy['retries.auth']).toBe(0);
    expect(policy['retries.timeout']).toBe(0);
    expect(policy['timeout.attemptMs']).toBe(0);
    expect(policy['model.order']).toEqual([]);
    expect(policy['backoff.baseMs']).toBe(10_000);
    expect(Object.keys(policy)).not.toContain('nonsense');
    expect(problems).toHaveLength(7);
    expect(problems[0]).toContain('retries.network is 40');
    expect(problems[0]).toContain('4 is used');
  });

  it('lets a user narrow a bound and lets nothing widen it', () => {
    const bounds = { 'retries.network': { max: 2 }, 'backoff.maxMs': { max: 10_000_000 } };
    expect(mergePolicy([{ 'retries.network': 4, 'backoff.maxMs': 9_999_999 }], settingLimitsOf(bounds))).toMatchObject({
      'retries.network': 2,
      'backoff.maxMs': 60_000,
    });
  });

  it('keeps "none" possible where bounds speak of a time-out', () => {
    const bounds = { 'timeout.attemptMs': { min: 5_000 } };
    expect(mergePolicy([], settingLimitsOf(bounds))['timeout.attemptMs']).toBe(0);
    expect(mergePolicy([{ 'timeout.attemptMs': 1 }], settingLimitsOf(bounds))['timeout.attemptMs']).toBe(5_000);
  });

  it('takes settings of the host, by name and rule, and refuses what is not one', () => {
    const depth = { type: 'number', default: 3, min: 1, max: 9, unit: 'levels', whole: true } as const;
    const settingLimits = settingLimitsOf({ 'my.depth': { max: 5 } }, { 'my.depth': depth });
    expect(mergePolicy([], settingLimits)['my.depth']).toBe(3);
    expect(mergePolicy([{ 'my.depth': 8 }], settingLimits)['my.depth']).toBe(5);
    expect(() => parseSettings({ 'my.depth': 8 }, settingLimits)).toThrow('give a whole number from 1 to 5 (levels)');
    expect(() => parseSettings({ 'my.luck': 8 }, settingLimits)).toThrow('unknown setting "my.luck"');
    expect(() => settingLimitsOf({}, { depth } as never)).toThrow('own setting "depth": call it my.something');
    expect(() => settingLimitsOf({}, { 'my.depth': { ...depth, default: 0 } })).toThrow('the default of my.depth is 0');
  });

  it('never gives a policy outside the settingLimits, whatever it is fed', () => {
    const values = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string()),
    );
    const layer = fc.dictionary(fc.constantFrom(...Object.keys(SETTINGS), 'other', '__proto__'), values);
    fc.assert(
      fc.property(fc.array(layer, { maxLength: 4 }), (layers) => {
        const policy = mergePolicy(layers as never); // deliberately ill-typed
        expect(parseSettings(policy)).toEqual(policy);
        expect(Object.keys(policy).filter((name) => isSettingName(name))).toHaveLength(Object.keys(SETTINGS).length);
      }),
      { seed: 5, numRuns: 300 },
    );
  });
});
