import { expect, it } from 'vitest';
import type { PolicyChange } from '../../src/contract/change.js';
import type { Scope } from '../../src/contract/scope.js';
import { SETTINGS } from '../../src/contract/settings.js';
import { policyProblems } from '../../src/run/policy-problems.js';

const ENVELOPE = { rules: SETTINGS, bounds: {} };
const change = (scope: Scope, set: PolicyChange['set']): PolicyChange => ({ kind: 'policy', scope, set, undo: {} });
const RETRY = { 'retries.network': 2 };

it('warns of each setting that two confirmed fixes set for the same tasks, and of no other', () => {
  const mine = change({ task: 'search', model: 'a' }, { ...RETRY, 'timeout.attemptMs': 500 });
  const same = change({ task: 'search' }, { 'timeout.attemptMs': 900, 'backoff.baseMs': 5 });
  expect(policyProblems(mine, [same], ENVELOPE)).toEqual([
    'two confirmed fixes set timeout.attemptMs for task search, model a: the later one holds',
  ]);
  expect(policyProblems(change({}, RETRY), [change({ task: 'search' }, RETRY)], ENVELOPE)).toEqual([
    'two confirmed fixes set retries.network for every task: the later one holds',
  ]);
});

it('names a feature as the host does, and no field that has no value', () => {
  const later = change({ 'feature.language': 'de', 'feature.length': undefined }, RETRY);
  expect(policyProblems(later, [change({}, RETRY)], ENVELOPE)).toEqual([
    'two confirmed fixes set retries.network for language de: the later one holds',
  ]);
});

it('is silent about changes for other tasks', () => {
  expect(policyProblems(change({ task: 'search' }, RETRY), [change({ task: 'pay' }, RETRY)], ENVELOPE)).toEqual([]);
});

it('warns of a value outside of the limits', () => {
  const [warning, ...others] = policyProblems(change({}, { 'retries.network': 9_999 }), [], ENVELOPE);
  expect(warning).toContain('retries.network');
  expect(others).toEqual([]);
});
