import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../../src/lib/bounded-map.js';

describe('BoundedMap', () => {
  it('holds as many entries as it may, and returns the oldest when one more comes', () => {
    const map = new BoundedMap<number>(2);
    expect([map.put('a', 1), map.put('b', 2), map.put('c', 3)]).toEqual([undefined, undefined, 1]);
    expect([...map]).toEqual([
      ['b', 2],
      ['c', 3],
    ]);
  });

  it('counts an entry that is put again as the newest', () => {
    const map = new BoundedMap<number>(2);
    map.put('a', 1);
    map.put('b', 2);
    expect([map.put('a', 3), map.put('c', 4)]).toEqual([undefined, 2]);
    expect([map.take('a'), map.take('a'), map.size]).toEqual([3, undefined, 1]);
  });
});
