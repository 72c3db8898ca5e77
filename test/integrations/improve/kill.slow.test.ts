import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleProcess } from '../../bundle-process.js';
import { runNode } from '../../run-node.js';
import { killBetweenSteps } from './kills.js';

mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync(resolve('.tmp', 'improve-'));
let program = '';
beforeAll(async () => {
  program = await bundleProcess('test/integrations/improve/improve-process.ts', folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('survives kill -9 after every seventh run: nothing is lost, and only runs in progress are paid again', async () => {
  const home = join(folder, 'life');
  mkdirSync(home);
  let kills = 0;
  let end = await runNode([program, home, '7'], { cwd: folder });
  for (; end.code !== 0 && kills < 200; kills++) end = await runNode([program, home, '7'], { cwd: folder });
  expect(end.code, end.stderr).toBe(0);
  expect(kills).toBeGreaterThan(10);
  const lines = (name: string) => readFileSync(join(home, name), 'utf8').trim().split('\n').length;
  const paid = lines('paid.log');
  const stored = readdirSync(join(home, 'bench'))
    .filter((name) => !name.startsWith('improve-'))
    .flatMap((name) => readFileSync(join(home, 'bench', name), 'utf8').match(/"problemId"/g) ?? []);
  // Two runs are in progress at each kill.
  expect(paid - stored.length).toBeLessThanOrEqual(2 * kills);
  const { code, stdout } = await runNode([program, home, '0'], { cwd: folder });
  expect({ code, stdout }).toEqual({ code: 0, stdout: end.stdout });
  expect(lines('paid.log'), 'a finished improvement pays nothing').toBe(paid);
  expect(JSON.parse(stdout)).toMatchObject({ kept: [false, true], best: { prompts: { system: 'good' } } });
  expect(lines('proposed.log')).toBeLessThanOrEqual(2 + kills);
}, 120_000);

it('survives kill -9 between any two steps: nothing is paid twice, lost, or half approved', async () => {
  const parts = ['rsi-loop', 'rsi-loop/bench', 'rsi-loop/improve'];
  const killed = await bundleProcess('test/integrations/improve/killed-process.ts', folder, { noExternal: parts });
  const { kills, broken } = await killBetweenSteps({ program: killed, folder }, 40);
  expect({ kills, broken }).toEqual({ kills: 40, broken: [] });
}, 120_000);
