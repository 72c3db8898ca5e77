import { describe, expect, it } from 'vitest';
import { type Plot, timeAt, xOf, yOf } from '../../../../integrations/dashboard/page/chart/plot.js';
import { timeTicks, valueTicks } from '../../../../integrations/dashboard/page/chart/ticks.js';

const DAY_MS = 86_400_000;
const PLOT: Plot = {
  left: 50,
  top: 10,
  width: 600,
  height: 160,
  fromMs: Date.UTC(2026, 10, 15, 3),
  toMs: Date.UTC(2026, 10, 22, 3),
  low: 0,
  high: 0.3,
  isLog: false,
};

describe('the axes of a chart', () => {
  it('have round values between their ends', () => {
    expect(valueTicks(PLOT, String).map(({ value }) => value)).toEqual([0, 0.1, 0.2, 0.3]);
    const log = { ...PLOT, isLog: true, low: 0.05, high: 900 };
    expect(valueTicks(log, String).map(({ value }) => value)).toEqual([0.1, 1, 10, 100]);
  });

  it('have times that begin days in the zone of the reader, far enough apart to be read', () => {
    for (const spanMs of [DAY_MS / 24, DAY_MS / 2, DAY_MS, 7 * DAY_MS, 60 * DAY_MS, 500 * DAY_MS]) {
      const plot = { ...PLOT, toMs: PLOT.fromMs + spanMs };
      const ticks = timeTicks(plot);
      expect(ticks.length, `${spanMs}`).toBeGreaterThan(0);
      expect(ticks.length, `${spanMs}`).toBeLessThanOrEqual(600 / 60);
      if (spanMs > 2 * DAY_MS) for (const { value } of ticks) expect(new Date(value).getHours()).toBe(0);
    }
  });

  it('place values and times so that they are read back', () => {
    const timeMs = PLOT.fromMs + DAY_MS;
    expect(timeAt(PLOT, xOf(PLOT, timeMs))).toBeCloseTo(timeMs, -1);
    expect(timeAt(PLOT, -100)).toBe(PLOT.fromMs);
    expect([yOf(PLOT, 0), yOf(PLOT, 0.3)]).toEqual([170, 10]);
    const log = { ...PLOT, isLog: true, low: 0.1, high: 1_000 };
    expect(yOf(log, 10)).toBeCloseTo(90);
    expect(Number.isFinite(yOf(log, 0))).toBe(true);
  });
});
