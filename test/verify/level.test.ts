import { describe, expect, it } from 'vitest';
import { levelOf } from '../../src/verify/level.js';

const first = { trial: 1, confirmed: 0, attempt: 1 };

describe('levelOf', () => {
  it('asks of the first trial of a loop no more than of the first attempt on a pattern', () => {
    expect(levelOf(first)).toBe(0.025);
    expect(levelOf({ ...first, attempt: 2 })).toBeCloseTo(0.05 / 6, 12);
  });

  it('never spends more than alpha on all trials of a loop, however many there are', () => {
    let spent = 0;
    for (let trial = 1; trial <= 200_000; trial++) spent += levelOf({ ...first, trial });
    expect(spent).toBeLessThan(0.05);
    // The rest after 200,000 trials is the tail of the sum.
    expect(spent).toBeGreaterThan(0.049);
  });

  it('gives a later trial more where fixes were confirmed before, but never more than its attempt may have', () => {
    const later = { ...first, trial: 20 };
    expect(levelOf({ ...later, confirmed: 4 })).toBeCloseTo(5 * levelOf(later), 12);
    expect(levelOf({ ...later, confirmed: 10_000 })).toBe(0.025);
    expect(levelOf({ ...later, confirmed: 10_000, attempt: 3 })).toBeCloseTo(0.05 / 12, 12);
  });

  it('says what is wrong with a place that cannot be', () => {
    expect(() => levelOf({ ...first, trial: 0 })).toThrow('trial is 0: give a whole number from 1');
    expect(() => levelOf({ ...first, attempt: 1.5 })).toThrow('attempt is 1.5: give a whole number from 1');
  });
});
