import { describe, expect, it } from 'vitest';
import { RepeatCache } from '../../src/observe/repeat-cache.js';

function ask(seen: RepeatCache<string>, key: string): string {
  const known = seen.get(key);
  if (known === undefined) seen.set(key, `value of ${key}`);
  return known ?? 'not known';
}

describe('what was seen before', () => {
  it('is kept from the second time on', () => {
    const seen = new RepeatCache<string>(16);
    expect([1, 2, 3].map(() => ask(seen, 'again'))).toEqual(['not known', 'not known', 'value of again']);
  });

  it('is never taken for something else, however many keys share a place', () => {
    const seen = new RepeatCache<string>(4);
    for (let round = 0; round < 4; round++) {
      for (let index = 0; index < 500; index++) {
        const key = `key ${index % (round * 7 + 3)}`;
        expect(['not known', `value of ${key}`]).toContain(ask(seen, key));
      }
    }
  });

  it('is not taken for another key with the same hash', () => {
    const seen = new RepeatCache<string>(16);
    // Found by trying numbers.
    const [one, other] = ['key 549599', 'key 712382'];
    for (let round = 0; round < 3; round++) ask(seen, one);
    expect(ask(seen, other)).toBe('not known');
    expect([seen.get(one), seen.get(other)]).toEqual([`value of ${one}`, `value of ${other}`]);
  });

  it('keeps several that belong into the same place', () => {
    const seen = new RepeatCache<string>(4);
    const keys = ['one', 'two', 'three'];
    for (let round = 0; round < 9; round++) for (const key of keys) ask(seen, key);
    expect(keys.map((key) => ask(seen, key)).filter((answer) => answer !== 'not known').length).toBeGreaterThan(0);
  });

  /** Asks for a key often enough to have it stored. */
  const store = (seen: RepeatCache<string>, key: string) => [1, 2].map(() => ask(seen, key));

  it('is kept for four keys of one place, and a fifth one takes the place of the oldest', () => {
    const seen = new RepeatCache<string>(4);
    const keys = ['one', 'two', 'three', 'four'];
    for (const key of keys) store(seen, key);
    expect(keys.map((key) => seen.get(key))).toEqual(keys.map((key) => `value of ${key}`));
    store(seen, 'five');
    expect([...keys, 'five'].map((key) => seen.get(key) !== undefined)).toEqual([false, true, true, true, true]);
    for (const key of ['six', 'seven', 'eight', 'nine']) store(seen, key);
    expect(['five', 'six', 'seven', 'eight', 'nine'].map((key) => seen.get(key) !== undefined)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  it('is not lost to texts that never come again', () => {
    const seen = new RepeatCache<string>(16);
    store(seen, 'again');
    for (let index = 0; index < 5_000; index++) ask(seen, `new ${index}`);
    expect(ask(seen, 'again')).toBe('value of again');
    expect(
      Array.from({ length: 5_000 }, (_, index) => seen.get(`new ${index}`)).every((one) => one === undefined),
    ).toBe(true);
  });

  it('is spread over all places, so that a quarter of them holds nearly every key', () => {
    for (const name of [
      (index: number) => `key ${index}`,
      (index: number) => `${index} times out after 30 s`,
      (index: number) => 'x'.repeat(index + 1),
      (index: number) => String.fromCharCode(0x4e00 + index),
    ]) {
      const seen = new RepeatCache<string>(1_024);
      const keys = Array.from({ length: 256 }, (_, index) => name(index));
      for (const key of keys) store(seen, key);
      const known = keys.filter((key) => seen.get(key) === `value of ${key}`);
      expect(known.length).toBeGreaterThan(205);
    }
  });
});
