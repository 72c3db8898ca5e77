import { describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/lib/system-clock.js';
import { fixture } from './fixture.js';

describe('a long run', () => {
  it('leaves no timer and no growth after 100,000 tasks', async () => {
    const settings = { 'timeout.attemptMs': 10_000, 'breaker.failures': 5, 'limit.concurrency': 100 } as const;
    const { runner, executor, clock } = fixture(settings, { ports: { recordEnd: () => true } });
    for (let task = 0; task < 100_000; task++) {
      await runner.run(task % 10 === 0 ? `task ${task}` : 'ask', () => task);
    }
    expect(clock.pending).toBe(0);
    const { models } = executor.saveState() as { models: unknown[] };
    expect(models.length).toBeLessThanOrEqual(1_000);
  }, 120_000);

  it('leaves no timer on the real clock either', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const { runner } = fixture({ 'timeout.attemptMs': 60_000, 'timeout.taskMs': 60_000 }, { clock: new SystemClock() });
    for (let task = 0; task < 1_000; task++) await runner.run('ask', async () => task);
    expect(timers()).toBe(before);
  });
});
