/** The short cut of `npm run campaign -- short-processes`. */
import { expect, it } from 'vitest';
import { runShortAgents } from './short-agents.js';

it('a fix is found and tried by processes of one task each, and nothing is lost or there twice', async () => {
  const { broken, fix } = await runShortAgents(80, 3);
  expect(broken).toEqual([]);
  expect(fix).toMatch(/^(trial|confirmed)$/);
});
