import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleProcess } from '../../bundle-process.js';
import { runNode } from '../../run-node.js';

mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync(resolve('.tmp', 'oversee-'));
let program = '';
beforeAll(async () => {
  program = await bundleProcess('test/integrations/oversee/spend-process.ts', folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Sum of what four processes with five children each spent of 0.50 US dollars. */
async function spentOf(known: 'known' | 'unknown'): Promise<number> {
  const home = join(folder, known);
  mkdirSync(home);
  const ended = await Promise.all(Array.from({ length: 4 }, () => runNode([program, home, known], { cwd: folder })));
  return ended
    .map(({ code, stdout, stderr }) => {
      expect(code, stderr).toBe(0);
      const { spent } = JSON.parse(stdout) as { readonly spent: number };
      return spent;
    })
    .reduce((sum, spent) => sum + spent, 0);
}

it('is never exceeded by four processes with five children each, if prices are known', async () => {
  const spent = await spentOf('known');
  expect(spent).toBeLessThanOrEqual(0.5 + 1e-9);
  expect(spent).toBeGreaterThan(0.45);
});

it('is exceeded by one call at the most, if prices are known only afterwards', async () => {
  const spent = await spentOf('unknown');
  expect(spent).toBeLessThanOrEqual(0.5 + 0.007);
  expect(spent).toBeGreaterThan(0.4);
});
