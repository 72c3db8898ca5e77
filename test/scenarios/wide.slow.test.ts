import { expect, it } from 'vitest';
import { costWithFinished } from '../campaigns/wide/index.js';

it('starts on thousands of finished fixes, and its cycles cost no more than beside a few', {
  timeout: 60_000,
}, async () => {
  await costWithFinished(20, 2_000); // code that runs for the first time is slower
  const few = await costWithFinished(500, 2_000);
  const many = await costWithFinished(4_000, 2_000);
  expect(many.cycleMs).toBeLessThan(2 * few.cycleMs + 2);
  // Eight times the fixes: eight times the work to read them, not sixty-four times.
  expect(many.startMs).toBeLessThan(20 * few.startMs);
});
