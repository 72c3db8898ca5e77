import { expect, it } from 'vitest';
import { SHARED_USD, spentByProcesses } from './spent-by-processes.js';

it('is never exceeded by four processes with five children each, if prices are known', async () => {
  const spent = await spentByProcesses('known');
  expect(spent).toBeLessThanOrEqual(SHARED_USD + 1e-9);
  expect(spent).toBeGreaterThan(0.45);
});

it('is exceeded by one call at the most, if prices are known only afterwards', async () => {
  const spent = await spentByProcesses('unknown');
  expect(spent).toBeLessThanOrEqual(SHARED_USD + 0.007);
  expect(spent).toBeGreaterThan(0.4);
});
