import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create } from '../../scripts/new.js';
import { KINDS, skeletonOf } from '../../scripts/skeletons.js';

const project = resolve(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'rsi-new-'));
const tool = (...args: readonly string[]) => spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });

beforeAll(() => {
  for (const part of ['src', 'integrations', 'scripts', 'test', 'package.json', 'vitest.config.ts', 'tsconfig.json'])
    cpSync(join(project, part), join(copy, part), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('npm run new', () => {
  it('writes parts that type-check, each with a test that fails until it is filled in', () => {
    for (const kind of KINDS) {
      const printed = create(copy, kind, `some-${kind}`).join('\n');
      expect(printed).toMatch(/^wrote [\s\S]*\nfill in:\n {2}.*\n {2}.*$/);
    }
    const files = KINDS.flatMap((kind) => Object.keys(skeletonOf(kind, `some-${kind}`).files));
    const config = { extends: './tsconfig.json', files: [...files, 'integrations/cli/program.ts'], include: [] };
    writeFileSync(join(copy, 'tsconfig.new.json'), JSON.stringify(config));
    const types = tool('node_modules/typescript/bin/tsc', '--project', 'tsconfig.new.json');
    expect(types.stdout).toBe('');

    const tests = files.filter((file) => file.endsWith('.test.ts'));
    tool('node_modules/vitest/vitest.mjs', 'run', ...tests, '--reporter=json', '--outputFile=results.json');
    const { testResults } = JSON.parse(readFileSync(join(copy, 'results.json'), 'utf8'));
    const states = testResults.map(({ status }: { status: string }) => status);
    expect(states).toEqual(KINDS.map(() => 'failed'));
    const messages: readonly string[] = testResults.flatMap(
      (file: { assertionResults: { failureMessages: string[] }[] }) =>
        file.assertionResults.flatMap(({ failureMessages }) => failureMessages),
    );
    for (const message of messages) expect(message).toContain('AssertionError');
  }, 240_000);

  it('names files that exist in what is left to fill in', () => {
    for (const kind of KINDS) {
      const { files, fill } = skeletonOf(kind, `some-${kind}`);
      const named = fill.join(' ').match(/\b(?:src|integrations|test|docs|scripts)\/[\w./-]*\.(?:ts|md)\b/g) ?? [];
      const missing = named.filter((path) => !(path in files) && !existsSync(join(project, path)));
      expect(missing, kind).toEqual([]);
    }
  });

  it('rejects an unknown kind, a bad name, and a name that is taken', () => {
    expect(() => create(copy, 'widget', 'a')).toThrow('unknown kind "widget": give one of importer, source');
    expect(() => create(copy, 'verb', '../x')).toThrow('"../x" is not a name');
    expect(() => create(copy, 'verb', 'doctor')).toThrow('integrations/cli/verbs/doctor.ts exists already');
  });
});
