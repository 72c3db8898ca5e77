import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNode } from '../../run-node.js';
import { buildCommand, buildDoor } from './build-command.js';
import { runCommand } from './run-command.js';

/**
 * Files as the other tools write them. vitest is a package of this repository. promptfoo (250 MB) and evalite (a database that is
 * compiled at its installation) are not: `npm install --no-save --ignore-scripts promptfoo evalite` in a folder, and
 * OTHER_TOOLS=<folder> runs their part.
 */
const tools = process.env.OTHER_TOOLS ?? '';
const has = (name: string) => existsSync(join(tools, 'node_modules', name, 'package.json'));
const logs = resolve(import.meta.dirname, '../../../../shared/data/traces/inspect-ai');

const folder = mkdtempSync(join(tmpdir(), 'rsi-real-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  await buildDoor(folder, 'bench');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a folder that finds the packages of `modules`. */
function project(name: string, modules: string, files: Readonly<Record<string, string>>): string {
  const own = join(folder, name);
  mkdirSync(own);
  symlinkSync(modules, join(own, 'node_modules'), 'junction');
  for (const [path, text] of Object.entries(files)) writeFileSync(join(own, path), text);
  return own;
}

async function imported(cwd: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await runCommand([command, 'bench', 'import', ...args, '--json'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('rsi bench import of a real file', () => {
  it('of vitest compares two reports', async () => {
    const modules = resolve(import.meta.dirname, '../../../node_modules');
    const cwd = project('vitest', modules, {
      'sums.test.mjs': `import { expect, it } from 'vitest';
for (let n = 0; n < 30; n++) it('adds ' + n, () => expect(process.env.SIGNS || n < 5 ? n : -n).toBe(n));
it.skip('is slow', () => {});
`,
      'vitest.config.mjs': 'export default {};\n',
    });
    const report = (name: string, env: Readonly<Record<string, string>>) =>
      runNode([join(modules, 'vitest/vitest.mjs'), 'run', '--reporter=json', `--outputFile=${name}`], { cwd, env });
    await report('old.json', {});
    await report('new.json', { SIGNS: '1' });
    const found = await imported(cwd, 'old.json', 'new.json');
    expect(found.files.map((file: { format: string }) => file.format)).toEqual(['vitest', 'vitest']);
    expect(found.versions).toMatchObject([
      { name: 'old.json', runs: 30, score: 5 / 30 },
      { name: 'new.json', runs: 30, score: 1 },
    ]);
    expect(found.comparisons).toMatchObject([{ kind: 'better', evidence: { pairs: 30, wins: 25, losses: 0 } }]);
    expect(found.notes).toContainEqual({
      kind: 'skipped',
      item: expect.stringContaining('is slow'),
      reason: 'it was not run (skipped)',
    });
  });

  it.skipIf(!existsSync(logs))('of Inspect has each sample and each score', async () => {
    const names = readdirSync(logs).filter((name) => name.endsWith('.json'));
    expect(names.length).toBeGreaterThan(0);
    for (const [index, name] of names.entries()) {
      const log = JSON.parse(readFileSync(join(logs, name), 'utf8'));
      const found = await imported(folder, join(logs, name), '--out', `inspect-${index}.json`);
      const samples = new Set(log.samples.map(({ id }: { id: unknown }) => id));
      const skipped = found.notes.filter(({ kind }: { kind: string }) => kind === 'skipped');
      expect(found.problems + skipped.length).toBeGreaterThanOrEqual(samples.size);
      expect(found.files).toMatchObject([{ format: 'inspect' }]);
    }
  });

  it.skipIf(!has('evalite'))('of evalite has its inputs, what is expected, and its scores', async () => {
    const cwd = project('evalite', join(tools, 'node_modules'), {
      'package.json': '{ "type": "module" }',
      'sums.eval.ts': `import { evalite } from 'evalite';
evalite('Sums', {
  data: async () => [{ input: '1+1', expected: '2' }, { input: '2+2', expected: '4' }],
  task: async (input) => (input === '1+1' ? '2' : '5'),
  scorers: [{ name: 'Exact', scorer: ({ output, expected }) => (output === expected ? 1 : 0) }],
});
`,
      'run.mjs': `import { createInMemoryStorage } from 'evalite/in-memory-storage';
import { runEvalite } from 'evalite/runner';
await runEvalite({ cwd: process.cwd(), mode: 'run-once-and-exit', storage: createInMemoryStorage(), outputPath: './out.json' });
`,
    });
    execFileSync(process.execPath, ['run.mjs'], { cwd });
    const found = await imported(cwd, 'out.json', '--out', 'problems.json');
    expect(found.files).toMatchObject([{ format: 'evalite', problems: 2 }]);
    expect(found.versions).toMatchObject([{ runs: 2, score: 0.5 }]);
    expect(JSON.parse(readFileSync(join(cwd, 'problems.json'), 'utf8'))).toMatchObject([
      { input: '1+1', expected: '2' },
      { input: '2+2', expected: '4' },
    ]);
  });

  it.skipIf(!has('promptfoo'))('of promptfoo scores every answer as promptfoo does, and names the rest', async () => {
    const cwd = project('promptfoo', join(tools, 'node_modules'), { 'promptfooconfig.yaml': CONFIG });
    const program = join(tools, 'node_modules/promptfoo/dist/src/entrypoint.js');
    const options = ['eval', '--no-cache', '--no-table', '--no-write', '-o', 'out.json'];
    const env = { PROMPTFOO_DISABLE_TELEMETRY: '1', PROMPTFOO_DISABLE_UPDATE: '1', PROMPTFOO_CONFIG_DIR: cwd };
    await runNode([program, ...options], { cwd, env }); // it ends with a code for failed tests
    const ofConfig = await imported(cwd, 'promptfooconfig.yaml', '--out', 'config.json');
    const ofResults = await imported(cwd, 'out.json', '--out', 'results.json');
    const read = (name: string) => JSON.parse(readFileSync(join(cwd, name), 'utf8'));
    const shown = (name: string) => read(name).map(({ id: _, ...problem }: { id: string }) => problem);
    expect(shown('results.json')).toEqual(shown('config.json'));
    for (const { notes } of [ofConfig, ofResults])
      expect(notes).toContainEqual({ kind: 'skipped', item: 'code', reason: expect.stringContaining('is code') });
    expect(ofConfig.notes).toContainEqual({ kind: 'changed', item: 'judge', reason: expect.any(String) });
    expect(ofResults.notes).toContainEqual({
      kind: 'skipped',
      item: 'rubric',
      reason: expect.stringContaining('was not judged'),
    });
    writeFileSync(
      join(cwd, 'rsi.bench.mjs'),
      `import { bench, exact } from ${JSON.stringify(join(folder, 'bench.mjs'))};
const run = ({ input }) => 'Paris is the capital of ' + input.country;
export default { suites: [bench('q', { problems: './results.json', run, judge: { complete: async () => { throw new Error('no'); } } })] };
`,
    );
    const own = await runNode([command, 'bench', 'run', '--json'], { cwd });
    const scores = new Map(
      JSON.parse(own.stdout).problems.map((one: { problemId: string; score: number }) => [one.problemId, one.score]),
    );
    const rows = JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8')).results.results;
    const theirs = rows.filter(({ testCase }: Row) => !['code', 'rubric'].includes(testCase.description));
    expect(theirs).toHaveLength(8);
    const seen = new Map<string, number>();
    for (const { testCase, success } of theirs as readonly Row[]) {
      const count = (seen.get(testCase.description) ?? 0) + 1;
      seen.set(testCase.description, count);
      const id = count === 1 ? testCase.description : `${testCase.description} ${count}`;
      expect([id, scores.get(id) === 1]).toEqual([id, success]);
    }
  });
});

interface Row {
  readonly testCase: { readonly description: string };
  readonly success: boolean;
}

const CONFIG = `description: capitals
prompts: ['Paris is the capital of {{country}}']
providers: [echo]
defaultTest:
  assert: [{ type: latency, threshold: 60000 }]
tests:
  - { description: contains, vars: { country: France }, assert: [{ type: contains, value: Paris }] }
  - { description: wrong, vars: { country: Italy }, assert: [{ type: icontains, value: rome }] }
  - { description: begins, vars: { country: Chile }, assert: [{ type: starts-with, value: paris }] }
  - { description: same, vars: { country: Kenya }, assert: [{ type: equals, value: 'Paris is the capital of {{country}}' }] }
  - { description: any, vars: { country: Mali }, assert: [{ type: contains-any, value: [Rome, Mali] }] }
  - { description: json, vars: { country: Nepal }, assert: [{ type: is-json }] }
  - description: both
    vars: { country: [Spain, Malta] }
    assert:
      - { type: regex, value: '^Paris .* Malta$' }
      - { type: not-contains, value: Oslo }
  - { description: code, vars: { country: Peru }, assert: [{ type: javascript, value: output.length > 3 }] }
  - { description: rubric, vars: { country: Chad }, assert: [{ type: llm-rubric, value: is polite }] }
`;
