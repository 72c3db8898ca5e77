import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QuantileSketch } from '../../src/lib/quantile-sketch.js';

const values = fc.array(fc.double({ min: 1, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 200 });

function sketchOf(numbers: readonly number[]): QuantileSketch {
  const sketch = new QuantileSketch();
  for (const number of numbers) sketch.add(number);
  return sketch;
}

describe('QuantileSketch', () => {
  it('is at most 2.5 % off', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(0.1, 0.5, 0.9, 1), (numbers, share) => {
        const sorted = [...numbers].sort((a, b) => a - b);
        const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
        const found = sketchOf(numbers).quantile(share) ?? 0;
        expect(Math.abs(found - exact) / exact).toBeLessThan(0.0251);
      }),
      { seed: 1 },
    );
  });

  it('adds up, in any order, and survives being kept', () => {
    fc.assert(
      fc.property(values, values, (one, other) => {
        const sum = sketchOf(one);
        sum.addAll(sketchOf(other));
        const whole = sketchOf([...other, ...one]);
        expect(sum.snapshot()).toEqual(whole.snapshot());
        expect(QuantileSketch.restore(sum.snapshot()).quantiles([0.5, 0.9])).toEqual(whole.quantiles([0.5, 0.9]));
      }),
      { seed: 1 },
    );
  });

  it('has no quantile while empty and takes nothing that is no number', () => {
    const sketch = new QuantileSketch();
    sketch.add(Number.NaN);
    sketch.add(5, 0);
    expect(sketch.quantile(0.5)).toBeUndefined();
    sketch.add(Number.POSITIVE_INFINITY);
    sketch.add(-3);
    expect(sketch.quantile(0.1)).toBe(1);
  });
});
