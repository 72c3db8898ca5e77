import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { openSkills } from 'rsi-loop/skills';
import { readFrontMatter } from 'rsi-loop/skills/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedWriter } from '../skills/scripted-writer.js';
import { TOTAL, TOTALS } from '../skills/totals.js';
import { buildCommand, buildSandbox } from './build-command.js';
import { runCommand } from './run-command.js';

const built = mkdtempSync(join(tmpdir(), 'rsi-learned-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(built);
  await buildSandbox(built);
}, 120_000);
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** Learns `csv-total` into the skills of Claude Code. */
async function learned(): Promise<{ readonly folder: string; readonly skills: string }> {
  const folder = mkdtempSync(join(built, 'project-'));
  const skills = join(folder, '.claude', 'skills');
  mkdirSync(skills, { recursive: true });
  const loop = new RSILoop();
  const library = openSkills(loop, { folder: skills, model: scriptedWriter({ drafts: [TOTAL] }) });
  await library.learn('total the amounts of a CSV', { examples: TOTALS });
  await library.close();
  await loop.close();
  return { folder, skills };
}

/** Runs the shell command that a SKILL.md gives, as an agent does that only reads the file. */
function runAsTold(file: string): string {
  const [line = ''] = /^ {4}npx rsi-loop skill run .*$/m.exec(readFileSync(file, 'utf8')) ?? [];
  const shell = line
    .trim()
    .replace('npx rsi-loop', `'${process.execPath}' '${command}'`)
    .replace('<skills>', `'${dirname(dirname(file))}'`);
  return execFileSync('/bin/sh', ['-c', shell], {
    cwd: tmpdir(),
    encoding: 'utf8',
    stdio: 'pipe',
    env: { HOME: built, PATH: '' },
  });
}

describe('a learned skill in Claude Code', () => {
  it('says how to run it, and a session that only reads SKILL.md gets the answer', async () => {
    const { folder, skills } = await learned();
    const run = (args: readonly string[], stdin = '') =>
      runCommand([command, ...args], { cwd: folder, stdin, env: { HOME: built, RSI_CONFIG: 'none' } });
    const hook = (hook_event_name: string, fields: object = {}) =>
      run(
        ['hook', 'claude', '--store', 'rsi_data', '--no-background'],
        JSON.stringify({ session_id: 's-1', cwd: folder, hook_event_name, ...fields }),
      );
    expect((await run(['install', 'claude'])).code).toBe(0);
    await hook('SessionStart', { source: 'startup' });
    await hook('UserPromptSubmit', { prompt: 'total my amounts' });

    // Claude Code loads name and description of each folder, then the file.
    const [name = ''] = readdirSync(skills).filter((one) => !one.startsWith('.'));
    const file = join(skills, name, 'SKILL.md');
    const { description, metadata } = readFrontMatter(readFileSync(file, 'utf8'));
    expect([name, description, metadata]).toEqual(['csv-total', 'Totals the amounts of a CSV.', {}]);
    await hook('PostToolUse', { tool_name: 'Read', tool_input: { file_path: file }, tool_use_id: 't1' });
    const answer = runAsTold(file);
    const open = TOTALS.map(([, output]) => output);
    expect(open).toContainEqual(JSON.parse(answer));
    await hook('PostToolUse', {
      tool_name: 'Bash',
      tool_input: { command: 'npx rsi-loop skill run csv-total' },
      tool_use_id: 't2',
    });
    await hook('Stop');
    await hook('SessionEnd');

    await run(['watch', 'rsi_data/hooks/inbox', '--store', 'rsi_data', '--once', '--settle', '0']);
    const exported = (await run(['export'])).stdout.trim().split('\n');
    expect(exported.filter((line) => line.includes('"success":true')).length).toBeGreaterThanOrEqual(3);
  }, 150_000);

  it('is untested where it is copied to, says so, and runs after its tests', async () => {
    const { skills } = await learned();
    const other = mkdtempSync(join(built, 'copy-'));
    cpSync(join(skills, 'csv-total'), join(other, 'csv-total'), { recursive: true });
    const file = join(other, 'csv-total', 'SKILL.md');
    expect(() => runAsTold(file)).toThrow(/is untested: run its tests with rsi skill test csv-total/);
    const test = ['skill', 'test', 'csv-total', '--skills', other];
    expect((await runCommand([command, ...test], { cwd: other, env: { HOME: built, RSI_CONFIG: 'none' } })).code).toBe(
      0,
    );
    expect(JSON.parse(runAsTold(file))).toHaveProperty('total');
  }, 150_000);
});
