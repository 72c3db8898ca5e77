import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testFolder } from '../../node/folder.js';
import { ended, startNode } from '../../run-node.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

const built = mkdtempSync(join(tmpdir(), 'rsi-watch-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(built);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

const GOOD = '{"task":"import_invoice","error":"429 Too Many Requests"}';

describe('rsi watch', () => {
  it('takes files until it is asked to end, and says what came', async () => {
    const cwd = testFolder();
    const child = startNode([command, 'watch', 'drop', '--settle', '0'], { cwd });
    const end = ended(child);
    await new Promise<void>((begun) => child.stdout.once('data', () => begun()));
    writeFileSync(join(cwd, 'drop/a.json'), GOOD);
    while (!existsSync(join(cwd, 'drop/done/a.json'))) await new Promise((go) => setTimeout(go, 20));
    child.kill('SIGINT');
    const { code, stdout, stderr } = await end;
    expect([code, stderr]).toEqual([130, '']);
    expect(stdout).toMatch(
      /^watching drop for \.\/rsi_data; Ctrl-C ends it\n[\s\S]*1 record, 1 file read, 0 rejected\n$/,
    );
    const report = await runCommand([command, 'analyze', 'rsi_data'], { cwd });
    expect(report.stdout).toContain('import_invoice · rate_limit');
  });

  it('takes what is there once, and says by its exit code that something was rejected', async () => {
    const cwd = testFolder();
    mkdirSync(join(cwd, 'drop'));
    writeFileSync(join(cwd, 'drop/bad.json'), '{');
    const once = await runCommand([command, 'watch', 'drop', '--once', '--settle', '0'], { cwd });
    expect([once.code, once.stdout]).toEqual([1, '0 records, 0 files read, 1 rejected\n']);
    expect((await runCommand([command, 'watch', 'drop', '--settle', 'x'], { cwd })).code).toBe(2);
  });

  it('takes nothing where the folder of the loop cannot be used', async () => {
    const cwd = testFolder();
    mkdirSync(join(cwd, 'drop'));
    writeFileSync(join(cwd, 'drop/a.json'), GOOD);
    writeFileSync(join(cwd, 'file'), '');
    const args = ['watch', 'drop', '--once', '--settle', '0', '--store', 'file'];
    const { code, stdout, stderr } = await runCommand([command, ...args], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe('error: file is a file: name a folder with --store\n');
    expect(existsSync(join(cwd, 'drop/a.json'))).toBe(true);
  });
});
