import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStore } from 'rsi-loop/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { networkError, World } from './world.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-loop-auto-fix-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A fault that a second call mends too rarely for a quick verdict. Counts the calls. */
function flaky(world: World) {
  const seen = { calls: 0 };
  const weather = ({ number }: { number: number }) => {
    seen.calls++;
    return world.happens(number === 1 ? 0.3 : 0.8) ? networkError() : undefined;
  };
  return { seen, weather };
}

/** Opens two loops over one folder. The first one leads. */
async function pair(leads: { autoFix: boolean }, follows: { autoFix: boolean }) {
  const leader = new World({ store: new FileStore(folder, { writer: 'leader000000' }), ...leads });
  await leader.loop.ready();
  await leader.loop.runCycle();
  const follower = new World({ store: new FileStore(folder, { writer: 'follower0000' }), ...follows }, { seed: 8 });
  await follower.loop.ready();
  return { leader, follower };
}

/** Whether chance ended the trial: a confirmed fix applies in every process. */
const isOver = ({ loop }: World) => loop.fixes().some(({ verdict }) => verdict !== undefined);

describe('autoFix: false', () => {
  it('keeps a process out of trials that no person approved, although another one leads', async () => {
    const { leader, follower } = await pair({ autoFix: true }, { autoFix: false });
    const [ofLeader, ofFollower] = [flaky(leader), flaky(follower)];
    let [led, followed] = [0, 0];
    for (let round = 0; round < 5; round++) {
      led += 30;
      await leader.work(30, ofLeader.weather, { cycleEvery: 30 });
      if (isOver(leader)) break;
      followed += 30;
      await follower.work(30, ofFollower.weather, { cycleEvery: 30 });
    }
    expect(follower.loop.fixes()[0]).toMatchObject({ decision: { kind: 'approved', by: 'auto' } });
    expect(ofFollower.seen.calls).toBe(followed);
    expect(ofLeader.seen.calls).toBeGreaterThan(led);
    await Promise.all([leader.loop.close(), follower.loop.close()]);
  });

  it('lets a process take part as soon as a person approved', async () => {
    const { leader, follower } = await pair({ autoFix: false }, { autoFix: false });
    const [ofLeader, ofFollower] = [flaky(leader), flaky(follower)];
    await leader.work(30, ofLeader.weather, { cycleEvery: 30 });
    const [fix] = leader.loop.fixes({ status: 'proposed' });
    await leader.loop.approve(fix?.id ?? '', { by: 'ada' });
    await leader.loop.runCycle();
    await follower.loop.runCycle();
    await follower.work(60, ofFollower.weather, { cycleEvery: 60 });
    expect(ofFollower.seen.calls).toBeGreaterThan(60);
    await Promise.all([leader.loop.close(), follower.loop.close()]);
  });

  it('of the process that leads decides nothing for the others', async () => {
    const { leader, follower } = await pair({ autoFix: false }, { autoFix: true });
    const [ofLeader, ofFollower] = [flaky(leader), flaky(follower)];
    let tasks = 0;
    while (tasks < 150 && !isOver(leader)) {
      tasks += 30;
      await follower.work(30, ofFollower.weather, { cycleEvery: 30 });
      await leader.work(30, ofLeader.weather, { cycleEvery: 30 });
    }
    expect(leader.loop.fixes()[0]).toMatchObject({ decision: { kind: 'approved', by: 'auto' } });
    expect(ofLeader.seen.calls).toBe(tasks);
    expect(ofFollower.seen.calls).toBeGreaterThan(tasks);
    await Promise.all([leader.loop.close(), follower.loop.close()]);
  });
});
