import { describe, expect, it } from 'vitest';
import { noEffect, tell } from './stories.js';
import { networkError, World } from './world.js';

const ADA = { by: 'ada', reason: 'a click on the wrong button' };
const DAY_MS = 86_400_000;

const flaky = (world: World) => () => (world.happens(0.3) ? networkError() : undefined);

/** A world with one proposal, which waits for a person. */
async function withProposal() {
  const world = new World({ autoFix: false });
  await world.work(60, flaky(world));
  const [fix] = world.loop.fixes({ status: 'proposed' });
  if (fix === undefined) throw new Error('nothing was proposed');
  const now = () => world.loop.fixes().find(({ id }) => id === fix.id);
  const history = () =>
    world.loop.explain(fix.id).history.map((entry) => (entry.kind === 'fix-moved' ? entry.to : entry.kind));
  return { world, id: fix.id, now, history };
}

describe('a rejection by mistake', () => {
  it('costs one call: the fix is proposed again, and the ledger shows both steps', async () => {
    const { world, id, now, history } = await withProposal();
    const proposed: unknown[] = [];
    world.loop.on('fix-proposed', ({ fix }) => proposed.push(fix.id));
    await world.loop.reject(id, ADA);
    await world.loop.reconsider(id, { by: 'ben', reason: 'it was meant for another fix' });
    expect(now()).toMatchObject({ status: 'proposed', decision: { kind: 'waiting' } });
    expect(history()).toEqual(['fix-proposed', 'rejected', 'proposed']);
    expect(world.loop.explain(id).history.at(-1)).toMatchObject({ by: 'ben', reason: 'it was meant for another fix' });
    expect(proposed).toEqual([id]);
    await world.loop.approve(id, ADA);
    await world.work(50, flaky(world));
    expect(now()?.status).toBe('trial');
    await world.loop.close();
  });

  it('is forgotten as a lesson, so that the fix stays proposed while its failures go on', async () => {
    const { world, id, now } = await withProposal();
    await world.loop.reject(id, ADA);
    await world.clock.advance(40 * DAY_MS);
    await world.loop.reconsider(id, ADA);
    // An old proposal does not expire for its age.
    await world.work(100, flaky(world));
    expect(now()?.status).toBe('proposed');
    await world.loop.close();
  });
});

describe('a rollback by hand', () => {
  it('of a running trial can be taken back, and starts a new trial', async () => {
    const { world, id, now } = await withProposal();
    await world.loop.approve(id, ADA);
    await world.work(50, flaky(world));
    await world.loop.rollback(id, ADA);
    await world.work(50, flaky(world));
    expect(now()?.status).toBe('rolled-back');
    await world.loop.reconsider(id, ADA);
    expect(now()).not.toHaveProperty('trial');
    await world.loop.approve(id, ADA);
    await world.work(50, flaky(world));
    expect(now()).toMatchObject({ status: 'trial', trial: { place: { attempt: 2 } } });
    await world.loop.close();
  });
});

describe('what cannot be proposed again', () => {
  it('is a fix that waits, runs or is in force', async () => {
    const { world, id } = await withProposal();
    const again = () => world.loop.reconsider(id, ADA);
    await expect(again()).rejects.toMatchObject({ code: 'illegal-step' });
    await world.loop.approve(id, ADA);
    await expect(again()).rejects.toThrow(`fix ${id} is approved and cannot be proposed again`);
    await world.loop.close();
  });

  it('is a fix that its trial rejected', async () => {
    const world = await tell(noEffect);
    const [fix] = world.loop.fixes({ status: 'rolled-back' });
    expect(fix?.verdict?.kind).toBe('failed');
    await expect(world.loop.reconsider(fix?.id ?? '', ADA)).rejects.toThrow('its trial ended "failed"');
    await world.loop.close();
  });
});
