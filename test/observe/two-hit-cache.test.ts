import { describe, expect, it } from 'vitest';
import { TwoHitCache } from '../../src/observe/two-hit-cache.js';

function ask(seen: TwoHitCache<string>, key: string): string {
  const known = seen.get(key);
  if (known === undefined) seen.set(key, `value of ${key}`);
  return known ?? 'not known';
}

describe('what was seen before', () => {
  it('is kept from the second time on', () => {
    const seen = new TwoHitCache<string>(16);
    expect([1, 2, 3].map(() => ask(seen, 'again'))).toEqual(['not known', 'not known', 'value of again']);
  });

  it('is never taken for something else, however many keys share a place', () => {
    const seen = new TwoHitCache<string>(4);
    for (let round = 0; round < 4; round++) {
      for (let index = 0; index < 500; index++) {
        const key = `key ${index % (round * 7 + 3)}`;
        expect(['not known', `value of ${key}`]).toContain(ask(seen, key));
      }
    }
  });

  it('keeps several that belong into the same place', () => {
    const seen = new TwoHitCache<string>(4);
    const keys = ['one', 'two', 'three'];
    for (let round = 0; round < 9; round++) for (const key of keys) ask(seen, key);
    expect(keys.map((key) => ask(seen, key)).filter((answer) => answer !== 'not known').length).toBeGreaterThan(0);
  });
});
