import { describe, expect, it } from 'vitest';
import {
  benjaminiHochberg,
  binomialTail,
  countTail,
  hypergeometricSum,
  hypergeometricTail,
  logChoose,
  logGamma,
  wilsonRate,
} from '../../src/lib/statistics.js';

describe('wilsonRate', () => {
  it('gives the interval of the textbook', () => {
    // Newcombe 1998, table I: 81 of 263.
    const rate = wilsonRate(81, 263);
    expect(rate.low).toBeCloseTo(0.2553, 4);
    expect(rate.high).toBeCloseTo(0.3662, 4);
  });

  it('knows nothing without trials', () => {
    expect(wilsonRate(0, 0)).toEqual({ value: 0, low: 0, high: 1, of: 0 });
  });
});

describe('logGamma', () => {
  it('agrees with factorials and with gamma(1/2)', () => {
    expect(logGamma(11)).toBeCloseTo(Math.log(3_628_800), 10);
    expect(logGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 12);
    expect(logGamma(0.1)).toBeCloseTo(2.252712651734206, 10);
    expect(logGamma(1e6) / 12815504.569147611).toBeCloseTo(1, 12);
  });
});

describe('logChoose', () => {
  it('counts the ways to choose', () => {
    expect(Math.exp(logChoose(52, 5))).toBeCloseTo(2_598_960, 3);
    expect(logChoose(5, 6)).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe('hypergeometricTail', () => {
  it('solves the lady tasting tea', () => {
    const urn = { population: 8, marked: 4, drawn: 4 };
    expect(hypergeometricTail(4, urn)).toBeCloseTo(1 / 70, 12);
    expect(hypergeometricTail(3, urn)).toBeCloseTo(17 / 70, 12);
    expect(hypergeometricTail(0, urn)).toBe(1);
    expect(hypergeometricTail(5, urn)).toBe(0);
  });

  it('is the sum of its chances for every small urn', () => {
    for (let marked = 0; marked <= 7; marked++) {
      for (let drawn = 0; drawn <= 7; drawn++) {
        let sum = 0;
        for (let k = Math.min(marked, drawn); k >= 0; k--) {
          const log = logChoose(marked, k) + logChoose(7 - marked, drawn - k) - logChoose(7, drawn);
          sum += Math.exp(log);
          expect(hypergeometricTail(k, { population: 7, marked, drawn })).toBeCloseTo(sum, 10);
        }
      }
    }
  });
});

describe('binomialTail', () => {
  it('adds up the chances', () => {
    expect(binomialTail(2, 3, 0.5)).toBeCloseTo(0.5, 12);
    expect(binomialTail(8, 16, 0.08)).toBeCloseTo(1.1992813e-5, 11);
    expect(binomialTail(0, 3, 0)).toBe(1);
    expect(binomialTail(1, 3, 0)).toBe(0);
    expect(binomialTail(3, 3, 1)).toBe(1);
  });
});

describe('countTail', () => {
  it('is Poisson when the variance is the mean, and geometric for the size 1', () => {
    expect(countTail(3, 2, 2)).toBeCloseTo(1 - Math.exp(-2) * (1 + 2 + 2), 12);
    // Mean 1 and variance 2 make a geometric number: chance 2^-k of k or more.
    expect(countTail(5, 1, 2)).toBeCloseTo(1 / 32, 10);
    expect(countTail(0, 0, 0)).toBe(1);
    expect(countTail(1, 0, 0)).toBe(0);
  });
});

describe('hypergeometricSum', () => {
  it('gives the chances of one urn, and of two together', () => {
    const urn = { population: 8, marked: 4, drawn: 4 };
    expect(hypergeometricSum([urn])[4]).toBeCloseTo(1 / 70, 12);
    expect(hypergeometricSum([urn, urn])[8]).toBeCloseTo(1 / 4900, 12);
    expect(hypergeometricSum([urn, urn]).reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 12);
  });
});

describe('benjaminiHochberg', () => {
  it('adjusts as in the paper and keeps the order given', () => {
    const adjusted = benjaminiHochberg([0.04, 0.001, 0.03, 0.5]);
    expect(adjusted.map((q) => Number(q.toFixed(4)))).toEqual([0.0533, 0.004, 0.0533, 0.5]);
  });

  it('gives nothing for nothing', () => {
    expect(benjaminiHochberg([])).toEqual([]);
  });
});
