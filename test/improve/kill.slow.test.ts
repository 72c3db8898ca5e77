import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleProcess } from '../bundle-process.js';
import { runNode } from '../run-node.js';
import { live, MIXED, proven, USELESS } from './worlds.js';

mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync(resolve('.tmp', 'improve-'));
let program = '';
beforeAll(async () => {
  program = await bundleProcess('test/improve/improve-process.ts', folder);
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

it('keeps nothing useless where nothing helps, and finds what helps where something does', async () => {
  const lives = 12;
  let useless = 0;
  let better = 0;
  for (let seed = 1; seed <= lives; seed++) {
    if ((await live(USELESS, proven, { seed, runs: 4_000 })).kept.length > 0) useless++;
    const { kept, gain } = await live(MIXED, proven, { seed, runs: 4_000 });
    if (gain >= 0.05) better++;
    expect(kept.length === 0 || gain > 0, 'what is kept is a gain').toBe(true);
  }
  // With 5 % each, 4 of 12 happen once in 400 runs.
  expect(useless).toBeLessThan(4);
  expect(better).toBeGreaterThan(6);
}, 120_000);
