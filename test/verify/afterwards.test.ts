import { describe, expect, it } from 'vitest';
import type { FixId } from '../../src/contract/ids.js';
import type { Arm } from '../../src/contract/start.js';
import { seededRandom } from '../../src/lib/random.js';
import { live } from '../campaigns/worlds/life.js';

describe('the effect since the confirmation', () => {
  it('is not too good as the one at the confirmation is, and its interval covers the truth', () => {
    const ratio = 0.6;
    const found = Array.from({ length: 30 }, (_, run) => {
      const random = seededRandom(run * 7919 + 13);
      const end = (arm: Arm) => ({ failed: random() < 0.4 * (arm === 'fix' ? ratio : 1) });
      const life = live(() => ({ scope: { task: 'ask' }, end }), random, { tasks: 3_000, lookEvery: 20 });
      const figures = life.verifier.figures('simulated' as FixId); // a brand has no other way to come into being
      return figures?.afterwards ? { before: figures.effect.value, after: figures.afterwards.effect } : undefined;
    }).flatMap((one) => one ?? []);
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(found.length).toBeGreaterThan(20);
    expect(mean(found.map(({ before }) => before))).toBeLessThan(ratio);
    expect(Math.abs(mean(found.map(({ after }) => after.value)) - ratio)).toBeLessThan(0.1);
    const covering = found.filter(({ after }) => after.low <= ratio && ratio <= after.high);
    expect(covering.length / found.length).toBeGreaterThanOrEqual(0.9);
  });
});
