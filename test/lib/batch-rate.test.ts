import { describe, expect, it } from 'vitest';
import { batchRate } from '../../src/lib/batch-rate.js';
import { wilsonRate } from '../../src/lib/statistics.js';

/** Sums of batches that all weigh the same. */
function sumsOf(batches: readonly (readonly [hits: number, of: number])[]) {
  const sum = (one: (hits: number, of: number) => number) =>
    batches.reduce((before, [hits, of]) => before + one(hits, of), 0);
  return {
    hits: sum((hits) => hits),
    of: sum((_, of) => of),
    hitsSquared: sum((hits) => hits * hits),
    hitsByOf: sum((hits, of) => hits * of),
    ofSquared: sum((_, of) => of * of),
  };
}

const even = Array.from({ length: 10 }, () => [20, 100] as const);
const burst = even.map((_, index) => (index < 2 ? ([100, 100] as const) : ([0, 100] as const)));

describe('batchRate', () => {
  it('counts no more tasks than there were, however alike the batches are', () => {
    const { value, low, high, of } = batchRate(sumsOf(even));
    const least = wilsonRate(200, 1_000);
    expect({ value, of }).toEqual({ value: 0.2, of: 1_000 });
    expect(low).toBeLessThan(least.low);
    expect(high).toBeGreaterThan(least.high);
    expect(high - low).toBeLessThan(1.2 * (least.high - least.low));
  });

  it('is wide where all failures came in two batches of ten', () => {
    const { value, low, high } = batchRate(sumsOf(burst));
    expect(value).toBe(0.2);
    expect(high - low).toBeGreaterThan(0.4);
  });

  it('has no interval with fewer than three batches, or one that outweighs the others', () => {
    expect(batchRate(sumsOf(even.slice(0, 2)))).toMatchObject({ value: 0.2, low: 0, high: 1 });
    expect(batchRate(sumsOf([[200, 1_000], ...even.slice(0, 2)]))).toMatchObject({ low: 0, high: 1 });
    expect(batchRate(sumsOf([]))).toEqual({ value: 0, low: 0, high: 1, of: 0 });
  });

  it('keeps 0 and 1 exact, and widens as the evidence fades', () => {
    const never = sumsOf(even.map(([, of]) => [0, of]));
    expect(batchRate(never)).toMatchObject({ value: 0, low: 0 });
    expect(batchRate(never, 0.01).high).toBeGreaterThan(5 * batchRate(never).high);
    expect(batchRate(sumsOf(even.map(([, of]) => [of, of])))).toMatchObject({ value: 1, high: 1 });
  });
});
