import { expect, it } from 'vitest';
import { overshoot } from './overshoot.js';

it('never exceeds a limit if prices are known, nor by more than a call for each process if they are equal', async () => {
  const { combinations, overshootUsd, broken } = await overshoot(1);
  expect(broken).toEqual([]);
  expect([combinations, overshootUsd['known before']]).toEqual([45, 0]);
}, 60_000);
