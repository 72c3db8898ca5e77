import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ScriptedModel } from 'rsi-loop/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findGaps } from '../../../integrations/cli/gaps/find-gaps.js';
import { readProject } from '../../../integrations/cli/gaps/read-project.js';
import { wordGaps } from '../../../integrations/cli/gaps/word-gaps.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-gaps-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a project and returns its folder. */
function project(name: string, files: Readonly<Record<string, string>>): string {
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return join(folder, name);
}

const own = project('own', {
  'package.json': JSON.stringify({
    name: 'own',
    bin: { own: './cli.js' },
    scripts: { test: 'x' },
    exports: './dist/index.js',
    dependencies: { used: '^1.0.0' },
  }),
  'src/index.ts': 'export { retryPolicy as retry } from "./retry.js";\nexport function exportOutcomes() {}\n',
  'README.md':
    '# own\n\n## Retrying calls\n\nUse `--dry-run`.\n\n| command | purpose |\n| --- | --- |\n| `list` | lists |\n',
});
const rival = project('rival', {
  'package.json': `{\n  "name": "rival",\n  "bin": { "rival": "./cli.js" },\n  "scripts": { "lint": "x" },\n  "exports": { ".": { "types": "./dist/index.d.ts" }, "./testing": "./dist/testing.js" }\n}\n`,
  'dist/index.d.ts': [
    '/** export function inComment(): void */',
    'export declare function retry(): void;',
    'export declare class CircuitBreaker {}',
    "export * from './more.js';",
    'export { a as namedAlias, type Shape };',
  ].join('\n'),
  'dist/more.d.ts': 'export interface Bulkhead {}\n',
  'README.md': [
    '# rival',
    '## Retrying calls',
    '## Circuit breaking',
    '## License',
    'rival watches folders. `rival` reads what you write.',
    '```sh',
    '# not a heading',
    '$ rival list --dry-run',
    '$ rival publish --tag-name x',
    '```',
    '| option | meaning |',
    '| --- | --- |',
    '| `maxDelay` | x |',
  ].join('\n'),
});
project('used', { 'package.json': JSON.stringify({ name: 'used', exports: { './extra': './extra.js' } }) });
const python = project('snake', {
  'pyproject.toml': '[project]\nname = "snake"\n[project.scripts]\nsnake-run = "snake:main"\n',
  'snake/__init__.py': '__all__ = [\n    "CircuitBreaker",\n    "watch_folder",\n]\n',
});

describe('rsi gaps', () => {
  it('lists what others have and the project does not, with file and line', () => {
    const gaps = findGaps(readProject(own), [readProject(rival), readProject(python)]);
    const rows = gaps.map(({ kind, name, evidence }) => {
      return `${kind} ${name}: ${evidence.map(({ project, file, line }) => `${project}/${file}:${line}`).join(' ')}`;
    });
    expect(rows).toEqual([
      'export CircuitBreaker: rival/dist/index.d.ts:3 snake/snake/__init__.py:2',
      'command publish: rival/README.md:9',
      'command snake-run: snake/pyproject.toml:4',
      'option --tag-name: rival/README.md:9',
      'option maxDelay: rival/README.md:13',
      'entry testing: rival/package.json:5',
      'topic Circuit breaking: rival/README.md:3',
      'export Bulkhead: rival/dist/more.d.ts:1',
      'export Shape: rival/dist/index.d.ts:5',
      'export namedAlias: rival/dist/index.d.ts:5',
      'export watch_folder: snake/snake/__init__.py:3',
      'script lint: rival/package.json:4',
    ]);
    expect(new Set(gaps.map(({ id }) => id)).size).toBe(gaps.length);
  });

  it('prints a task list for people and a document for programs', async () => {
    const { code, stdout } = await runCommand([command, 'gaps', '../rival', '../snake', '--limit', '2'], { cwd: own });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# What rival and snake offer and own does not\n/);
    expect(stdout).toMatch(
      /- \[ \] `CircuitBreaker` \(2 of 2\) gap-[0-9a-f]{8}\n {2}in `rival\/dist\/index\.d\.ts:3`, `snake\//,
    );
    expect(stdout).toContain('and 3 more: --limit shows more, --json all');
    const json = await runCommand([command, 'gaps', '../rival', '--json'], { cwd: own });
    expect(JSON.parse(json.stdout)).toMatchObject({
      format: 'rsi-gaps/1',
      projects: [{ name: 'own' }, { name: 'rival' }],
    });
  });

  it('reads nothing outside of a project, no pipe, and no large file', () => {
    const secret = project('secret', { 'README.md': '## Secret topic\n' });
    const odd = project('odd', {
      'package.json': '{"name":"odd","main":"../secret/README.md"}',
      'README.big.md': '## Big\n'.repeat(100_000),
    });
    mkdirSync(join(odd, 'docs'));
    symlinkSync(join(secret, 'README.md'), join(odd, 'README.md'));
    symlinkSync(secret, join(odd, 'docs', 'linked'));
    symlinkSync(odd, join(odd, 'docs', 'again'));
    symlinkSync(join(secret, 'README.md'), join(odd, 'index.js'));
    execFileSync('mkfifo', [join(odd, 'README.pipe.md')]);
    const { features, skipped } = readProject(odd);
    expect(features).toEqual([]);
    expect(skipped).toContain('README.big.md: it has more than 512 kB');
    expect(skipped.join('\n')).toMatch(/leads out of the project/);
  });

  it('shows hostile text of others as text', async () => {
    project('evil', {
      'package.json': JSON.stringify({ name: 'evil\u001b[31m`<b>', bin: { 'x\u202e`; rm': 'y', '$(touch x)': 'z' } }),
      'README.md': `## \u001b]8;;https://evil.example\u0007Click [me](https://evil.example) \`<img>\`\n${'## '.repeat(500)}\n`,
      'index.js': `${'export {'.repeat(50_000)}`,
    });
    const { code, stdout } = await runCommand([command, 'gaps', '../evil'], { cwd: own });
    expect(code).toBe(0);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(stdout).not.toMatch(/\]\(https/);
    expect(stdout.replace(/`[^`\n]*`/g, '').replace(/\\./g, '')).not.toMatch(/[<>]|`/);
  });

  it.for<[args: readonly string[], words: string]>([
    [[], 'missing required argument'],
    [['../nothing'], 'error: ../nothing is not a folder: name the folder of a project on this disk\n'],
    [['../own/README.md'], 'error: ../own/README.md is not a folder'],
    [['.'], 'is your own project: name others, or --project'],
    [['../used'], 'used is a dependency of own: your project has what it offers already. Name projects beside it'],
    [['../rival', '--project', '../nothing'], 'error: ../nothing is not a folder'],
    [['../rival', '--limit', '0'], 'Give a whole number from 1'],
    [['../rival', '--model'], 'no model server is running'],
  ])('says what is wrong: %j', async ([args, words]) => {
    const env = { RSI_VLLM_URL: 'http://127.0.0.1:1', RSI_OLLAMA_URL: 'http://127.0.0.1:1' };
    const { code, stdout, stderr } = await runCommand([command, 'gaps', ...args], { cwd: own, env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });

  it('keeps only sentences of a model on gaps that it was asked about', async () => {
    const gaps = findGaps(readProject(own), [readProject(rival)]);
    const [first, second] = gaps.map(({ id }) => id);
    const sentences = [
      { id: first, sentence: 'Publishes a package.' },
      { id: second, sentence: 'unclear' },
      { id: 'gap-00000000', sentence: 'Invented.' },
    ];
    const model = new ScriptedModel([JSON.stringify({ sentences })]);
    const words = await wordGaps(model, gaps, new AbortController().signal);
    expect([...words]).toEqual([[first, 'Publishes a package.']]);
  });
});
