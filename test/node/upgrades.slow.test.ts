import { expect, it } from 'vitest';
import { upgradeBothWays } from './upgrades.js';

it('leaves what a newer version wrote as it is, and starts from the logs if another version saved the state', async () => {
  const { broken, tried } = await upgradeBothWays();
  expect(broken).toEqual([]);
  expect(tried).toBeGreaterThan(40);
});
