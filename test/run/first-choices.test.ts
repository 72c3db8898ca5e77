import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { FirstChoices } from '../../src/run/first-choices.js';

const LIST = ['a', 'b', 'c'];
const awake = (_model: string): boolean => false;

/** Runs tasks whose first model fails in this share. Returns how many asked each model first. */
function firsts(rate: number, mayTry = true, isResting = awake): Record<string, number> {
  const random = seededRandom(4);
  const choices = new FirstChoices(seededRandom(9), () => mayTry);
  const counts: Record<string, number> = { a: 0, b: 0, c: 0 };
  for (let task = 0; task < 5_000; task++) {
    const first = choices.order('answer', LIST, isResting)[0] ?? '';
    counts[first] = (counts[first] ?? 0) + 1;
    choices.count('answer', first, random() < rate);
  }
  return counts;
}

describe('another model first', () => {
  it('is asked in 2 to 5 % of the tasks, each of the list as often, where the first one fails regularly', () => {
    const { b = 0, c = 0 } = firsts(0.4);
    expect((b + c) / 5_000).toBeGreaterThan(0.02);
    expect((b + c) / 5_000).toBeLessThan(0.05);
    expect(Math.abs(b - c)).toBeLessThan(50);
  });

  it('is not asked where the first one works, where the loop may try nothing, or if it rests', () => {
    expect(firsts(0.02)).toEqual({ a: 5_000, b: 0, c: 0 });
    expect(firsts(0.4, false)).toEqual({ a: 5_000, b: 0, c: 0 });
    expect(firsts(0.4, true, (model) => model === 'b').b).toBe(0);
  });

  it('gives each of several others a first look of 20 calls, before most of the tasks that it will cost', () => {
    const looks = (list: readonly string[], tasks: number) => {
      const random = seededRandom(4);
      const choices = new FirstChoices(seededRandom(9), () => true);
      const counts: Record<string, number> = {};
      for (let task = 0; task < tasks; task++) {
        const first = choices.order('answer', list, awake)[0] ?? '';
        counts[first] = (counts[first] ?? 0) + 1;
        choices.count('answer', first, random() < 0.4);
      }
      return counts;
    };
    const { b = 0, c = 0 } = looks(LIST, 150);
    expect(Math.min(b, c)).toBeGreaterThanOrEqual(20);
    expect(b + c).toBeLessThan(50);
    // A single other model gets its calls from a trial.
    expect(looks(['a', 'b'], 150).b ?? 0).toBeLessThan(15);
  });

  it('keeps the rest of the list in its order', () => {
    const choices = new FirstChoices(
      () => 0.03,
      () => true,
    );
    for (let call = 0; call < 30; call++) choices.count('answer', 'a', true);
    expect(choices.order('answer', LIST, awake)).toEqual(['b', 'a', 'c']);
    expect(choices.order('other', LIST, awake)).toEqual(LIST);
  });
});
