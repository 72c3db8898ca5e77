import { expect, it } from 'vitest';
import { runGraphs } from './run-graphs.js';

it('begins tasks in the exact order of dependencies and priorities, in 500 random graphs', async () => {
  const { tasks, broken } = await runGraphs(500);
  expect(broken).toEqual([]);
  expect(tasks).toBeGreaterThan(3_000);
});

it('has one effect for each receipt in 200 random graphs that were killed at any step', async () => {
  const { kills, inDoubt, broken } = await runGraphs(200, { seed: 2, kills: 5 });
  expect(broken).toEqual([]);
  expect(kills).toBeGreaterThan(500);
  // Kills between an effect and its receipt: the only effects that are repeated, with the same key.
  expect(inDoubt).toBeGreaterThan(20);
});
