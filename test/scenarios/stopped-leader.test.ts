import { RSILoop } from 'rsi-loop';
import { expect, it } from 'vitest';
import { LifeClock } from '../lives/life-clock.js';
import { SharedFolder, SharedStore } from '../lives/shared-store.js';

it('says once that cycles may wait for a process that was stopped while it leads, and again when it stops again', async () => {
  const clock = new LifeClock(Date.UTC(2026, 0, 5));
  const folder = new SharedFolder();
  const stores = ['leader', 'follower'].map((name) => new SharedStore(folder, name, clock));
  const [leader, follower] = stores.map((store) => new RSILoop({ store, clock }));
  const problems: string[] = [];
  follower?.on('problem', ({ message }) => problems.push(message));
  await leader?.runCycle();
  for (let minute = 0; minute < 3; minute++) {
    await follower?.runCycle();
    clock.pass(45_000);
  }
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain('process leader runs but shows no sign of life since 2026-01-05');
  stores[0]?.beat();
  await follower?.runCycle();
  clock.pass(61_000);
  await follower?.runCycle();
  expect(problems).toHaveLength(2);
});
