import { describe, expect, it } from 'vitest';
import type { PolicyChange } from '../../src/contract/change.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import { policyOnly } from './fixtures.js';

const change = (set: PolicyChange['set']): PolicyChange => ({
  kind: 'policy',
  scope: { task: 'answer' },
  set,
  undo: {},
});

describe('two changes of one task', () => {
  it('take failures from each other if both choose the model, although they set different names', () => {
    const order = change({ 'model.order': ['basalt'] });
    const weights = change({ 'model.weights': { basalt: 1 } });
    const retries = change({ 'retries.parse_error': 1 });
    const kinds = new ChangeKinds([policyOnly()]);
    expect([kinds.chooseModels(order, weights), kinds.collide(order, weights)]).toEqual([true, false]);
    expect(kinds.chooseModels(order, retries)).toBe(false);
  });
});
