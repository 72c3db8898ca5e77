import { describe, expect, it } from 'vitest';
import { ClockWatch } from '../../src/lib/clock-watch.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const HOUR_MS = 3_600_000;

async function watchAfter(passMs: number, jumpMs: number) {
  const clock = new ManualClock(0);
  const watch = new ClockWatch(clock);
  expect(watch.look()).toBeUndefined(); // the first look has nothing to compare with
  await clock.advance(passMs);
  clock.set(clock.now() + jumpMs);
  return { clock, watch };
}

describe('a clock that is watched', () => {
  it.each([HOUR_MS, -HOUR_MS, 60_001])('jumps by %d ms, once', async (ms) => {
    const { clock, watch } = await watchAfter(5_000, ms);
    expect(watch.look()).toEqual({ lookedMs: 0, fromMs: 5_000, toMs: 5_000 + ms });
    await clock.advance(10 * HOUR_MS);
    expect(watch.look()).toBeUndefined();
  });

  it('does not jump if it is corrected by up to a minute, or stands still', async () => {
    const { clock, watch } = await watchAfter(HOUR_MS, -60_000);
    expect(watch.look()).toBeUndefined();
    clock.isStuck = true;
    await clock.advance(HOUR_MS);
    expect(watch.look()).toBeUndefined();
    clock.isStuck = false;
    await clock.advance(HOUR_MS);
    expect(watch.look()).toBeUndefined();
  });

  it('knows how much time since a moment did not pass', async () => {
    const { clock, watch } = await watchAfter(HOUR_MS, 2 * HOUR_MS);
    watch.look();
    expect([watch.aheadSince(0), watch.aheadSince(4 * HOUR_MS)]).toEqual([2 * HOUR_MS, 0]);
    clock.set(clock.now() - 2 * HOUR_MS);
    watch.look();
    expect(watch.aheadSince(0)).toBe(0);
  });
});
