import { expect, it } from 'vitest';
import { MemoryStore } from '../../src/defaults/memory-store.js';
import { Leader } from '../../src/live/leader.js';

it('the first process that asks leads, and keeps the lead', async () => {
  const { coordination } = new MemoryStore();
  const [first, second] = [new Leader(), new Leader()];
  expect(await first.leads(coordination)).toBe(true);
  expect(await second.leads(coordination)).toBe(false);
  expect(await first.leads(coordination)).toBe(true);
  expect([await first.holds(), await second.holds()]).toEqual([true, false]);
});

it('another process leads once the first released the lead', async () => {
  const { coordination } = new MemoryStore();
  const [first, second] = [new Leader(), new Leader()];
  await first.leads(coordination);
  await second.release();
  expect(await first.holds()).toBe(true);
  await first.release();
  expect(await first.holds()).toBe(false);
  expect(await second.leads(coordination)).toBe(true);
  expect(await first.leads(coordination)).toBe(false);
});

it('a process that only asks whether it leads does not take the lead', async () => {
  const { coordination } = new MemoryStore();
  expect(await new Leader().holds()).toBe(false);
  expect(await new Leader().leads(coordination)).toBe(true);
});

it('a process that lost its lease asks for a new one', async () => {
  let isHeld = true;
  const fences: number[] = [];
  const leader = new Leader();
  const lease = async () => {
    fences.push(fences.length + 1);
    return { fence: fences.length, held: async () => isHeld, release: async () => {} };
  };
  await leader.leads({ lease });
  await leader.leads({ lease });
  expect(fences).toEqual([1]);
  isHeld = false;
  expect(await leader.leads({ lease })).toBe(true);
  expect(fences).toEqual([1, 2]);
});
