import { describe, expect, it } from 'vitest';
import { World } from './world.js';

/** Tasks so close to each other that the trial draws blocks. */
const CLOSE = { everyMs: 20_000 };

/** As a client throws it: the wait is in a header only. */
function busy(seconds: number): Error {
  const headers = { 'retry-after': String(seconds) };
  return Object.assign(new Error('503 Service Unavailable'), { status: 503, headers });
}

/** A world whose host tries a retry that the announced wait forbids. */
function idleWorld() {
  const world = new World();
  world.loop.fixer.register({
    name: 'again',
    match: ({ issue }) => issue === 'server_error',
    propose: () => [{ set: { 'retries.server_error': 2 }, safe: true, reason: 'again' }],
  });
  const [voids, verdicts]: [string[], unknown[]] = [[], []];
  world.loop.on('fix-voided', ({ fix, reason }) => voids.push(`${fix.target}: ${reason}`));
  world.loop.on('verdict', (event) => verdicts.push(event));
  return { world, voids, verdicts };
}

describe('a trial whose arms did nothing different', () => {
  it('is void after 50 tasks that met its condition, says why, teaches nothing and has no verdict', async () => {
    const { world, voids, verdicts } = idleWorld();
    let calls = 0;
    let failures = 0;
    for (let round = 0; round < 40 && voids.length === 0; round++) {
      await world.work(
        50,
        ({ number }) => {
          calls++;
          if (number > 1 || !world.happens(0.3)) return undefined;
          failures++;
          return busy(15);
        },
        CLOSE,
      );
    }
    expect(voids).toEqual([
      'retries.server_error: both arms did the same: the announced wait of 15 s is longer than backoff.maxMs (10 s)',
    ]);
    expect(verdicts).toEqual([]);
    const [fix] = world.loop.fixes({ status: 'void' });
    expect(fix?.target).toBe('retries.server_error');
    expect(world.loop.explain(fix?.id ?? '').history.at(-1)).toMatchObject({ to: 'void', by: 'auto' });
    // A call per task: nothing was called again. Half of the failures are in the arm of the fix.
    expect([calls % 50, failures > 90, failures < 350]).toEqual([0, true, true]);
    await world.loop.close();
  });

  it('blocks no other change, and rests for a day before it is tried again', async () => {
    const { world, voids } = idleWorld();
    const weather = ({ number }: { number: number }) => (number === 1 && world.happens(0.3) ? busy(15) : undefined);
    for (let round = 0; round < 40 && voids.length === 0; round++) await world.work(50, weather, CLOSE);
    await world.work(50, weather, CLOSE);
    expect(world.loop.fixes().map(({ status, target }) => `${status} ${target}`)).toContain(
      'void retries.server_error',
    );
    const others = world.loop.fixes().filter(({ status }) => status === 'trial');
    expect(others.map(({ target }) => target)).toEqual(['backoff.maxMs+retries.server_error']);
    await world.loop.close();
  });

  it('goes on if a single task was called again', async () => {
    const { world, voids } = idleWorld();
    let isFirst = true;
    const weather = ({ number }: { number: number }) => {
      if (number > 1 || !world.happens(0.3)) return undefined;
      const wait = isFirst && world.loop.fixes({ status: 'trial' }).length > 0 ? 1 : 15;
      return busy(wait);
    };
    world.loop.on('trial-progressed', ({ figures }) => {
      if (figures.fix.units > 8) isFirst = false;
    });
    for (let round = 0; round < 20; round++) await world.work(50, weather);
    expect(voids).toEqual([]);
    await world.loop.close();
  });
});
