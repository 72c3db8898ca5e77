import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { placebo, type TimedEnd } from '../../src/verify/placebo.js';

const HOUR_MS = 3_600_000;

/** One task a minute; every twelve hours things go wrong for two of them, until the change. */
function recurring(days: number, fixedFromMs: number): TimedEnd[] {
  const random = seededRandom(1);
  return Array.from({ length: days * 1440 }, (_, minute) => {
    const atMs = minute * 60_000;
    const isBad = atMs % (12 * HOUR_MS) < 2 * HOUR_MS && atMs < fixedFromMs;
    return { atMs, success: random() >= (isBad ? 0.5 : 0.02) };
  });
}

describe('placebo', () => {
  it('shows that bad stretches end by themselves about as fast as after the change', () => {
    const changedMs = 20 * 12 * HOUR_MS + 2 * HOUR_MS;
    const found = placebo(recurring(14, Number.POSITIVE_INFINITY), { changedMs, windowMs: 2 * HOUR_MS });
    expect(found.observed).toBeLessThan(0.15);
    expect(found.byItself?.middle).toBeLessThan(0.5);
    expect(found.moments).toBeGreaterThan(10);
    expect(found.asFarByItself).toBeGreaterThan(0.2);
  });

  it('compares with the time before the change only', () => {
    const changedMs = 5 * 24 * HOUR_MS;
    const past = recurring(5, Number.POSITIVE_INFINITY);
    const worse = Array.from({ length: 1440 }, (_, minute) => ({ atMs: changedMs + minute * 60_000, success: false }));
    const options = { changedMs, windowMs: 6 * HOUR_MS };
    expect(placebo([...past, ...worse], options).byItself).toEqual(placebo(past, options).byItself);
  });

  it('says that it does not know when there is too little to compare', () => {
    expect(placebo([], { changedMs: 0, windowMs: 1000 })).toEqual({
      observed: undefined,
      byItself: undefined,
      moments: 0,
      asFarByItself: 1,
    });
    const short = recurring(1, Number.POSITIVE_INFINITY);
    expect(placebo(short, { changedMs: 2 * HOUR_MS, windowMs: 2 * HOUR_MS })).toMatchObject({ moments: 0 });
  });

  /** One task a minute. Each number gives the failures among the next ten, which come first. */
  const minutes = (...failures: number[]): TimedEnd[] =>
    failures.flatMap((of, index) =>
      Array.from({ length: 10 }, (_, task) => ({ atMs: (10 * index + task) * 60_000, success: task >= of })),
    );
  /** Compares 40 minutes before a change with 40 minutes after it, each in steps of ten. */
  const compare = (changedAfter: number, ...failures: number[]) =>
    placebo(minutes(...failures), { changedMs: changedAfter * 600_000, windowMs: 2_400_000 });

  it('compares the fall after the change with the falls after stretches that were as bad', () => {
    // In three earlier stretches 20, 16 and 16 of 40 failed: at least 0.8 of the 20 before the change. In two, only 15.
    expect(compare(12, 5, 5, 5, 5, 1, 5, 4, 5, 5, 5, 5, 5, 5, 5, 0, 0)).toEqual({
      observed: 0.5,
      byItself: {
        low: expect.closeTo(15 / 20, 12),
        middle: expect.closeTo(19 / 16, 12),
        high: expect.closeTo(19 / 16, 12),
      },
      moments: 3,
      asFarByItself: 0,
    });
  });

  it('names the quarters of all falls', () => {
    const found = compare(20, ...[8, 8, 8, 8, 4, 4, 4, 4, 8, 8, 8, 8, 2, 2, 2, 2], ...[8, 8, 8, 8], ...[4, 4, 4, 4]);
    // After 32, 32, 28, 28 and 26 failures of 40 came 8, 16, 14, 20 and 14.
    const high = expect.closeTo(14 / 26, 12);
    expect(found).toEqual({ observed: 0.5, byItself: { low: 0.5, middle: 0.5, high }, moments: 5, asFarByItself: 0.6 });
  });

  it('knows nothing without failures before the change, or with too few tasks there', () => {
    const nothing = { moments: 0, asFarByItself: 1 };
    expect(compare(8, 5, 5, 5, 5, 0, 0, 0, 0, 5, 5, 5, 5)).toEqual(nothing);
    const input = { changedMs: 8 * 600_000, windowMs: 0 };
    expect(placebo(minutes(5, 5, 5, 5, 5, 5, 5, 5), input)).toEqual(nothing);
    const ends = minutes(5);
    expect(placebo(ends, { changedMs: 600_000, windowMs: 600_000 })).toEqual(nothing);
    expect(placebo(ends.slice(1), { changedMs: 600_000, windowMs: 600_000 })).toEqual(nothing);
  });

  it('does not claim a fall while fewer than ten tasks ran since the change', () => {
    const found = placebo(minutes(5, 5, 5, 5, 0).slice(0, 49), { changedMs: 2_400_000, windowMs: 600_000 });
    expect(found).not.toHaveProperty('observed');
    expect(found).toMatchObject({ byItself: { middle: 1 }, asFarByItself: 1 });
    expect(compare(4, 5, 5, 5, 5, 0, 0, 0, 0)).toEqual({ observed: 0, moments: 0, asFarByItself: 1 });
  });

  it('leaves out stretches that are followed by a pause', () => {
    const ends = minutes(5, 0, 5).filter(({ atMs }) => atMs < 600_000 || atMs >= 1_200_000);
    expect(placebo(ends, { changedMs: 1_800_000, windowMs: 600_000 })).toEqual({ moments: 0, asFarByItself: 1 });
  });

  it('looks at 2,000 moments of a long past at most', () => {
    const past = Array.from({ length: 60_000 }, (_, minute) => ({ atMs: minute * 60_000, success: minute % 2 === 0 }));
    const { moments } = placebo(past, { changedMs: 59_000 * 60_000, windowMs: 10 * 60_000 });
    expect(moments).toBeLessThanOrEqual(2_000);
    expect(moments).toBeGreaterThan(1_950);
  });
});
