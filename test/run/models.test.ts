import { describe, expect, it } from 'vitest';
import { mergePolicy } from '../../src/contract/policy.js';
import type { Settings } from '../../src/contract/settings.js';
import { orderModels } from '../../src/run/models.js';

const awake = () => false;

function order(
  offered: readonly string[],
  settings: Settings,
  { drawn = 0, isResting = awake }: { drawn?: number; isResting?: (model: string) => boolean } = {},
) {
  return orderModels(offered, mergePolicy([settings]), () => drawn, isResting);
}

describe('the order of the models of a task', () => {
  it("is the caller's without settings", () => {
    expect(order(['a', 'b', 'c'], {})).toEqual(['a', 'b', 'c']);
    expect(order([], { 'model.order': ['a'] })).toEqual([]);
  });

  it('puts the ordered models first, and never adds one that the caller does not offer', () => {
    expect(order(['a', 'b', 'c'], { 'model.order': ['c', 'unknown', 'b'] })).toEqual(['c', 'b', 'a']);
    expect(order(['a'], { 'model.order': ['b'] })).toEqual(['a']);
  });

  it('draws the first model by weight and keeps the others in order, each of them once', () => {
    const weights = { 'model.weights': { b: 0.75, c: 0.25, unknown: 1 } };
    const first = [0, 0.74, 0.75, 0.99].map((drawn) => order(['a', 'b', 'c'], weights, { drawn }));
    expect(first).toEqual([
      ['b', 'a', 'c'],
      ['b', 'a', 'c'],
      ['c', 'a', 'b'],
      ['c', 'a', 'b'],
    ]);
  });

  it('draws by the share of each weight, whatever their sum', () => {
    const weights = { 'model.weights': { b: 0.25, c: 0.25 } };
    const first = [0, 0.49, 0.5, 0.99].map((drawn) => order(['a', 'b', 'c'], weights, { drawn })[0]);
    expect(first).toEqual(['b', 'b', 'c', 'c']);
  });

  it('draws none if all weights are 0 or belong to other models', () => {
    expect(order(['a', 'b'], { 'model.weights': { c: 1 } }, { drawn: 0.9 })).toEqual(['a', 'b']);
    // `constructor` and the like are names of models, never fields of the table.
    expect(order(['a', 'constructor'], { 'model.weights': { a: 1 } })).toEqual(['a', 'constructor']);
  });

  it('asks resting models last, in their own order', () => {
    const isResting = (model: string) => model === 'a' || model === 'c';
    expect(order(['a', 'b', 'c', 'd'], {}, { isResting })).toEqual(['b', 'd', 'a', 'c']);
    expect(order(['a', 'c'], {}, { isResting })).toEqual(['a', 'c']);
    expect(order(['b', 'a'], { 'model.weights': { a: 1 } }, { isResting })).toEqual(['b', 'a']);
  });
});
