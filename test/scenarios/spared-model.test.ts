import { describe, expect, it } from 'vitest';
import { isLedgerEntry } from '../../src/node/check-entry.js';
import { networkError, type Weather, World } from './world.js';

/** A retry mends what fails with one model. The other one is asked to wait by each retry, and fails more. */
function ofModel(world: World): Weather {
  let task = -1;
  let failing = false;
  return ({ task: now, number, model, policy }) => {
    const mayRetry = policy['retries.network'] > 0;
    if (now !== task) failing = world.happens(model === 'opus' && mayRetry ? 0.45 : 0.25);
    task = now;
    return failing && (number === 1 || model === 'opus') ? networkError() : undefined;
  };
}

describe('a fix that helps one model and harms another', () => {
  it('is confirmed for the one, and not applied to the other any more', async () => {
    const world = new World();
    const weather = ofModel(world);
    const fix = () => world.loop.fixes().find(({ target }) => target === 'retries.network');
    const isSettled = () => fix()?.status === 'confirmed' && fix()?.change.scope.except !== undefined;
    for (let round = 0; round < 300 && !isSettled(); round++) {
      await world.work(5, weather, { models: ['sonnet'], cycleEvery: 6 });
      await world.work(5, weather, { models: ['opus'], cycleEvery: 5 });
    }
    expect(fix()).toMatchObject({ status: 'confirmed', change: { scope: { except: [{ model: 'opus' }] } } });
    expect(world.loop.policy('api_call', { model: 'sonnet' })['retries.network']).toBe(2);
    expect(world.loop.policy('api_call', { model: 'opus' })['retries.network']).toBe(0);
    const reasons = world.loop
      .explain(fix()?.id ?? '')
      .history.flatMap((entry) => (entry.kind === 'fix-moved' ? [entry.reason] : []));
    expect(reasons.some((reason) => /with model opus: not applied there/.test(reason))).toBe(true);
    // A file store reads back only what passes this check.
    for await (const { entry } of world.loop.store.ledger.read()) expect(entry).toSatisfy(isLedgerEntry);
    await world.loop.close();
  });
});
