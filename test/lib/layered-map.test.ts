import { describe, expect, it } from 'vitest';
import { LayeredMap } from '../../src/lib/layered-map.js';
import { seededRandom } from '../../src/lib/random.js';

describe('a layered map', () => {
  it('holds what a map holds, in its order, and older ones stay as they were', () => {
    const random = seededRandom(1);
    let layered = new LayeredMap<number, string>();
    const map = new Map<number, string>();
    const kept: { readonly before: LayeredMap<number, string>; readonly values: readonly string[] }[] = [];
    for (let step = 0; step < 5_000; step++) {
      const key = Math.floor(random() * 300);
      if (step % 500 === 0) kept.push({ before: layered, values: [...map.values()] });
      // A key that was removed is not added again: only then is its place the same in both.
      if (random() < 0.02 && key < 150) {
        layered = layered.without(key);
        map.delete(key);
      } else if (key >= 150 || map.has(key)) {
        layered = layered.with(key, `${step}`);
        map.set(key, `${step}`);
      }
    }
    expect([...layered.values()]).toEqual([...map.values()]);
    expect(layered.size).toBe(map.size);
    for (let key = 0; key < 300; key++) expect(layered.get(key)).toBe(map.get(key));
    for (const { before, values } of kept) expect([...before.values()]).toEqual(values);
  });

  it('forgets a key that was removed before and after it became part of the base', () => {
    let layered = new LayeredMap<number, number>();
    for (let key = 0; key < 100; key++) layered = layered.with(key, key);
    for (let key = 0; key < 100; key += 2) layered = layered.without(key);
    expect([...layered.values()]).toEqual(Array.from({ length: 50 }, (_, index) => 2 * index + 1));
    expect([layered.size, layered.has(2), layered.has(3)]).toEqual([50, false, true]);
    expect([...layered.with(2, 7).values()]).toContain(7);
  });
});
