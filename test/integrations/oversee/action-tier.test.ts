import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Action, riskOf } from 'rsi-loop/oversee';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'rsi-tier-')));
  mkdirSync(join(folder, 'src'));
  symlinkSync('/etc', join(folder, 'link'));
  symlinkSync('src', join(folder, 'inner'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tierOf = (input: unknown, more: Partial<Action> = {}) =>
  riskOf({ tool: 'edit', input, ...more }, { folder, tiers: { edit: 'change', look: 'read' } }).tier;

describe('riskOf', () => {
  it('knows nothing about a tool without hints, tiers and telling arguments', () => {
    expect(riskOf({ tool: 'other', input: { query: 'rivers' } }, {})).toEqual({ found: [] });
  });

  it('takes the highest of what the host and the tool say', () => {
    expect(tierOf({}, { tool: 'look' })).toBe('read');
    expect(tierOf({}, { annotations: { readOnlyHint: true } })).toBe('change');
    expect(tierOf({}, { tool: 'look', annotations: { destructiveHint: true, readOnlyHint: true } })).toBe('destroy');
    expect(tierOf({}, { tool: 'other', annotations: { readOnlyHint: true } })).toBe('read');
    expect(tierOf({}, { tool: 'other', annotations: { readOnlyHint: false } })).toBe('destroy');
    const writes = { readOnlyHint: false, destructiveHint: false };
    expect(tierOf({}, { tool: 'other', annotations: writes })).toBe('change');
    expect(tierOf({}, { tool: 'other', annotations: { ...writes, openWorldHint: true } })).toBe('write-outside');
    expect(tierOf({}, { tool: 'constructor' })).toBeUndefined();
  });

  it('keeps paths inside of the folder', () => {
    for (const path of [
      'src/a.ts',
      './src',
      'new/folder/a.ts',
      'inner/a.ts',
      'src/../src/a.ts',
      '..a',
      join(folder, 'x'),
    ]) {
      expect({ path, tier: tierOf({ path }) }).toEqual({ path, tier: 'change' });
    }
    expect(tierOf({ url: 'https://example.org/../x', text: 'a / b' })).toBe('change');
  });

  it.each([
    '../x',
    'src/../../x',
    'link/passwd',
    'inner/../../x',
    '/etc/passwd',
    '~/.ssh/id_rsa',
    '~root/x',
    '$HOME/x',
    '%2e%2e/x',
    '..\\x',
    'src\\..\\..\\x',
    'C:\\Windows',
    'file:///etc/passwd',
    '．．/x',
    'src/\0/../../x',
    '/proc/self/cwd/../x',
  ])('notices a path that leaves the folder: %j', (path) => {
    expect(tierOf({ path })).toBe('write-outside');
    expect(tierOf({ edits: [{ where: { outputPath: path } }] })).toBe('write-outside');
  });

  it('notices a folder in another case, where that is another folder', () => {
    const other = folder.toUpperCase();
    expect(tierOf({ path: `${other}/x` })).toBe('write-outside');
  });

  it('notices amounts, and commands that destroy or leave the folder', () => {
    expect(tierOf({ amount: 5 })).toBe('pay');
    expect(tierOf({ order: { total_amount: '12.50' } })).toBe('pay');
    expect(tierOf({ amount: 0 })).toBe('change');
    expect(tierOf({ command: 'rm -rf src' })).toBe('destroy');
    expect(tierOf({ sql: 'DROP TABLE users' })).toBe('destroy');
    expect(tierOf({ command: 'git push --force' })).toBe('destroy');
    expect(tierOf({ command: 'cat "../secret"' })).toBe('write-outside');
    expect(tierOf({ command: 'ls src' })).toBe('change');
  });

  it('takes what is too large or too deep to check for destructive', () => {
    expect(tierOf({ list: Array.from({ length: 5_000 }, () => 'x') })).toBe('destroy');
    const deep = Array.from({ length: 30 }).reduce<unknown>((inner) => ({ inner }), 'x');
    expect(tierOf(deep)).toBe('destroy');
  });
});
