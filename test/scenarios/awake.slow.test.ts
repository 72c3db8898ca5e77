import { describe, expect, it } from 'vitest';
import { networkError, type Weather, World } from './world.js';

/** A retry mends what fails now and then. */
const mends: (world: World) => Weather = (world) => () => (world.happens(0.2) ? networkError() : undefined);
/** The far side has begun to punish retries: a task with retries fails twice as often, on each attempt. */
function punishes(world: World): Weather {
  let task = -1;
  let failing = false;
  return ({ task: now, policy }) => {
    if (now !== task) failing = world.happens(policy['retries.network'] > 0 ? 0.4 : 0.2);
    task = now;
    return failing ? networkError() : undefined;
  };
}

describe('a confirmed fix that begins to harm', () => {
  it('is noticed on all tasks, tried afresh, taken back within 400 tasks, and tried again once it may help', async () => {
    const world = new World();
    const shares: number[] = [];
    await world.work(900, mends(world));
    const fix = () => world.loop.fixes().find(({ target }) => target === 'retries.network');
    expect(fix()).toMatchObject({ status: 'confirmed', trial: { phase: 'holdout' } });
    expect(fix()?.trial?.share).toBeGreaterThanOrEqual(0.9);

    const weather = punishes(world);
    let tasks = 0;
    for (; tasks < 1_000 && fix()?.status === 'confirmed'; tasks += 20) {
      await world.work(20, weather, { cycleEvery: 20 });
      shares.push(fix()?.trial?.share ?? 0);
    }
    expect(shares).toContain(0.5);
    expect(fix()).toMatchObject({ status: 'rolled-back', verdict: { kind: 'failed' } });
    expect(tasks).toBeLessThanOrEqual(400);
    expect(world.loop.policy('api_call')['retries.network']).toBe(0);
    const [last] = world.loop.explain(fix()?.id ?? '').history.slice(-1);
    expect(last).toMatchObject({ kind: 'fix-moved', to: 'rolled-back' });

    // Not immediately: a day later, and then by a trial like any other.
    await world.work(100, mends(world));
    expect(fix()?.status).toBe('rolled-back');
    await world.work(2_500, mends(world));
    expect(fix()).toMatchObject({ status: 'confirmed' });
    // Attempts count from the confirmation before.
    const { history } = world.loop.explain(fix()?.id ?? '');
    const confirmed = history.filter((entry) => entry.kind === 'fix-moved' && entry.to === 'confirmed');
    expect(confirmed.length).toBeGreaterThan(1);
    await world.loop.close();
  });
});
