import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Variant } from 'rsi-loop/bench';
import { codeProject, FileLog, type ImprovementStep } from 'rsi-loop/improve';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runSandboxed } from '../../../integrations/bench/sandbox/sandbox.js';
import { versionId } from '../../../integrations/improve/version.js';
import type { runNode } from '../../run-node.js';
import { BETTER } from '../improve/code/proof.js';
import { createRepository, GOOD_SUM, optionsFor, type TestRepository } from '../improve/code/repository.js';
import { buildCommand, buildDoor, writePage } from './build-command.js';
import { runCommand } from './run-command.js';

/** Candidates do not run on machines without namespaces. */
const isolates = await runSandboxed('true', []).then(
  () => true,
  () => false,
);

const folder = mkdtempSync(join(tmpdir(), 'rsi-improve-code-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  writePage(folder); // the package, as commands find it
  await buildDoor(folder, 'bench');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const REPAIR = {
  ...{
    task: 'sum',
    place: 'src/sum.mjs sum',
    before: 'the recorded call threw Error: x',
    after: 'the recorded call returned 0',
  },
  ...{ checks: ['2 tests of the repository cover the function and pass'], by: 'scripted' },
};

function project(): { repository: TestRepository; run: (...args: string[]) => ReturnType<typeof runNode> } {
  const repository = createRepository();
  onTestFinished(() => repository.remove());
  const { folder: _, ...rules } = optionsFor(repository);
  const config = { improve: { project: { folder: '.', ...rules } } };
  writeFileSync(join(repository.folder, 'rsi.config.json'), JSON.stringify(config));
  const run = (...args: string[]) => runCommand([command, 'improve', ...args], { cwd: repository.folder });
  return { repository, run };
}

async function handIn(repository: TestRepository): Promise<string> {
  const adder = await codeProject(optionsFor(repository));
  const change = await adder.submit(
    { name: 'sum: TypeError', code: { 'src/sum.mjs': GOOD_SUM } },
    { suite: 'heal sum', seed: 0, comparisons: [], hypotheses: ['signs were lost'], repair: REPAIR },
  );
  await adder.close();
  return change.id;
}

describe.skipIf(!isolates)('rsi improve, with a repository in the configuration', () => {
  it('lists, shows, merges and reverts a repair', async () => {
    const { repository, run } = project();
    const id = await handIn(repository);
    const list = await run('changes');
    expect(list).toMatchObject({ code: 1, stderr: '' });
    expect(list.stdout).toBe(
      `${id.slice(0, 12)}  sum: TypeError  waiting, 2 lines of src/sum.mjs\n  npx rsi improve show ${id.slice(0, 12)}\n`,
    );
    const { stdout: shown } = await run('show', id.slice(0, 8));
    expect(shown).toContain('before    the recorded call threw Error: x\n');
    expect(shown).toContain("-  return text.split('+').map((each) => Number(each.replace('-', '')))");
    expect(await run('approve', id.slice(0, 8), '--by', 'ada')).toMatchObject({
      code: 2,
      stderr: 'error: a decision on code needs a reason: give one with --reason\n',
    });
    const merged = await run('approve', id.slice(0, 8), '--by', 'ada', '--reason', 'it reads well');
    expect(merged).toMatchObject({ code: 0, stderr: '' });
    expect(merged.stdout).toMatch(/^sum: TypeError is merged as [0-9a-f]{12}\n/);
    expect(repository.git('log', '-1', '--format=%s')).toBe('Repair: sum: TypeError');
    expect(repository.git('log', '-1', '--format=%b')).toContain('- before: the recorded call threw Error: x');
    expect(readFileSync(join(repository.folder, 'src/sum.mjs'), 'utf8')).toBe(GOOD_SUM);
    const back = await run('rollback', id.slice(0, 8), '--by', 'ada', '--reason', 'wrong');
    expect(back.stdout).toMatch(/^sum: TypeError is rolled-back as [0-9a-f]{12}\n/);
    expect(repository.git('log', '-1', '--format=%s')).toBe('Revert "Repair: sum: TypeError"');
    expect((await run('changes')).code).toBe(0);
  });

  it('merges a proven version that changes files, and records the decision', async () => {
    const { repository, run } = project();
    const variant: Variant = { name: 'signs', code: { 'src/sum.mjs': GOOD_SUM } };
    const version = versionId(variant);
    await writeImprovement(join(repository.folder, 'rsi_bench'), version, variant);
    expect((await run('approve', version, '--by', 'ada')).stderr).toContain('needs a reason');
    const merged = await run('approve', version, '--by', 'ada', '--reason', 'clear');
    expect(merged.stderr).toBe('');
    expect(merged.stdout).toMatch(/^version [0-9a-f]{12} is merged as [0-9a-f]{12}\n/);
    expect(repository.git('log', '-1', '--format=%s')).toBe('Improve the agent: signs');
    expect((await run('show', version)).stdout).toMatch(/decision +approved by ada on .*: clear\n/);
  });

  it('completes an approval that was killed between its commit and its record', async () => {
    const { repository, run } = project();
    const variant: Variant = { name: 'signs', code: { 'src/sum.mjs': GOOD_SUM } };
    const version = versionId(variant);
    await writeImprovement(join(repository.folder, 'rsi_bench'), version, variant);
    const adder = await codeProject(optionsFor(repository));
    const change = await adder.submit(variant, { suite: 'sums', seed: 1, comparisons: [BETTER] });
    await adder.approve(change.id, { by: 'ada', reason: 'clear' });
    await adder.close();
    const again = await run('approve', version, '--by', 'ada', '--reason', 'clear');
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(repository.git('log', '--format=%s').split('\n')).toHaveLength(2);
    expect((await run('show', version)).stdout).toMatch(/decision +approved by ada on .*: clear\n/);
  });

  it('warns of files with expected answers that candidates can read', async () => {
    const { repository, run } = project();
    const problems = ['1+-1', '5+-6'].map((input, index) => ({
      id: `p${index}`,
      input,
      expected: index === 0 ? '0' : '-1',
    }));
    repository.write({ 'data/sums.json': JSON.stringify(problems) });
    repository.git('add', 'data');
    repository.git('commit', '--quiet', '-m', 'Data');
    writeFileSync(
      join(repository.folder, 'rsi.bench.mjs'),
      `import { readFileSync } from 'node:fs';
import { bench, exact } from ${JSON.stringify(join(folder, 'bench.mjs'))};
const problems = JSON.parse(readFileSync('data/sums.json', 'utf8'));
problems[0].split = 'held-out';
problems[1].split = 'open';
export default {
  suites: [bench('sums', { problems, run: () => '0', score: exact() })],
  improve: { propose: () => [] },
};
`,
    );
    expect((await run('once')).stderr).toContain(
      'warning: candidates can read data/sums.json, which has expected answers of 2 problems: name it in improve.project.hide\n',
    );
  });

  it('says what is missing without a repository', async () => {
    const { repository, run } = project();
    writeFileSync(join(repository.folder, 'rsi.config.json'), '{}');
    const { code, stderr } = await run('changes');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no repository is configured: write improve: {'),
    });
    writeFileSync(join(repository.folder, 'rsi.config.json'), '{ "improve": { "project": { "allow": "src" } } }');
    expect((await run('changes')).stderr).toContain(
      'improve.project.allow is "src": give a list of patterns, such as [\'src/**\']',
    );
  });
});

/** Writes the steps of an improvement that kept one version. */
async function writeImprovement(runs: string, version: string, variant: Variant): Promise<void> {
  const log = new FileLog<ImprovementStep>(runs);
  const rest = { atMs: 1, spent: { runs: 0, usd: 0, tokens: 0, minutes: 0 } };
  const scored = { id: version, parents: [], round: 1, variant, parts: [], score: 1, runs: 2 };
  const steps: readonly ImprovementStep[] = [
    { ...rest, kind: 'started', suite: 'sums', problems: { open: 1, heldOut: 1 }, start: {}, rounds: 1, budget: {} },
    { ...rest, kind: 'scored', round: 1, tried: [], versions: [scored] },
    { ...rest, kind: 'drafted', round: 1, version: scored, baseline: 'start', alpha: 0.05 },
    {
      ...rest,
      kind: 'decided',
      round: 1,
      draft: variant,
      version,
      baseline: 'start',
      comparison: BETTER,
      isKept: true,
    },
    { ...rest, kind: 'ended', why: 'rounds' },
  ];
  for (const step of steps) await log.add('0123456789abcdef', step);
  await log.close();
}
