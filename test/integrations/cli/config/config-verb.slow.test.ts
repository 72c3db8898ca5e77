import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCommand } from '../build-command.js';
import { runCommand } from '../run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-config-verb-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'package.json'), '{}');
  const config =
    "import 'node:fs'; export default { store: 'data', loop: { alpha: 0.01, rules: [{ pattern: /x/ }] } };";
  writeFileSync(join(folder, 'rsi.config.mjs'), config);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rsi = (args: string, env: NodeJS.ProcessEnv = {}, cwd = folder) =>
  runCommand([command, ...args.split(' ')], { cwd, env });

it('prints each value in force with what sets it', async () => {
  const { stdout, stderr, code } = await rsi('config', { RSI_LOOP_ALPHA: '0.02' });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toMatch(/^store +"\.\/data" +rsi\.config\.mjs$/m);
  expect(stdout).toMatch(/^loop\.alpha +0\.02 +RSI_LOOP_ALPHA$/m);
  expect(stdout).toMatch(/^loop\.rules +\[{"pattern":"\/x\/"}\] +rsi\.config\.mjs$/m);
  expect(stdout).toContain('read from ./rsi.config.mjs');
  expect((await rsi('config --store other')).stdout).toMatch(/^store +"other" +--store$/m);
});

it('prints a document for programs, and the defaults with --all', async () => {
  const { values, ...document } = JSON.parse((await rsi('config --json --all')).stdout);
  expect(document).toMatchObject({ format: 'rsi-config/1', file: join(folder, 'rsi.config.mjs'), manifest: null });
  expect(values).toContainEqual({ key: 'loop.holdout', value: 0.02, from: 'default', variable: 'RSI_LOOP_HOLDOUT' });
  expect(values).toContainEqual({ key: 'store', value: './data', from: 'rsi.config.mjs', variable: 'RSI_STORE' });
});

it('fits a narrow terminal with --all, and names the variable of each key', async () => {
  const { stdout } = await rsi('config --all', { COLUMNS: '60' });
  expect(stdout).toMatch(/^loop\.holdout {2}0\.02 \(default\)\n {4}RSI_LOOP_HOLDOUT$/m);
  expect(stdout.split('\n').filter((line) => line.length > 60)).toEqual([]);
});

it('gives every verb the folder of the configuration, from any folder of the project', async () => {
  expect((await rsi('record deploy --ok')).stdout).toContain('./data');
  const { stdout, stderr } = await rsi('fixes', {}, join(folder, 'src'));
  expect({ stdout, stderr }).toEqual({
    stdout: 'No fixes. npx rsi cycle --store ../data looks for some.\n',
    stderr: '',
  });
});

it('names a variable that is almost a known one', async () => {
  const { code, stderr } = await rsi('config', { RSI_STOER: 'x', RSI_TOKEN: 'not-one-of-these' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'RSI_STOER is not read: did you mean RSI_STORE?\n' });
});

it('lets hooks write into the folder of the configuration', async () => {
  expect((await rsi('install claude')).stdout).toContain(`--store "${join(realpathSync(folder), 'data')}"`);
});

it('lets a flag have the last word', async () => {
  expect((await rsi('fixes --store other', { RSI_STORE: 'third' })).stderr).toMatch(/^error: no folder other:/);
  expect((await rsi('fixes', { RSI_STORE: 'third' })).stderr).toMatch(/^error: no folder \.\/third:/);
});

it('ends with one line for a mistake in the configuration', async () => {
  expect(await rsi('fixes', { RSI_LOOP_ALPHA: '2' })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: 'error: RSI_LOOP_ALPHA is 2: give a share above 0 and at most 0.2\n',
  });
});
