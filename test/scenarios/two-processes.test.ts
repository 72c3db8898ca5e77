import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStore } from 'rsi-loop/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { networkError, World } from './world.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-loop-two-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const flaky = (world: World) => () => (world.happens(0.25) ? networkError() : undefined);

describe('two loops over one folder', () => {
  it('share one trial and its verdict; only one of them decides', async () => {
    const leader = new World({ store: new FileStore(folder, { writer: 'leader000000' }) });
    const follower = new World({ store: new FileStore(folder, { writer: 'follower0000' }) }, { seed: 8 });
    await Promise.all([leader.loop.ready(), follower.loop.ready()]);
    await leader.work(60, flaky(leader), { cycleEvery: 30 });
    // Ids differ from run to run here, so luck does too: as many days as the proof takes.
    const hasVerdict = () => leader.loop.fixes()[0]?.verdict !== undefined;
    for (let day = 0; day < 60 && !hasVerdict(); day++) {
      await follower.work(30, flaky(follower), { cycleEvery: 30 });
      // The last of these cycles may judge. The story ends with the verdict.
      await leader.work(30, flaky(leader), { cycleEvery: 30 });
    }
    const [fix] = leader.loop.fixes();
    expect(fix).toMatchObject({ verdict: { kind: 'confirmed' }, target: 'retries.network' });
    await follower.loop.runCycle();
    expect(follower.loop.fixes()).toEqual(leader.loop.fixes());
    expect(follower.loop.policy('api_call')['retries.network']).toBe(2);
    // Both wrote tasks that the verdict rests on, and the follower wrote no decision.
    const deciders = new Set(leader.loop.explain(fix?.id ?? '').history.map(({ by }) => by));
    expect([...deciders]).toEqual(['auto']);
    const figures = fix?.verdict && 'figures' in fix.verdict ? fix.verdict.figures : undefined;
    const tasks = (figures?.fix.tasks ?? 0) + (figures?.control.tasks ?? 0);
    // Only tasks that the fix can act on are counted.
    expect(tasks).toBeGreaterThan(5);

    // The leader goes; the follower decides from then on.
    await leader.loop.close();
    await follower.loop.freeze({ by: 'ada', reason: 'to see that it can' });
    await follower.loop.runCycle();
    await follower.loop.close();
  });

  it('let a person decide from another process while the leader turns, without a fork', async () => {
    const leader = new World({ store: new FileStore(folder, { writer: 'leader000000' }), autoFix: false });
    const person = new World({ store: new FileStore(folder, { writer: 'person000000' }), autoFix: false });
    await Promise.all([leader.loop.ready(), person.loop.ready()]);
    await leader.work(60, flaky(leader), { cycleEvery: 30 });
    await person.loop.runCycle();
    const [proposal] = person.loop.fixes({ status: 'proposed' });
    await Promise.all([
      person.loop.approve(proposal?.id ?? '', { by: 'ada' }),
      leader.loop.runCycle(),
      leader.loop.runCycle(),
    ]);
    await leader.loop.runCycle();
    expect(leader.loop.fixes()[0]).toMatchObject({ status: 'trial', decision: { kind: 'approved', by: 'ada' } });
    await person.loop.runCycle();
    expect(person.loop.fixes()).toEqual(leader.loop.fixes());
    await leader.loop.close();
    await person.loop.close();
  });
});
