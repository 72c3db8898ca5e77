import { describe, expect, it } from 'vitest';
import { claims, eNeeded } from '../../../integrations/prove/claims.js';
import { seededRandom } from '../../../src/lib/random.js';

const count = (eValues: readonly number[]) => claims(eValues).filter(Boolean).length;
const others = (length: number) => new Array<number>(length).fill(0.5);

describe('claims', () => {
  it('needs 400 for the first of 20 lines, less for each further one, and never less than 20', () => {
    expect(count([399, ...others(19)])).toBe(0);
    expect(count([400, ...others(19)])).toBe(1);
    expect(count([1e6, 189, ...others(18)])).toBe(1);
    expect(count([1e6, 190, ...others(18)])).toBe(2);
    expect(count(new Array(20).fill(19.9))).toBe(0);
    expect(count(new Array(20).fill(20))).toBe(20);
    expect([0, 1, 4, 19].map((claimed) => eNeeded(claimed, 20))).toEqual([400, 190, 64, 20]);
  });

  it('names the lines, whatever their order', () => {
    expect(claims([1, 500, 0, 500])).toEqual([false, true, false, true]);
    expect(claims([])).toEqual([]);
  });

  it('makes no claim that fails for some set of the lines', () => {
    const random = seededRandom(3);
    for (let round = 0; round < 300; round++) {
      const values = Array.from({ length: 7 }, () => Math.exp(8 * random()) / 3);
      const claimed = claims(values);
      const total = claimed.filter(Boolean).length;
      for (let set = 1; set < 2 ** values.length; set++) {
        const inSet = values.flatMap((value, line) => ((set >> line) & 1 ? [{ value, isClaimed: claimed[line] }] : []));
        const mean = inSet.reduce((sum, { value }) => sum + value, 0) / inSet.length;
        const isClaimed = inSet.filter((line) => line.isClaimed).length;
        if (total > 0 && mean < isClaimed / (0.05 * total) - 1e-9) expect.fail(`${values} in ${set}`);
      }
    }
  });
});
