import { describe, expect, it } from 'vitest';
import { type CodeRules, readRules } from '../../../../integrations/improve/code/code-rules.js';
import { missingTest, passedTests } from '../../../../integrations/improve/code/passed-tests.js';
import { essential, patchFault } from '../../../../integrations/improve/code/patch-fault.js';
import { patchSize } from '../../../../integrations/improve/code/patch-size.js';
import { matchesPattern } from '../../../../integrations/improve/code/path-pattern.js';
import { PathSet, protectedPaths } from '../../../../integrations/improve/code/protected-paths.js';

const file = (mode = '100644') => ({ mode, hash: 'a'.repeat(40) });
const TREE = new Map([
  ['src/agent.ts', file()],
  ['src/tools/search.ts', file('100755')],
  ['src/link', file('120000')],
  ['src/module', file('160000')],
  ['test/agent.test.ts', file()],
  ['package.json', file()],
]);
const RULES = { allowed: new PathSet(['**']), protected: protectedPaths(), maxFiles: 3 };
const faultOf = (patch: unknown, allow = ['**']) => patchFault(patch, { ...RULES, allowed: new PathSet(allow) }, TREE);

describe('a patch', () => {
  it('may change, add and remove regular files in allowed places', () => {
    const patch = { 'src/agent.ts': 'new', 'src/tools/search.ts': null, 'src/[id]/+page@2.ts': 'added' };
    expect(faultOf(patch, ['src/**'])).toBeUndefined();
    expect(faultOf({ 'lib/a.ts': '' }, ['src/**', 'lib/*.ts'])).toBeUndefined();
    expect(faultOf({ 'lib/deep/a.ts': '' }, ['src/**', 'lib/*.ts'])).toMatch('is not among the allowed paths');
  });

  it.each([
    ['..', '../secret', 'a/../../b', './a', 'a/./b', 'a//b', '/etc/passwd', 'a/', ''],
    ['src\\agent.ts', 'C:file', 'src/a\0', 'src/a\n', 'src/a b', 'src/GIT~1'],
    ['src/аgent.ts', 'src/ａ.ts', 'src/a\u200d.ts', 'src/e\u0301.ts', '．．/x'], // look-alikes and invisible ones
    ['src/con', 'src/NUL.ts', 'src/com1.js', 'src/a.', 'src/x./y'],
    ['a'.repeat(201)],
  ])('cannot name a path that is not plain: %j …', (...paths) => {
    for (const path of paths) expect(faultOf({ [path]: 'text' }), path).toMatch(/^".*" (?:has|is not a plain)/s);
  });

  it.each([
    [
      'test/agent.test.ts',
      'test/new.ts',
      'src/__tests__/a.ts',
      'src/a.spec.ts',
      'src/a.snap',
      'Test/x.ts',
      'SRC/X.TEST.TS',
    ],
    ['bench/a.json', 'evals/x.ts', 'test/benchmarks/a.ts', 'rsi.bench.ts', 'rsi.config.mjs', 'problems/1.json'],
    [
      'package.json',
      'packages/a/package.json',
      'package-lock.json',
      'pnpm-lock.yaml',
      'yarn.lock',
      'bun.lockb',
      'go.sum',
    ],
    ['.git/config', '.git', '.GIT/hooks/pre-commit', 'src/.gitattributes', '.gitmodules', '.github/workflows/ci.yml'],
    ['.npmrc', '.env', 'src/.hidden/a.ts', '.husky/pre-push', '.vscode/tasks.json'],
    [
      'tsconfig.json',
      'tsconfig.build.json',
      'vitest.config.ts',
      'jest.config.cjs',
      'biome.json',
      'node_modules/a/index.js',
    ],
    ['Makefile', 'Dockerfile.dev', 'Jenkinsfile', 'action.yml', 'pyproject.toml', 'conftest.py', 'src/x_test.go'],
  ])('cannot touch what decides about it, or runs outside: %j …', (...paths) => {
    for (const path of paths) expect(faultOf({ [path]: 'text' }), path).toMatch('is protected');
  });

  it('keeps links, submodules and folders as they are', () => {
    expect(faultOf({ 'src/link': 'text' })).toMatch('is a link or a submodule');
    expect(faultOf({ 'src/module': null })).toMatch('is a link or a submodule');
    expect(faultOf({ 'src/link/a.ts': 'text' })).toMatch('lies below src/link, which is not a folder');
    expect(faultOf({ 'src/tools': 'text' })).toMatch('is a folder');
  });

  it('cannot use upper and lower case to reach another file', () => {
    expect(faultOf({ 'src/Agent.ts': 'text' })).toMatch('differs from src/agent.ts only in upper and lower case');
    expect(faultOf({ 'SRC/new.ts': 'text' })).toMatch('in another case');
    expect(faultOf({ 'src/a.ts': '', 'src/A.ts': '' })).toMatch('cannot both exist');
    expect(faultOf({ 'src/a': '', 'src/a/b.ts': '' })).toMatch('cannot both exist');
  });

  it('holds texts, and nothing that reads differently from how it runs', () => {
    expect(faultOf({ 'src/a.ts': 7 })).toMatch('has neither a text nor null');
    expect(faultOf({ 'src/a.ts': 'a\0b' })).toMatch('is not a text');
    expect(faultOf({ 'src/a.ts': '\ud800' })).toMatch('is not a text');
    expect(faultOf({ 'src/a.ts': 'if (x) /* \u202e */' })).toMatch('changes the direction of text');
    expect(faultOf({ 'src/a.ts': 'a'.repeat(1_000_001) })).toMatch('1000001 characters');
    for (const patch of [null, 'text', ['a']]) expect(faultOf(patch)).toMatch('not an object of files');
    expect(faultOf(Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, ''])))).toBe(
      'it changes 4 files of at most 3',
    );
    expect(faultOf(JSON.parse('{"__proto__": "text"}'), ['src/**'])).toMatch('is not among the allowed');
  });

  it('leaves out files that stay as they are', () => {
    const before = new Map([
      ['b', 'same'],
      ['c', 'old'],
      ['gone', undefined],
    ]);
    expect(Object.entries(essential({ c: 'new', b: 'same', gone: null, a: 'x' }, before))).toEqual([
      ['a', 'x'],
      ['c', 'new'],
    ]);
  });

  it('has the size of its diff, where a long line counts as several', () => {
    expect(patchSize({ a: 'one\ntwo\nthree\n' }, new Map([['a', 'one\n2\nthree\n']]))).toBe(2);
    expect(patchSize({ a: 'one\n', b: null }, new Map([['b', '-- x\n++ y\n']]))).toBe(3);
    expect(patchSize({ a: 'x'.repeat(1_200) }, new Map())).toBe(10);
  });
});

describe('a pattern', () => {
  it.each([
    ['src/**', 'src/a/b.ts', true],
    ['**/*.test.*', 'a.test.ts', true],
    ['**/*.test.*', 'x/y/a.test.ts', true],
    ['**/test/**', 'test', true],
    ['**/test/**', 'src/test/x/y', true],
    ['**/test/**', 'src/tests/x', false],
    ['src/*.ts', 'src/a/b.ts', false],
    ['src/?.ts', 'src/a.ts', true],
    ['a/**/b/**/c', 'a/x/b/y/b/c', true],
    ['a/**/b', 'a/b/c', false],
    ['src', 'src/a', false],
  ])('%s matches %s: %s', (pattern, path, isMatch) => {
    expect(matchesPattern(pattern, path)).toBe(isMatch);
  });

  it('takes time in proportion to its length', () => {
    expect(matchesPattern(`${'a*'.repeat(2_000)}b`, 'a'.repeat(4_000))).toBe(false);
  });
});

describe('the number of tests that passed', () => {
  it.each([
    ['# tests 3\n# pass 2\n# fail 1\n', 2],
    ['ℹ pass 12\nℹ fail 0\n', 12],
    [' Test Files  3 passed (3)\n      Tests  41 passed (41)\n   Start at  10:00', 41],
    ['\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m25 passed\u001b[39m\u001b[22m (25)', 25],
    ['Tests:       1 failed, 7 passed, 8 total', 7],
    ['  14 passing (2s)', 14],
    ['==== 1 failed, 9 passed in 0.12s ====', 9],
    [' 6 pass\n 0 fail\n', 6],
    ['all good', undefined],
  ])('is read from the summary: %j', (output, passed) => {
    expect(passedTests(output, '/w').count).toBe(passed);
  });

  it('is read from the last summary, which the runner prints', () => {
    expect(passedTests('# pass 99\n# pass 1\n', '/w').count).toBe(1);
  });
});

describe('the names of tests that passed', () => {
  it.each([
    [
      '✔ adds two (0.4ms)\n▶ signs\n  ✔ keeps a minus (1.2ms)\n✔ signs (2ms)\nℹ pass 2',
      ['adds two', 'keeps a minus', 'signs'],
    ],
    ['ok 1 - adds two\n    ok 1 - deep\nnot ok 2 - fails\n# ok 3 - printed by the code', ['adds two', 'deep']],
    ['ok 2 - /w/1/test/sum.test.mjs', ['test/sum.test.mjs']],
    ['ok 3 - skipped # SKIP', ['skipped # SKIP']],
    [' ✓ test/sum.test.ts (2 tests) 5ms\n', ['test/sum.test.ts (0 tests)']],
    ['test_sum.py::test_two PASSED   [ 50%]', ['test_sum.py::test_two']],
    ['(pass) adds two [0.10ms]', ['adds two']],
    ['ok 1 - writes /tmp/x-8fK2/a.txt of 0badc0ffee', ['writes /tmp/0 of 0']],
  ])('are read from the lines of its runner: %j', (output, names) => {
    expect(passedTests(output, '/w/1').names).toEqual(names);
  });

  it('are compared with how often each is there', () => {
    expect(missingTest(['a', 'b', 'a'], ['b', 'a', 'a', 'c'])).toBeUndefined();
    expect(missingTest(['a', 'b', 'a'], ['b', 'a', 'c'])).toBe('a');
  });
});

describe('rules', () => {
  it('are rejected with the value and what is possible', () => {
    const rules = { allow: ['src/**'], test: ['node', '--test'] };
    const reading = (more: object) => () => readRules({ ...rules, ...more } as CodeRules);
    expect(reading({ allow: [] })).toThrow('give patterns of files that may change');
    expect(reading({ test: 'npm test' })).toThrow('test is npm test: give a command');
    expect(reading({ maxLines: 0 })).toThrow('maxLines is 0');
    expect(reading({ allow: ['./src/**'] })).toThrow('the pattern "./src/**" matches nothing');
    expect(reading({})()).toMatchObject({ maxLines: 300, maxFiles: 20, unsafe: false });
  });
});
