import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleProcess } from '../../bundle-process.js';
import { ended, startNode } from '../../run-node.js';
import { killRuns } from './kills.js';

mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync(resolve('.tmp', 'orchestrate-'));
let program = '';
let example = '';
beforeAll(async () => {
  program = await bundleProcess('test/integrations/orchestrate/run-process.ts', folder);
  const parts = ['rsi-loop', 'rsi-loop/orchestrate'];
  example = await bundleProcess('examples/orchestrate-killed.ts', folder, { noExternal: parts });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('survives kill -9 at random moments: one effect for each receipt, and every task ends', async () => {
  const { kills, broken } = await killRuns(program, folder, 20);
  expect(broken).toEqual([]);
  expect(kills).toBe(20);
}, 120_000);

it('finishes 50 tasks over 4 workers once, although it was killed twice', async () => {
  const home = join(folder, 'example');
  mkdirSync(home);
  for (const at of [12, 30]) {
    const child = startNode([example], { cwd: home });
    const end = ended(child);
    let printed = '';
    child.stdout.on('data', (chunk: string) => {
      printed += chunk;
      const counts = [...printed.matchAll(/done: (\d+) of/g)].map(([, count]) => Number(count));
      if (counts.some((count) => count >= at)) child.kill('SIGKILL');
    });
    expect((await end).code).toBe(null);
  }
  const { code, stdout, stderr } = await ended(startNode([example], { cwd: home }));
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^resumed: \d\d of 50\n/);
  expect(stdout).toMatch(/done: 50 of 50\ndone: 46 pages\n$/);
  const again = await ended(startNode([example], { cwd: home }));
  expect(again.stdout).toBe('done: 46 pages\n');
  const effects = readFileSync(join(home, 'effects.log'), 'utf8').trim().split('\n');
  // At each kill, four tasks were in progress at most: only these happen again, with the same key.
  expect(effects.length).toBeLessThanOrEqual(58);
  expect(new Set(effects).size).toBe(50);
});
