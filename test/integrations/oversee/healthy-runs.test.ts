import { expect, it } from 'vitest';
import { HEALTHY, healthyRuns } from './healthy-runs.js';

it('stops none of 60 simulated runs that make progress', async () => {
  const { calls, hours, broken } = await healthyRuns(60);
  expect(broken).toEqual([]);
  expect(calls).toBeGreaterThan(3_000);
  expect(hours).toBeGreaterThan(200);
  expect(Object.keys(HEALTHY).length).toBeGreaterThan(10);
}, 30_000);
