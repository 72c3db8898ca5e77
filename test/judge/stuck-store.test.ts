import { RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { expect, it } from 'vitest';
import { MemoryStore } from '../../src/defaults/memory-store.js';

it('a store that never answers blocks the cycles, but no caller: after ten minutes the loop reports it', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore({ clock });
  const loop = new RSILoop({ clock, store, modelTimeoutMs: 1_000 });
  const heard: string[] = [];
  loop.on('problem', ({ where, message }) => heard.push(`${where}: ${message}`));
  await loop.ready();
  loop.observer.recordSimple('call', { success: false, error: '503' });
  expect(await loop.runCycle()).not.toHaveProperty('unfinished');

  const { writers } = store.coordination;
  let answer = () => {};
  store.coordination.writers = () => new Promise((resolve) => (answer = () => resolve(writers())));
  const turn = loop.runCycle();
  await new Promise(setImmediate);
  await clock.advance(600_000);
  expect(heard).toEqual([]);
  await clock.advance(1_000);
  expect((await turn).unfinished).toMatch(/^a cycle has not ended for 10 minutes/);
  expect(heard).toEqual([expect.stringMatching(/^cycle: a cycle has not ended for 10 minutes: the store, .*answer/)]);

  // It answers again: the next turn comes after the one that was stuck.
  store.coordination.writers = writers;
  answer();
  expect(await loop.runCycle()).not.toHaveProperty('unfinished');
  await loop.close();
});
