import { describe, expect, it } from 'vitest';
import {
  amount,
  count,
  countOf,
  digits,
  dollars,
  duration,
  exact,
  percent,
  percentRange,
  rateOf,
  relative,
  score,
} from '../../../../integrations/dashboard/page/lib/format.js';

/** Units follow their number after a space that does not break. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('numbers on the page', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [3_140, '3,140'],
    [1_004_310, '1,004,310'],
    [2.6, '3'],
  ])('writes the count %d in full as %s', (value, text) => expect(count(value)).toBe(text));

  it('names what was counted', () => {
    expect(plain(countOf(1, 'task'))).toBe('1 task');
    expect(plain(countOf(3_140, 'task'))).toBe('3,140 tasks');
    expect(plain(countOf(2, 'fix', 'fixes'))).toBe('2 fixes');
  });

  it.each([
    [0, '0 %'],
    [0.000_42, '0.042 %'],
    [0.034, '3.4 %'],
    [0.28, '28 %'],
    [0.995, '99.5 %'],
    [0.999_6, '99.96 %'],
    [0.999_999_9, '99.99 %'],
    [1, '100 %'],
  ])('writes the share %d as %s', (value, text) => expect(plain(percent(value))).toBe(text));

  it('never writes a share below 1 as 100 %, or one above 0 as 0 %', () => {
    for (let power = 1; power < 15; power += 1) {
      expect(plain(percent(1 - 10 ** -power))).not.toBe('100 %');
      expect(plain(percent(10 ** -power))).not.toBe('0 %');
    }
  });

  it('never writes a rate without its denominator', () => {
    expect(plain(rateOf({ value: 0.28, of: 3_140 }))).toBe('28 % of 3,140');
    expect(rateOf({ value: 0, of: 0 })).toBe('not enough data');
  });

  it('says when an interval is not known yet', () => {
    expect(plain(percentRange({ low: 0.24, high: 0.33 }))).toBe('24 to 33 %');
    expect(percentRange({ low: 0, high: 1 })).toBe('not enough data');
  });

  it.each([
    [4.86, '4.9'],
    [40, '40'],
    [0.031_2, '0.031'],
    [1_234, '1,234'],
    [0, '0'],
    [0.000_01, '1.0e-5'],
    [25_000_000, '2.5e7'],
    [Number.POSITIVE_INFINITY, '∞'],
  ])('writes %d with two significant digits as %s', (value, text) => expect(digits(value)).toBe(text));

  it('never writes a score below 1 as 1', () => {
    expect(score(0.824)).toBe('0.82');
    expect(score(0.999_9)).toBe('0.999');
    expect(score(1)).toBe('1.00');
  });

  it.each([
    [420, '420 ms'],
    [3_200, '3.2 s'],
    [240_000, '4 min'],
    [7_560_000, '2.1 h'],
    [432_000_000, '5 d'],
  ])('writes %d ms as %s', (ms, text) => expect(plain(duration(ms))).toBe(text));

  it('shortens large amounts and small prices', () => {
    expect([950, 83_000, 999_600, 1_200_000].map((value) => plain(amount(value)))).toEqual([
      '950',
      '83 k',
      '1 M',
      '1.2 M',
    ]);
    expect([0.004_2, 3.1, 0].map(dollars)).toEqual(['$0.0042', '$3.10', '$0.00']);
  });
});

describe('times on the page', () => {
  it.each([
    [-1_000, 'just now'],
    [-59_000, '59 s ago'],
    [-60_000, '1 min ago'],
    [-7_200_000, '2 h ago'],
    [-172_800_000, '2 d ago'],
    [259_200_000, 'in 3 d'],
  ])('writes a time %d ms from now as %s', (distance, text) =>
    expect(plain(relative(1_700_000_000_000 + distance, 1_700_000_000_000))).toBe(text),
  );

  it('writes the exact time in the zone of the reader, with its offset', () => {
    const text = exact(1_700_000_000_000);
    expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d$/);
    expect(Date.parse(text.replace(' ', 'T').replace(' ', ''))).toBe(1_700_000_000_000);
    expect(exact(Number.NaN)).toBe('unknown time');
  });
});
