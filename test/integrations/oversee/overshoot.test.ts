import { expect, it } from 'vitest';
import { overshoot } from './overshoot.js';

it('never exceeds a limit if prices are known, also by an earlier process, nor by more than a call for each process if they are equal', async () => {
  const { combinations, overshootUsd, broken } = await overshoot(1);
  expect(broken).toEqual([]);
  expect(combinations).toBe(60);
  expect(overshootUsd).toMatchObject({ 'known before': 0, 'known from an earlier process': 0 });
}, 60_000);
