import { expect, it } from 'vitest';
import { runGraphs } from './run-graphs.js';

it('keeps the exact order in 2,000 random graphs', async () => {
  const { tasks, broken } = await runGraphs(2_000, { seed: 11 });
  expect(broken).toEqual([]);
  expect(tasks).toBeGreaterThan(13_000);
});

it('has one effect for each receipt in 500 random graphs, killed at any step up to 8 times each', async () => {
  const { kills, broken } = await runGraphs(500, { seed: 12, kills: 8 });
  expect(broken).toEqual([]);
  expect(kills).toBeGreaterThan(2_000);
});
