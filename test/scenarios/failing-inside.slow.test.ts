import { expect, it } from 'vitest';
import { failInside } from './failing-inside.js';

it('keeps working for its host while any one part of the loop throws, and goes on when that part works again', async () => {
  const { broken, tried, lost, doubled } = await failInside();
  expect(broken).toEqual([]);
  expect([lost, doubled]).toEqual([0, 0]);
  expect(tried).toBeGreaterThan(50);
});
