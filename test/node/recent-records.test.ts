import { describe, expect, it } from 'vitest';
import { RecentRecords } from '../../src/node/recent-records.js';
import { outcome } from './folder.js';

const outcomes = (...numbers: number[]) => numbers.map((number) => outcome(number));
const filled = (from: number, count: number) => {
  const recent = new RecentRecords();
  recent.want();
  for (let index = 0; index < count; index++) recent.add(from + index, outcome(from + index));
  return recent;
};

describe('records that were just written', () => {
  it('are given by position, and let go when later ones are asked for', () => {
    const recent = filled(0, 10);
    expect(recent.take(0, 4)).toEqual(outcomes(0, 1, 2, 3));
    expect(recent.take(4, Number.POSITIVE_INFINITY)).toEqual(outcomes(4, 5, 6, 7, 8, 9));
    expect(recent.take(0, 4)).toBeUndefined();
    expect(recent.take(10, 12)).toEqual([]);
  });

  it('are not here, so that the files are asked: before the first, beyond the last, and after something was erased', () => {
    const recent = filled(5, 3);
    expect(recent.take(4, 8)).toBeUndefined();
    expect(recent.take(9, 12)).toBeUndefined();
    recent.forget();
    expect(recent.take(5, 8)).toBeUndefined();
    recent.add(8, outcome(8));
    expect(recent.take(5, 9)).toBeUndefined();
    expect(recent.take(8, 9)).toEqual([outcome(8)]);
  });

  it('are not kept before a reader comes', () => {
    const recent = new RecentRecords();
    recent.add(0, outcome(0));
    expect(recent.take(0, 1)).toBeUndefined();
    recent.want();
    recent.add(1, outcome(1));
    expect(recent.take(1, 2)).toEqual([outcome(1)]);
  });

  it('are bounded if no reader takes them', () => {
    const recent = filled(0, 100_000);
    expect(recent.take(0, 10)).toBeUndefined();
    expect(recent.take(99_999, 100_000)).toEqual([outcome(99_999)]);
  });
});
