import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programOf } from '../../../integrations/cli/program.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';
import { scriptFolder } from './scripted-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-completion-'));
const scripts: Record<string, string> = {};
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  await scriptFolder(join(folder, 'rsi_data'));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'logs'));
  writeFileSync(join(folder, 'bin', 'rsi'), `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`);
  chmodSync(join(folder, 'bin', 'rsi'), 0o755);
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await runCommand([command, 'completion', shell], { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    scripts[shell] = join(folder, `rsi.${shell}`);
    writeFileSync(scripts[shell], stdout);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder, RSI_CONFIG: 'none' };
const isThere = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** The words that bash offers after these; the last one is being typed. */
function inBash(...words: readonly string[]): readonly string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const line = `source ${scripts.bash}; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _rsi; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', line], { cwd: folder, env, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe.skipIf(!isThere('bash'))('completion in bash', () => {
  it('offers every verb of the table with its aliases', async () => {
    const { commands } = await programOf(() => {});
    const names = commands.flatMap((verb) => [verb.name(), ...verb.aliases()]);
    expect([...inBash('rsi', '')].sort()).toEqual([...names, 'help', '--help', '--version'].sort());
    expect(inBash('rsi', 'unf')).toEqual(['unfreeze']);
    expect(inBash('rsi', 'help', 'doc')).toEqual(['doctor']);
  });

  it('offers every option of a verb, and the values that it takes', async () => {
    for (const verb of (await programOf(() => {})).commands) {
      const long = verb.options.flatMap((option) => option.long ?? []);
      expect([...inBash('rsi', verb.name(), '--')].sort()).toEqual([...long, '--help'].sort());
    }
    expect(inBash('rsi', 'export', '--format', 'c')).toEqual(['csv']);
    expect(inBash('rsi', 'import', 'lo')).toEqual(['logs']);
    expect(inBash('rsi', 'install', '')).toEqual(['claude']);
    expect(inBash('rsi', 'doctor', '--store', 'rsi_')).toEqual(['rsi_data']);
  });

  it('offers the ids in the store, and no word that a shell would run', () => {
    const ids = inBash('rsi', 'explain', 'fix-');
    expect(ids).toHaveLength(3);
    expect(inBash('rsi', 'undo', ids[0] ?? '')).toEqual([ids[0]]);
    expect(inBash('rsi', 'patterns', '--store', 'rsi_data', '')).toHaveLength(3);
    expect([...inBash('rsi', 'advice', '')].sort()).toEqual(['api_call', 'search']);
    expect(inBash('rsi', 'explain', '--store', 'nowhere', '')).toEqual([]);
  });
});

describe('completion in other shells', () => {
  it.skipIf(!isThere('zsh'))('offers the same in zsh', () => {
    const line = `source ${scripts.zsh}; COMP_WORDS=(rsi unf); COMP_CWORD=1; (( \${+functions[_rsi]} )) && echo defined`;
    const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', line], { cwd: folder, env, encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: 'defined\n', stderr: '' });
  });

  it.skipIf(!isThere('fish'))('offers the same in fish', () => {
    const offered = (typed: string) => {
      const line = `source ${scripts.fish}; complete -C '${typed}'`;
      const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', line], { cwd: folder, env, encoding: 'utf8' });
      expect(stderr).toBe('');
      return stdout
        .split('\n')
        .map((text) => text.split('\t')[0])
        .filter((word) => word !== '');
    };
    expect(offered('rsi unf')).toEqual(['unfreeze']);
    expect(offered('rsi export --format c')).toEqual(['csv']);
    expect(offered('rsi explain fix-')).toHaveLength(3);
    expect(offered('rsi doctor --j')).toEqual(['--json']);
  });

  it('names the shells there are', async () => {
    for (const [args, words] of [
      [['completion'], 'error: name the shell: bash, zsh, fish\n'],
      [['completion', 'tcsh'], 'error: no script for tcsh: bash, zsh, fish\n'],
    ] as const) {
      expect(await runCommand([command, ...args], { cwd: folder })).toEqual({ code: 2, stdout: '', stderr: words });
    }
  });
});
