import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { Pace } from '../../src/lib/yield-to-event-loop.js';
import { HealthMeter } from '../../src/verify/health.js';
import { LiveHealth } from '../../src/verify/live-health.js';

const T0 = 1_700_000_000_000;

function outcome(number: number): Outcome {
  const id = `o${number}` as OutcomeId; // made up here, so no maker brands it
  return { id, task: `task ${number % 3}`, success: number % 4 > 0, atMs: T0 + number, source: 'generic', issues: [] };
}

it('counts each outcome once, whatever is recorded, read from the logs or asked while it is worked out in steps', async () => {
  const step = fc.constantFrom('record', 'settle', 'settle the newest', 'ask', 'prepare', 'go on');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const live = new LiveHealth();
      let recorded = 0;
      const unsettled: number[] = [];
      const settle = (number: number | undefined) => {
        if (number !== undefined) live.settle([outcome(number)], T0 + 1_000);
      };
      let preparing = live.prepare();
      const isRight = () => {
        const all = new HealthMeter();
        for (let number = 0; number < recorded; number++) all.add(outcome(number), T0 + 1_000);
        const [{ score, byTask }, expected] = [live.health(T0 + 1_000), all.health(T0 + 1_000)];
        expect(score).toBeCloseTo(expected.score, 12);
        for (const [task, one] of Object.entries(expected.byTask))
          expect(byTask[task]?.score).toBeCloseTo(one.score, 12);
      };
      for (const each of steps) {
        if (each === 'record') {
          unsettled.push(recorded);
          live.record(outcome(recorded++), T0 + 1_000);
        }
        if (each === 'settle') settle(unsettled.shift());
        if (each === 'settle the newest') settle(unsettled.pop());
        if (each === 'ask') isRight();
        if (each === 'prepare') preparing = live.prepare();
        if (each === 'go on') preparing.next();
      }
      await new Pace({ monotonic: () => 0 }).run(preparing);
      isRight();
    }),
  );
});

it('drops what the logs count now, however much of it there is', () => {
  const live = new LiveHealth();
  const all = new HealthMeter();
  for (let number = 0; number < 12_000; number++) {
    live.record(outcome(number), T0 + 20_000);
    all.add(outcome(number), T0 + 20_000);
  }
  for (let number = 0; number < 11_000; number++) live.settle([outcome(number)], T0 + 20_000);
  expect(live.health(T0 + 20_000)).toEqual(all.health(T0 + 20_000));
});

it('forgets the oldest outcomes of a process whose logs are not read', () => {
  const live = new LiveHealth();
  const newest = new HealthMeter();
  for (let number = 0; number <= 20_000; number++) {
    live.record(outcome(number), T0 + 30_000);
    if (number >= 10_000) newest.add(outcome(number), T0 + 30_000);
  }
  expect(live.health(T0 + 30_000)).toEqual(newest.health(T0 + 30_000));
});

it('saves what the logs hold, and nothing that only this process has recorded', () => {
  const [live, settled] = [new LiveHealth(), new HealthMeter()];
  for (const number of [1, 2, 3]) live.record(outcome(number), T0 + 1_000);
  live.settle([outcome(2)], T0 + 1_000);
  settled.add(outcome(2), T0 + 1_000);
  expect(live.snapshot()).toEqual(settled.snapshot());
  const restored = new LiveHealth({}, JSON.parse(JSON.stringify(live.snapshot())));
  expect(restored.health(T0 + 1_000)).toEqual(settled.health(T0 + 1_000));
  expect(restored.series()).toEqual(settled.series());
});
