import { describe, expect, it } from 'vitest';
import type { PolicyChange } from '../../src/contract/change.js';
import { chooseModels, collide } from '../../src/fix/conflicts.js';

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
    expect([chooseModels(order, weights), collide(order, weights)]).toEqual([true, false]);
    expect(chooseModels(order, retries)).toBe(false);
  });
});
