import { describe, expect, it, vi } from 'vitest';
import { RSILoop } from '../../src/index.js';

const by = { by: 'ada', reason: 'stop' };

/** A host on the clock of the machine, with a trial of one call at a time that all of its tasks are drawn into. */
async function trying(priceMs: number) {
  const loop = new RSILoop({ random: () => 0, autoFix: false, priceMs });
  loop.fixer.register({
    name: 'one',
    match: () => true,
    propose: () => [{ set: { 'limit.concurrency': 1 }, reason: 'one at the same time' }],
  });
  await loop.ready();
  const refused = () => Promise.reject(Object.assign(new Error('429 Too Many Requests'), { status: 429 }));
  for (let task = 0; task < 60; task++) await loop.run('chat', refused, { models: ['m'] }).catch(() => {});
  await loop.runCycle();
  const fix = loop.fixes({ status: 'proposed' }).find(({ target }) => target === 'limit.concurrency');
  await loop.approve(fix?.id ?? '', by);
  await loop.runCycle();
  expect(loop.fixes({ status: 'trial' })).toHaveLength(1);
  let begun = 0;
  const end = new AbortController();
  const hangs = ({ signal }: { readonly signal: AbortSignal }) => {
    begun++;
    return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const tasks = Array.from({ length: 15 }, () =>
    loop.run('chat', hangs, { models: ['m'], signal: end.signal }).catch(() => {}),
  );
  await vi.waitFor(() => expect(begun).toBe(1));
  const close = async () => {
    end.abort();
    await Promise.all(tasks);
    await loop.close();
  };
  return { loop, begun: () => begun, close };
}

describe('tasks that wait because of a fix, on the clock of the machine', () => {
  it('begin within a second when the brake turns the fix off', async () => {
    const host = await trying(2_000);
    const braked: string[] = [];
    host.loop.on('fix-braked', ({ reason }) => braked.push(reason));
    // The bound is a tenth of the price. The brake looks every 250 ms.
    await vi.waitFor(() => expect(host.begun()).toBe(15), { timeout: 1_200, interval: 20 });
    expect(braked).toHaveLength(1);
    await host.close();
  });

  it('begin within a second when a person freezes the loop', async () => {
    const host = await trying(600_000);
    await host.loop.freeze(by);
    await vi.waitFor(() => expect(host.begun()).toBe(15), { timeout: 1_000, interval: 20 });
    await host.close();
  });
});
