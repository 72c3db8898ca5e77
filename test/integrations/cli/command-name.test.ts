import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandName } from '../../../integrations/cli/terminal/command-name.js';
import { nextCommand } from '../../../integrations/cli/terminal/look.js';
import { testFolder } from '../../node/folder.js';

function installed(): { readonly script: string; readonly path: string } {
  const folder = testFolder();
  const bin = join(folder, 'bin');
  const script = join(folder, 'cli.js');
  mkdirSync(bin);
  writeFileSync(script, '');
  chmodSync(script, 0o755);
  symlinkSync(script, join(bin, 'rsi'));
  return { script, path: ['/nowhere', bin].join(delimiter) };
}

describe.skipIf(process.platform === 'win32')('what a person is told to type next', () => {
  it('is rsi where the shell finds this very command', () => {
    const { script, path } = installed();
    expect(commandName(script, { PATH: path })).toBe('rsi');
    expect(commandName(join(path.split(delimiter)[1] ?? '', 'rsi'), { PATH: path })).toBe('rsi');
  });

  it('is npx rsi where another command of that name is found, or none', () => {
    const { path } = installed();
    expect(commandName('/project/node_modules/rsi-loop/dist/cli.js', { PATH: path })).toBe('npx rsi');
    expect(commandName('/project/node_modules/.bin/rsi', { PATH: '' })).toBe('npx rsi');
  });

  it('is npx rsi where a package runner put the commands of the project on the path', () => {
    const { script, path } = installed();
    expect(commandName(script, { PATH: path, npm_execpath: '/usr/lib/npm-cli.js' })).toBe('npx rsi');
    expect(commandName(script, { PATH: path, npm_config_user_agent: 'pnpm/10.0.0' })).toBe('npx rsi');
  });

  it('is a command of the package under both names, as package runners look for that of the package', () => {
    const { bin } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
    expect(bin).toEqual({ rsi: './dist/cli.js', 'rsi-loop': bin.rsi });
  });

  it('is npx rsi-loop if nothing is installed, as npx rsi would fetch a package of another author', () => {
    expect(commandName('/home/ada/.npm/_npx/1f2e/node_modules/.bin/rsi', { npm_execpath: 'x' })).toBe('npx rsi-loop');
  });

  it('names the folder that was looked at, as a shell takes it', () => {
    expect(nextCommand()('review')).toMatch(/rsi review$/);
    expect(nextCommand('./eval_data')('explain <id>')).toMatch(/rsi explain <id> --store \.\/eval_data$/);
    expect(nextCommand("ada's data")('review')).toMatch(/rsi review --store 'ada'\\''s data'$/);
  });
});
