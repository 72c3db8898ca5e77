import { expect, it } from 'vitest';
import { outageNights } from './outage.js';

it('ends a night of 200 tasks complete, over a server outage of five minutes and kills', async () => {
  const { broken, kills, refused, minutes } = await outageNights(1);
  expect(broken).toEqual([]);
  expect(kills).toBe(5);
  expect(refused).toBeGreaterThan(20);
  expect(minutes).toBeLessThan(60);
}, 60_000);
