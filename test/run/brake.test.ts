import { describe, expect, it } from 'vitest';
import type { FixId } from '../../src/contract/ids.js';
import { Brake, type WatchedEnd } from '../../src/run/brake.js';
import type { FixInPolicy } from '../../src/run/fixes-in-policy.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const fix: FixInPolicy = { fixId: 'few' as FixId, settings: ['limit.concurrency'], rate: 0.1, isBraked: true };
/** An end of another task each time. */
const ended = (parts: Partial<WatchedEnd> = {}): WatchedEnd => ({ ...QUICK, task: {}, ...parts });
const QUICK = { priceMs: 20_000, queuedMs: 0, waitedMs: 0, workMs: 500, failed: false };
const first = (task: object = {}) => ({ task, beforeMs: 0, isFirst: true, priceMs: 20_000 });

function braking() {
  const clock = new ManualClock();
  const trips: string[] = [];
  let looks = 0;
  const brake = new Brake({
    clock,
    onTrip: (fixId, reason) => trips.push(`${fixId}: ${reason}`),
    whileWaiting: () => looks++,
  });
  return { clock, trips, brake, looks: () => looks };
}

describe('the brake', () => {
  it('turns off a fix whose queue does not move, within 250 ms after the bound', async () => {
    const { clock, trips, brake } = braking();
    const ends = Array.from({ length: 12 }, () => brake.wait([fix], first()));
    await clock.advance(2_000);
    expect(trips).toEqual([]);
    await clock.advance(250);
    expect(trips).toEqual(['few: 12 of 12 tasks waited more than 2 s before their first call']);
    expect(ends.map((end) => end())).toContain(2_250);
    await clock.advance(250);
    expect(clock.pending).toBe(0);
  });

  it('takes a wait that ends at the bound, late by its timer, for one within it', () => {
    for (const [queuedMs, trip] of [
      [60_900, false],
      [61_300, true],
    ] as const) {
      const { trips, brake } = braking();
      for (let task = 0; task < 100; task++) {
        brake.endedWithout(fix.fixId, true);
        const waits = task % 10 === 0 && { queuedMs, waitedMs: queuedMs };
        brake.ended([fix], ended({ priceMs: 600_000, ...waits }));
      }
      expect(trips.length > 0).toBe(trip);
    }
  });

  it('judges nothing before ten tasks, and allows a wait of one median duration', () => {
    const { trips, brake } = braking();
    for (let task = 0; task < 9; task++) brake.ended([fix], ended({ queuedMs: 9_000, waitedMs: 9_000 }));
    expect(trips).toEqual([]);
    for (let task = 0; task < 9; task++) {
      const slow = ended({ workMs: 30_000, queuedMs: 9_000, waitedMs: 100 });
      brake.ended([{ ...fix, fixId: 'slow' as FixId }], slow);
    }
    brake.ended([{ ...fix, fixId: 'slow' as FixId }], ended({ workMs: 30_000, queuedMs: 9_000, waitedMs: 100 }));
    expect(trips).toEqual([]);
    brake.ended([fix], ended({ queuedMs: 9_000, waitedMs: 9_000 }));
    expect(trips).toHaveLength(1);
  });

  it('compares all waits with what they can have prevented, by the tasks without the fix', () => {
    const retried = () => ended({ waitedMs: 15_000 });
    for (const [controlFailures, trip] of [
      [30, false],
      [0, true],
    ] as const) {
      const { trips, brake } = braking();
      brake.ended([fix], ended());
      for (let task = 0; task < 100; task++) brake.endedWithout(fix.fixId, task < controlFailures);
      for (let task = 0; task < 100; task++) brake.ended([fix], task % 4 === 0 ? retried() : ended());
      expect(trips.length > 0).toBe(trip);
    }
  });

  it('takes into account how uncertain the failure rate of few tasks without the fix is', () => {
    for (const [controls, trip] of [
      [40, false],
      [400, true],
    ] as const) {
      const { trips, brake } = braking();
      const rare = { ...fix, rate: 0.06 };
      brake.ended([rare], ended());
      for (let task = 0; task < controls; task++) brake.endedWithout(fix.fixId, false);
      for (let task = 0; task < 1_500; task++) {
        brake.ended([rare], task % 20 === 0 ? ended({ waitedMs: 15_000 }) : ended());
      }
      expect(trips.length > 0).toBe(trip);
    }
  });

  it('counts a wait when it is over, although its task goes on for long', async () => {
    const { clock, trips, brake } = braking();
    const rare = { ...fix, rate: 0.01 };
    const waits = () => Array.from({ length: 15 }, () => brake.wait([rare], first()));
    for (let round = 0; round < 5; round++) {
      const ends = waits();
      await clock.advance(1_500);
      for (const end of ends) end();
    }
    expect(trips).toEqual(['few: 45 tasks waited 56.3 s in all, for at most 3 prevented failures at 20 s each']);
  });

  it('counts each wait of a task once, also if it waits twice before its first call', async () => {
    const { clock, trips, brake } = braking();
    const tasks = Array.from({ length: 30 }, () => ({}));
    for (let wait = 0; wait < 2; wait++) {
      const ends = tasks.map((task) => brake.wait([fix], first(task)));
      await clock.advance(900);
      for (const end of ends) end();
    }
    for (const task of tasks) brake.ended([fix], ended({ task, queuedMs: 1_800, waitedMs: 1_800 }));
    expect(trips).toEqual([]);
    for (let task = 0; task < 10; task++) brake.ended([fix], ended({ queuedMs: 4_000, waitedMs: 4_000 }));
    expect(trips).toEqual(['few: 5 of 35 tasks waited more than 2 s before their first call']);
  });

  it('turns a fix off if tasks fail after their wait more often than tasks did before', () => {
    for (const [failures, trip] of [
      [13, undefined],
      [14, 'few: 14 of 20 tasks that waited before their first call failed'],
    ] as const) {
      const { trips, brake } = braking();
      for (let task = 0; task < 20; task++) {
        brake.ended([{ ...fix, rate: 0.2 }], ended({ queuedMs: 500, waitedMs: 500, failed: task >= 20 - failures }));
      }
      expect(trips).toEqual(trip === undefined ? [] : [trip]);
    }
  });

  it('turns a fix off at its first full queue, unless a person applied it', () => {
    const { trips, brake } = braking();
    brake.refused([fix, { ...fix, fixId: 'mine' as FixId, isBraked: false }]);
    expect(trips).toEqual(['few: its queue was full']);
  });

  it('looks at the decisions of others while a task waits, and not longer', async () => {
    const { clock, brake, looks } = braking();
    const end = brake.wait([{ ...fix, isBraked: false }], first());
    await clock.advance(1_000);
    expect(looks()).toBe(4);
    end();
    await clock.advance(1_000);
    expect(looks()).toBe(4);
  });
});
