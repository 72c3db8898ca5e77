import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-wrong-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  writeFileSync(join(folder, 'file'), 'text');
  mkdirSync(join(folder, 'drop'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rsi = (...args: readonly string[]) => runCommand([command, ...args], { cwd: folder });
/** A folder in which none can be made, and which says so as if it were not there. */
const hasProc = existsSync('/proc/self');

describe('rsi says what is wrong, with which value, and what to do', () => {
  it.for<[args: string, words: string]>([
    ['watch file', 'cannot read files from file: a file of that name is there; name another folder'],
    ['watch file/drop', 'cannot read files from file/drop: a part of the path is a file; name another folder'],
    ['watch drop --store file', 'file is a file: name a folder with --store'],
    [
      'record deploy --store file/data',
      'cannot use file/data: a part of the path is a file; name another folder with --store',
    ],
    ['fixes --stor x', 'unknown option \'--stor\' (Did you mean --store?); "npx rsi fixes --help" says more\n'],
    [
      'explain',
      'missing required argument \'id\', the id of the fix, or the beginning of it; "npx rsi explain --help" says more\n',
    ],
    ['trials', 'unknown command \'trials\'; use "npx rsi fixes"'],
    ['analyse .', "unknown command 'analyse' (Did you mean analyze?)"],
    ['install claude --scope all', "argument 'all' is invalid. Allowed choices are project, user, local;"],
    ['serve --port x', 'Give a whole number from 0 to 65535; '],
  ])('%s', async ([args, words]) => {
    const { code, stdout, stderr } = await rsi(...args.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toContain(words);
  });

  it('knows a verb by its earlier name, and says the present one', async () => {
    const { code, stderr } = await rsi('report', 'deploy', '--ok', '--store', 'old-name');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '"report" is now "record"; the old name works until version 1.0\n',
    });
    expect((await rsi('help', 'all')).stdout).toMatch(/^ {2}record <task> /m);
  });

  it.skipIf(!hasProc)('ends where a folder can never be made', async () => {
    for (const args of [
      ['watch', '/proc/x'],
      ['record', 'deploy', '--store', '/proc/x/y'],
      ['serve', '--store', '/proc/x'],
    ]) {
      const { code, stdout, stderr } = await rsi(...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^error: cannot .* \/proc\/x.*: there is no such file or folder; name another folder/);
    }
  });
});

describe('rsi record, import and serve', () => {
  it('take the folder that only hooks have written to so far', async () => {
    await rsi('install', 'claude');
    const empty = await rsi('status');
    expect({ code: empty.code, stdout: empty.stdout }).toEqual({ code: 2, stdout: '' });
    expect(empty.stderr).toMatch(
      /^error: no records in .*rsi_data yet: an agent with a FileStore writes them, and so do record/,
    );
    expect((await rsi('record', 'deploy', '--ok')).code).toBe(0);
    expect((await rsi('fixes')).stdout).toContain('No fixes. npx rsi cycle looks for some.');
  });
});
