import type { RSILoop } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { networkError, World } from './world.js';

const DAY_MS = 86_400_000;

const problemsOf = (loop: RSILoop): string[] => {
  const problems: string[] = [];
  loop.on('problem', ({ where, message }) => problems.push(`${where}: ${message}`));
  return problems;
};
const mends = (world: World) => (attempt: { readonly number: number }) =>
  attempt.number === 1 && world.happens(0.2) ? networkError() : undefined;

describe('a clock that jumps 400 days ahead, and back later', () => {
  it('is reported each time, ends no trial and teaches nothing; the trial then ends by its evidence', async () => {
    const world = new World();
    const problems = problemsOf(world.loop);
    await world.work(60, mends(world));
    expect(world.loop.fixes()).toMatchObject([{ status: 'trial' }]);
    const deadlineMs = world.loop.fixes()[0]?.trial?.deadlineMs ?? 0;
    world.clock.set(world.clock.now() + 400 * DAY_MS);
    await world.work(20, mends(world), { cycleEvery: 5 });
    expect(world.loop.fixes()).toMatchObject([{ status: 'trial', trial: { deadlineMs: deadlineMs + 400 * DAY_MS } }]);
    world.clock.set(world.clock.now() - 400 * DAY_MS);
    await world.work(900, mends(world));
    expect(world.loop.fixes().at(-1)).toMatchObject({ status: 'confirmed', verdict: { kind: 'confirmed' } });
    const advice = 'trials keep their time; if it was neither set nor suspended, look at its time service';
    expect(problems).toEqual([
      `clock: the clock of this machine jumped ahead by 400 days: ${advice}`,
      `clock: the clock of this machine jumped back by 400 days: ${advice}`,
    ]);
    await world.loop.close();
  });

  it('does not count tasks that it made overdue as failures of their arm', async () => {
    const world = new World({ policy: { 'timeout.taskMs': 0 } });
    await world.work(60, mends(world));
    const [fix] = world.loop.fixes();
    const open = Array.from({ length: 40 }, () => world.loop.begin('api_call'));
    await world.clock.advance(1_000);
    await world.loop.runCycle();
    const before = world.loop.verifier.figures(fix?.id ?? ('' as never));
    world.clock.set(world.clock.now() + 400 * DAY_MS);
    await world.loop.runCycle();
    for (const task of open) task.end({ success: true });
    await world.clock.advance(1_000);
    await world.loop.runCycle();
    expect(world.loop.verifier.figures(fix?.id ?? ('' as never))?.fix.failures).toBe(before?.fix.failures);
    expect(world.loop.fixes()).toMatchObject([{ status: 'trial' }]);
    await world.loop.close();
  });
});
