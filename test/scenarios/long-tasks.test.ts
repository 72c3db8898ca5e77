import { describe, expect, it } from 'vitest';
import { World } from './world.js';

const HOUR = 3_600_000;

/** Begins tasks one after another, each of them ending after this long; 20 % fail. */
async function workLong(world: World, count: number, lastsMs: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const open = world.loop.begin('nightly_report');
    await world.clock.advance(lastsMs);
    open.end(world.happens(0.2) ? { success: false, error: 'read ECONNRESET' } : { success: true });
    if (index % 10 === 9) await world.loop.runCycle();
  }
}

describe('tasks that take longer than an hour', () => {
  it('have a deadline of three times the slowest one, and do not count as failed', async () => {
    const world = new World();
    await workLong(world, 60, 1.5 * HOUR);
    const [fix] = world.loop.fixes();
    await workLong(world, 40, 1.5 * HOUR);
    const known = world.loop.explain(fix?.id ?? '');
    const { verdict } = known.fix;
    const figures = known.figures ?? (verdict && 'figures' in verdict ? verdict.figures : undefined);
    const tasks = (figures?.fix.tasks ?? 0) + (figures?.control.tasks ?? 0);
    const failures = (figures?.fix.failures ?? 0) + (figures?.control.failures ?? 0);
    expect(tasks).toBeGreaterThan(30);
    expect(failures / tasks).toBeLessThan(0.5);
    const open = world.loop.begin('nightly_report');
    expect(open.deadlineMs - world.clock.now()).toBe(4.5 * HOUR);
    expect(world.loop.begin('quick').deadlineMs - world.clock.now()).toBe(HOUR);
  });

  it('are told about when they end after their deadline', async () => {
    const world = new World();
    const problems: string[] = [];
    world.loop.on('problem', ({ message }) => problems.push(message));
    await workLong(world, 60, 60_000);
    expect(world.loop.fixes({ status: 'trial' })).toHaveLength(1);
    await workLong(world, 12, 2 * HOUR);
    await world.loop.runCycle();
    expect(problems.join('\n')).toMatch(/tasks ended after their deadline .* `deadlineMs` in loop.run/);
  });
});
