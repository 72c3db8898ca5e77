import { describe, expect, it } from 'vitest';
import type { PolicyChange } from '../../src/contract/change.js';
import { settingLimitsOf } from '../../src/contract/policy.js';
import type { Scope } from '../../src/contract/scope.js';
import { policyProblems } from '../../src/run/policy-problems.js';
import { PolicyTable } from '../../src/run/policy-table.js';
import type { Problem } from '../../src/run/problem.js';

const change = (scope: Scope, set: PolicyChange['set']): PolicyChange => ({ kind: 'policy', scope, set, undo: {} });

describe('PolicyTable', () => {
  it('lays confirmed fixes over the user and the arm of a trial over both', () => {
    const table = new PolicyTable({ settings: { 'retries.network': 1, 'retries.timeout': 1 } });
    table.update({ confirmed: [change({ task: 'ask' }, { 'retries.network': 2 })] });
    const arm = change({ task: 'ask' }, { 'retries.server_error': 3 });
    expect(table.lookup({ task: 'ask' }, [arm])).toMatchObject({
      'retries.timeout': 1,
      'retries.network': 2,
      'retries.server_error': 3,
    });
    expect(table.lookup({ task: 'ask' })).toMatchObject({ 'retries.server_error': 0 });
    expect(table.lookup({ task: 'other' })).toMatchObject({ 'retries.network': 1 });
  });

  it('lets nothing repeat a task that may not run again', () => {
    const table = new PolicyTable({ settings: { 'retries.timeout': 1 } });
    expect(table.own).toEqual({ 'retries.timeout': 1 });
    table.update({ confirmed: [change({}, { 'retries.network': 2, 'timeout.attemptMs': 900 })] });
    const of = (mayRepeat: boolean) => table.lookup({ task: 'ask' }, [], [], { may: mayRepeat });
    expect(of(true)).toMatchObject({ 'retries.network': 2, 'retries.timeout': 1, 'timeout.attemptMs': 900 });
    expect(of(false)).toMatchObject({ 'retries.network': 0, 'retries.timeout': 0, 'timeout.attemptMs': 900 });
    // The host did not say it: the user's own settings count, and no fix adds to them.
    const unknown = table.lookup({ task: 'ask' }, [], [], {});
    expect(unknown).toMatchObject({ 'retries.network': 0, 'retries.timeout': 1, 'timeout.attemptMs': 900 });
    // Read once: every task asks.
    expect(of(false)).toBe(of(false));
  });

  it('applies a fix only where everything its scope names is equal', () => {
    const table = new PolicyTable();
    table.update({ confirmed: [change({ task: 'ask', model: 'a' }, { 'retries.network': 2 })] });
    expect(table.lookup({ task: 'ask', model: 'a', tool: 'x' })['retries.network']).toBe(2);
    expect(table.lookup({ task: 'ask', model: 'b' })['retries.network']).toBe(0);
    expect(table.lookup({ task: 'ask' })['retries.network']).toBe(0);
    expect(table.lookup({ task: 'other', model: 'a' })['retries.network']).toBe(0);
    expect(table.lookup({ task: 'ask', model: 'a' })).toBe(table.lookup({ task: 'ask', model: 'a', tool: 'x' }));
  });

  it('applies a fix without a scope everywhere', () => {
    const table = new PolicyTable();
    table.update({ confirmed: [change({}, { 'retries.network': 2 })] });
    expect(table.lookup({ task: 'anything' })['retries.network']).toBe(2);
  });

  it('leaves a held-out fix out, and nothing else', () => {
    const table = new PolicyTable();
    const held = change({ task: 'ask' }, { 'retries.network': 2 });
    table.update({ confirmed: [held, change({ task: 'ask' }, { 'retries.timeout': 1 })] });
    const policy = table.lookup({ task: 'ask' }, [], [held]);
    expect(policy).toMatchObject({ 'retries.network': 0, 'retries.timeout': 1 });
    expect(table.lookup({ task: 'ask' }, [], [held])).toBe(policy);
    expect(table.lookup({ task: 'ask' })['retries.network']).toBe(2);
  });

  it('leaves several held-out fixes out, also after it left out one of them', () => {
    const table = new PolicyTable();
    const [one, two] = [change({}, { 'retries.network': 2 }), change({}, { 'retries.timeout': 1 })];
    table.update({ confirmed: [one, two] });
    const without = (held: readonly PolicyChange[]) => table.lookup({ task: 'ask' }, [], held);
    expect(without([one])).toMatchObject({ 'retries.network': 0, 'retries.timeout': 1 });
    expect(without([one, two])).toMatchObject({ 'retries.network': 0, 'retries.timeout': 0 });
    expect(without([one])).toMatchObject({ 'retries.network': 0, 'retries.timeout': 1 });
  });

  it('gives the same object for the same question, and a new one after an update', () => {
    const table = new PolicyTable();
    const arm = change({ task: 'ask' }, { 'retries.network': 2 });
    table.update({ confirmed: [change({ task: 'ask' }, { 'retries.timeout': 1 })] });
    const before = table.lookup({ task: 'ask' }, [arm]);
    expect(table.lookup({ task: 'ask', source: 'other' }, [arm])).toBe(before);
    table.update({ confirmed: [] });
    expect(table.lookup({ task: 'ask' })['retries.timeout']).toBe(0);
    expect(Object.isFrozen(before)).toBe(true);
  });

  it('stays bounded and right when task names never repeat', () => {
    const table = new PolicyTable();
    table.update({ confirmed: [change({ task: 'ask' }, { 'retries.network': 2 })] });
    const first = table.lookup({ task: 'first' });
    for (let index = 0; index < 5_000; index++) table.lookup({ task: `task ${index}` });
    expect(table.lookup({ task: 'ask' })['retries.network']).toBe(2);
    // Forgotten, and made again.
    expect(table.lookup({ task: 'first' })).not.toBe(first);
    expect(table.lookup({ task: 'first' })).toEqual(first);
  });

  it('reports two fixes for one setting in one scope by name, and the later one holds', () => {
    const table = new PolicyTable();
    const earlier = change({ task: 'ask' }, { 'retries.network': 1 });
    const later = change({ model: 'a' }, { 'retries.network': 2 });
    table.update({ confirmed: [earlier, later] });
    expect(table.lookup({ task: 'ask', model: 'a' })['retries.network']).toBe(2);
    expect(policyProblems(later, [earlier], settingLimitsOf())).toEqual([
      'two confirmed fixes set retries.network for model a: the later one holds',
    ]);
  });

  it('reports a fix outside the settingLimits and uses the nearest allowed value', () => {
    const settingLimits = settingLimitsOf({ 'retries.network': { max: 1 } });
    const table = new PolicyTable({ settingLimits });
    const tooMuch = change({ task: 'ask' }, { 'retries.network': 4, 'retries.auth': 1 });
    table.update({ confirmed: [tooMuch] });
    expect(table.lookup({ task: 'ask' })).toMatchObject({ 'retries.network': 1, 'retries.auth': 0 });
    expect(policyProblems(tooMuch, [], settingLimits)).toHaveLength(2);
  });

  it('reports the arm of a trial outside the settingLimits, and uses the nearest allowed value', () => {
    const arm = change({}, { 'retries.network': 4 });
    const settingLimits = settingLimitsOf({ 'retries.network': { max: 1 } });
    const problems: Problem[] = [];
    const table = new PolicyTable({ settingLimits, report: (problem) => problems.push(problem) });
    for (let task = 0; task < 3; task++) expect(table.lookup({ task: 'ask' }, [arm])['retries.network']).toBe(1);
    expect(problems).toEqual([{ where: 'policy', message: expect.stringContaining('retries.network') }]);
    const silent = new PolicyTable({ settingLimits });
    expect(silent.lookup({ task: 'ask' }, [arm])['retries.network']).toBe(1);
  });

  it('reads as one table without a fix: the value of each setting everywhere', () => {
    const rows = new PolicyTable().rows();
    expect(new Set(rows.map(({ layer }) => layer))).toEqual(new Set(['default']));
    expect(new Set(rows.map(({ setting }) => setting)).size).toBe(rows.length);
    expect(rows).toContainEqual(expect.objectContaining({ setting: 'retries.network', value: 0, scope: {} }));
  });

  it('shows only settings that it knows of a fix that another version wrote', () => {
    const table = new PolicyTable();
    table.update({
      confirmed: [change({ task: 'ask' }, { 'retries.network': 2, 'retries.moonlight': 1 })],
    });
    const rows = table.rows().filter(({ layer }) => layer === 'confirmed');
    expect(rows.map(({ setting }) => setting)).toEqual(['retries.network']);
  });

  it('reads as one table: each setting with its value, layer, scope and bounds', () => {
    const table = new PolicyTable({
      settings: { 'retries.timeout': 1 },
      settingLimits: settingLimitsOf({ 'retries.network': { max: 3 } }),
    });
    table.update({ confirmed: [change({ task: 'ask' }, { 'retries.network': 2 })] });
    const rows = table.rows([change({ model: 'a' }, { 'model.order': ['b'] })]);
    expect(rows).toContainEqual(
      expect.objectContaining({ setting: 'retries.timeout', value: 1, layer: 'user', scope: {} }),
    );
    expect(rows).toContainEqual(expect.objectContaining({ setting: 'retries.network', value: 0, layer: 'default' }));
    expect(rows).toContainEqual({
      setting: 'retries.network',
      value: 2,
      layer: 'confirmed',
      scope: { task: 'ask' },
      bounds: { min: 0, max: 3, unit: 'attempts' },
    });
    expect(rows).toContainEqual({ setting: 'model.order', value: ['b'], layer: 'trial', scope: { model: 'a' } });
  });

  it('refuses user settings that cannot be', () => {
    expect(() => new PolicyTable({ settings: { 'retries.network': -1 } })).toThrow('retries.network is -1');
  });
});
