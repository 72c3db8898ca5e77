import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStore } from 'rsi-loop/node';
import { describe, expect, it } from 'vitest';
import { networkError, World } from './world.js';

const NOW_AND_THEN = 0.3;

describe('a loop that tries many fixes', () => {
  it('asks for more evidence after each freeze: a unfrozen trial starts again, and what it had used stays used', async () => {
    const world = new World();
    const flaky = () => (world.happens(NOW_AND_THEN) ? networkError() : undefined);
    const needed: number[] = [];
    for (let round = 0; round < 4; round++) {
      await world.work(40, flaky, { cycleEvery: 40 });
      const [trial] = world.loop.fixes({ status: 'trial' });
      const { overAllTrials } = world.loop.explain(trial?.id ?? '');
      expect(overAllTrials).toMatchObject({ trial: round + 1, opened: round + 1, attempt: round + 1 });
      needed.push(overAllTrials?.needed ?? 0);
      await world.loop.freeze({ by: 'ada', reason: 'it looks bad, so begin again' });
      await world.loop.unfreeze({ by: 'ada' });
    }
    expect(needed[0]).toBeCloseTo(40, 9);
    expect(needed.map((need, round) => need > (needed[round - 1] ?? 0))).toEqual([true, true, true, true]);
    expect(needed[3]).toBeGreaterThanOrEqual(20 * 4 * 5);
    await world.loop.close();
  });

  it('shows for a confirmed fix what it needed among all trials, and whether all of them together agree', async () => {
    const world = new World();
    const report = await world.work(1_200, () => (world.happens(NOW_AND_THEN) ? networkError() : undefined));
    const [fix] = report.fixes.filter(({ status }) => status === 'confirmed');
    const { overAllTrials, holdsOverAllTrials } = world.loop.explain(fix?.id ?? '');
    expect(overAllTrials).toMatchObject({ trial: 1, confirmedBefore: 0, attempt: 1 });
    expect(overAllTrials?.evidence).toBeGreaterThanOrEqual(overAllTrials?.needed ?? Number.POSITIVE_INFINITY);
    expect(holdsOverAllTrials).toBe(true);
    await world.loop.close();
  });

  it('remembers what its trials used when it is started again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-trials-'));
    const world = new World({ store: new FileStore(folder, { writer: 'first0000000' }) });
    const flaky = () => (world.happens(NOW_AND_THEN) ? networkError() : undefined);
    await world.work(40, flaky, { cycleEvery: 40 });
    await world.loop.freeze({ by: 'ada' });
    await world.loop.close();
    const again = new World(
      { store: new FileStore(folder, { writer: 'second000000' }) },
      { startMs: world.clock.now() },
    );
    await again.loop.ready();
    await again.loop.unfreeze({ by: 'ada' });
    await again.work(40, flaky, { cycleEvery: 40 });
    const [trial] = again.loop.fixes({ status: 'trial' });
    expect(trial?.trial?.place).toEqual({ trial: 2, confirmed: 0, attempt: 2 });
    await again.loop.close();
    rmSync(folder, { recursive: true });
  });
});
