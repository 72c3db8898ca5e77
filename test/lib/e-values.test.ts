import { describe, expect, it } from 'vitest';
import { eBenjaminiHochberg } from '../../src/lib/e-values.js';

describe('eBenjaminiHochberg', () => {
  it('asks a single one for 1 / alpha', () => {
    expect(eBenjaminiHochberg([20])).toEqual([true]);
    expect(eBenjaminiHochberg([19.9])).toEqual([false]);
  });

  it('asks for more the more were tried, and for less the more pass', () => {
    expect(eBenjaminiHochberg([40, 1, 1, 1])).toEqual([false, false, false, false]);
    expect(eBenjaminiHochberg([80, 1, 1, 1])).toEqual([true, false, false, false]);
    expect(eBenjaminiHochberg([1, 41, 40, 1])).toEqual([false, true, true, false]);
    expect(eBenjaminiHochberg([])).toEqual([]);
  });
});
