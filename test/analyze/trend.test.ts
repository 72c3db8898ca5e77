import { describe, expect, it } from 'vitest';
import { Series } from '../../src/analyze/series.js';
import { findTrend } from '../../src/analyze/trend.js';
import { seededRandom } from '../../src/lib/random.js';

/** The trend at the end of 14 days of 100 outcomes an hour, of which `failing` say how many fail. */
function trendOf(failing: (hour: number) => number, outcomes: (hour: number) => number = () => 100) {
  const failures = new Series(1, 400);
  const all = new Series(1, 400);
  for (let hour = 0; hour < 336; hour++) {
    if (outcomes(hour) > 0) all.add(hour, 0, outcomes(hour));
    if (failing(hour) > 0) failures.add(hour, 0, failing(hour));
  }
  return findTrend(failures, all, { first: 168, last: 335 }).trend;
}

describe('findTrend', () => {
  it('is steady when the rate stays, also when the work doubles', () => {
    expect(trendOf(() => 5)).toBe('steady');
    const busy = (hour: number) => (hour < 252 ? 100 : 200);
    expect(trendOf((hour) => busy(hour) / 20, busy)).toBe('steady');
  });

  it('rises and falls by rate', () => {
    expect(trendOf((hour) => (hour < 252 ? 5 : 8))).toBe('rising');
    expect(trendOf((hour) => (hour < 252 ? 8 : 5))).toBe('falling');
    const dying = (hour: number) => (hour < 252 ? 100 : 50);
    expect(trendOf(() => 5, dying)).toBe('rising');
  });

  it('changes in at most 3 % of the streams in which nothing changed, with a look every hour for four days', () => {
    const random = seededRandom(2);
    const lives = 200;
    let alarms = 0;
    for (let life = 0; life < lives; life++) {
      const [failures, all] = [new Series(1, 400), new Series(1, 400)];
      const rate = [0.05, 0.2, 0.5][life % 3] ?? 0;
      let isAlarmed = false;
      for (let hour = 0; hour < 96; hour++) {
        for (let task = 0; task < 20; task++) {
          all.add(hour, 0, 1);
          if (random() < rate) failures.add(hour, 0, 1);
        }
        const { trend } = findTrend(failures, all, { first: 0, last: hour });
        isAlarmed ||= trend === 'rising' || trend === 'falling';
      }
      if (isAlarmed) alarms++;
    }
    expect(alarms / lives).toBeLessThanOrEqual(0.03);
  });

  it('rises within 13 hours of a doubling at 20 tasks an hour', () => {
    const random = seededRandom(3);
    const [failures, all] = [new Series(1, 400), new Series(1, 400)];
    let seen = 0;
    for (let hour = 0; hour < 96 && seen === 0; hour++) {
      all.add(hour, 0, 20);
      for (let task = 0; task < 20; task++) if (random() < (hour < 48 ? 0.2 : 0.4)) failures.add(hour, 0, 1);
      if (findTrend(failures, all, { first: 0, last: hour }).trend === 'rising') seen = hour;
    }
    expect(seen).toBeGreaterThanOrEqual(48);
    expect(seen).toBeLessThanOrEqual(61);
  });

  it('is new when it was first seen in the later half of the window', () => {
    expect(trendOf((hour) => (hour < 260 ? 0 : 5))).toBe('new');
  });

  it('is resolved when silence is no chance, and not when the task itself was silent', () => {
    expect(trendOf((hour) => (hour < 320 ? 5 : 0))).toBe('resolved');
    expect(
      trendOf(
        (hour) => (hour < 320 ? 5 : 0),
        (hour) => (hour < 320 ? 100 : 0),
      ),
    ).not.toBe('resolved');
  });

  it('is not resolved by a silence that a bursty pattern has shown before', () => {
    expect(trendOf((hour) => (hour % 48 < 2 ? 30 : 0))).not.toBe('resolved');
  });

  it('has returned when it came back from such a silence lately', () => {
    expect(trendOf((hour) => (hour < 100 || hour > 300 ? 5 : 0))).toBe('returned');
    expect(trendOf((hour) => (hour < 20 || hour > 175 ? 5 : 0))).toBe('steady');
  });
});
