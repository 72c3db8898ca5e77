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
});
