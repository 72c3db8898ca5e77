import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { RSILoop } from 'rsi-loop';
import { expect, it } from 'vitest';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const LOOPS = 1_000;
const AWAITS = 20_000;

/** Median duration of one `await` of the host, in microseconds. */
async function awaitCost(): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < 9; round++) {
    const since = performance.now();
    for (let count = 0; count < AWAITS; count++) await undefined;
    costs.push(((performance.now() - since) * 1_000) / AWAITS);
  }
  return costs.sort((one, other) => one - other)[4] ?? 0;
}

/** Returns the number of open timers, handles and listeners of this process. */
function left() {
  const kinds: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  return { ...kinds, listeners };
}

async function useLoop(host: AbortSignal): Promise<void> {
  const loop = new RSILoop();
  loop.start({ everyMs: 60_000 });
  await loop.run('outer', () => loop.run('inner', async () => 'fine', { signal: host }), { timeoutMs: 60_000 });
  await loop.close();
}

async function usedHeap(): Promise<number> {
  await new Promise(setImmediate);
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it('leaves nothing behind after 1,000 loops: no slower await, no timer, handle, listener or memory', async () => {
  const host = new AbortController();
  for (let count = 0; count < 20; count++) await useLoop(host.signal); // loads and compiles everything
  const before = { cost: await awaitCost(), left: left(), heap: await usedHeap() };
  for (let count = 0; count < LOOPS; count++) await useLoop(host.signal);
  const after = { cost: await awaitCost(), left: left(), heap: await usedHeap() };
  expect(after.left).toEqual(before.left);
  // One storage per loop made an await 700 times slower.
  expect(after.cost).toBeLessThan(3 * before.cost + 0.5);
  expect((after.heap - before.heap) / LOOPS).toBeLessThan(2_000);
}, 120_000);
