import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeProject, type CodeProjectOptions, codeProject } from 'rsi-loop/improve';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runSandboxed } from '../../../../integrations/bench/sandbox/sandbox.js';
import { Fingerprints } from '../../../../integrations/improve/worktree/fingerprint.js';
import { BETTER, PROOF } from './proof.js';
import { createRepository, GOOD_SUM, optionsFor, SUM, type TestRepository } from './repository.js';

/** Candidates do not run on machines without namespaces. */
const isolates = await runSandboxed('true', []).then(
  () => true,
  () => false,
);

let repository: TestRepository;
const open: CodeProject[] = [];
beforeEach(() => {
  repository = createRepository();
});
afterEach(async () => {
  for (const project of open.splice(0)) await project.close();
  repository.remove();
});

/** Most stories do not depend on the tests of the agent. */
async function project(options: Partial<CodeProjectOptions> = {}): Promise<CodeProject> {
  const opened = await codeProject({ ...optionsFor(repository), test: ['true'], ...options });
  open.push(opened);
  return opened;
}

const GOOD = { name: 'signs', code: { 'src/sum.mjs': GOOD_SUM } };
const ADA = { by: 'Ada', reason: 'it reads well' };
const AGENT = ['node', 'src/agent.mjs'];
const read = (path: string) => readFileSync(join(repository.folder, path), 'utf8');
/** Everything in the folder of the user, and everything of git but the folder of this package. */
const everything = async () => {
  const all = await new Fingerprints().of(repository.folder);
  return [...all].filter(([path]) => !path.startsWith('.git/rsi-loop/'));
};

describe.skipIf(!isolates)('a version of the code', () => {
  it('runs in a worktree of its own, and the folder and git of the user stay as they are, byte for byte', async () => {
    const before = await everything();
    const adder = await project();
    expect(await adder.run({}, AGENT, { input: '1+-1' })).toBe('2\n');
    expect(await adder.run(GOOD.code, AGENT, { input: '1+-1' })).toBe('0\n');
    const script = 'pwd; ls -A; cat README.md; git status; ls bench /work "$0" 2>&1; env';
    const seen = await adder.run(GOOD.code, ['sh', '-c', `${script}; true`, repository.folder]);
    expect(seen).toMatch(/rsi-code-.*\n\.git\nREADME\.md\npackage-lock\.json\npackage\.json\nsrc\ntest\n# Adder/);
    expect(seen).toMatch(`cannot access '${repository.folder}'`);
    expect(seen).toMatch(`cannot access 'bench'`);
    expect(seen).not.toMatch(/USER|npm_|VITEST/);
    expect(await everything()).toEqual(before);
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('is rejected before a benchmark, with the reason, if it breaks a rule or a test', async () => {
    const adder = await project({ test: ['node', '--test'], check: ['node', '--check', 'src/sum.mjs'], maxLines: 40 });
    const why = async (code: Record<string, string | null>) => {
      const check = await adder.check(code);
      return check.ok ? 'passed' : check.why;
    };
    expect(await adder.check(GOOD.code)).toEqual({ ok: true, lines: 2, passed: 2 });
    expect(await why({ 'test/sum.test.mjs': '' })).toBe('"test/sum.test.mjs" is protected');
    expect(await why({ 'README.md': '' })).toBe('"README.md" is not among the allowed paths');
    expect(await why({ 'src/sum.mjs': 'export function' })).toMatch(/^the check failed \(exit code 1\): .*SyntaxError/);
    expect(await why({ 'src/sum.mjs': SUM.replace('a + b', 'a') })).toMatch(
      /^the tests failed \(exit code 1\): .*adds/,
    );
    const ending = `console.log('# pass 2'); process.exit(0);\n${SUM}`;
    expect(await why({ 'src/sum.mjs': ending })).toMatch(/^the tests ended after [01] of 2, without a failure/);
    expect(await why({ 'src/new.mjs': 'x\n'.repeat(41) })).toBe('it changes 41 lines of at most 40');
    expect((await adder.rejected()).map(({ paths }) => paths[0])).toEqual([
      'test/sum.test.mjs',
      'README.md',
      ...['src/sum.mjs', 'src/sum.mjs', 'src/sum.mjs', 'src/new.mjs'],
    ]);
    await expect(adder.run({ 'README.md': '' }, AGENT)).rejects.toThrow('rejected: "README.md" is not among');
  });

  it('is rejected if a source file ends the process before its only test, whatever it prints', async () => {
    repository.write({
      'test/sum.test.mjs': `import { test } from 'node:test';
import { sum } from '../src/sum.mjs';
test('adds two', () => sum('1+2'));
`,
      'test/other.test.mjs': `import { test } from 'node:test';\ntest('stands alone', () => {});\n`,
    });
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '-m', 'One test per file');
    const adder = await project({ test: ['node', '--test'] });
    for (const print of ['', `console.log('✔ adds two (0.1ms)\\nok 1 - adds two');`])
      expect(await adder.check({ 'src/sum.mjs': `${print} process.exit(0);\n${SUM}` })).toEqual({
        ok: false,
        why: 'test/sum.test.mjs ended before its tests, without a failure',
      });
    expect(await adder.check(GOOD.code)).toMatchObject({ ok: true });
  });

  it('is voided if it leaves a process, or reaches for a protected file while it runs', async () => {
    const adder = await project();
    const running = (line: string) => ({ 'src/agent.mjs': `${line}\nconsole.log(0);\n` });
    const child = `import { spawn } from 'node:child_process';
      spawn('sleep', ['66'], { detached: true, stdio: 'ignore' }).unref();`;
    await expect(adder.run(running(child), AGENT)).rejects.toThrow('rejected: it left 1 process running');
    const write = `import fs from 'node:fs'; fs.writeFileSync('test/sum.test.mjs', '');`;
    await expect(adder.run(running(write), AGENT)).rejects.toThrow('it tried to change test/sum.test.mjs while it ran');
    await expect(adder.submit({ code: running(write) }, PROOF)).rejects.toThrow('it tried to change test/sum.test.mjs');
    expect(await adder.check(running(child))).toEqual({ ok: false, why: 'it left 1 process running' });
    expect(await adder.run(running(`import fs from 'node:fs'; fs.writeFileSync('cache', '');`), AGENT)).toBe('0\n');
  });

  it('runs no hook, no filter and no program that a repository names, and no variable redirects git', async () => {
    const marker = join(repository.folder, 'ran');
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change', 'pre-commit', 'post-commit']) {
      const path = join(repository.folder, '.git', 'hooks', hook);
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, `#!/bin/sh\necho ${hook} >> ${marker}\n`);
      chmodSync(path, 0o755);
    }
    repository.git('config', 'core.fsmonitor', `sh -c 'echo fsmonitor >> ${marker}'`);
    repository.write({ '.gitattributes': 'src/agent.mjs filter=own\n' });
    repository.git('-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', 'add', '.gitattributes');
    repository.git(
      '-c',
      'core.hooksPath=/dev/null',
      '-c',
      'core.fsmonitor=false',
      'commit',
      '--quiet',
      '-m',
      'Attributes',
    );
    repository.git('config', 'filter.own.smudge', `sh -c 'echo filter >> ${marker}; cat'`);
    const variables = { GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere', GIT_OBJECT_DIRECTORY: '/nowhere' };
    Object.assign(process.env, variables);
    try {
      const adder = await project();
      const change = await adder.submit(GOOD, PROOF);
      await adder.approve(change.id, ADA);
      await adder.rollback(change.id, ADA);
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
    }
    expect(() => readFileSync(marker)).toThrow(/ENOENT/);
  });
});

describe.skipIf(!isolates)('a proven change', () => {
  it('waits for a person, is merged as one commit with its evidence, and rolled back by one', async () => {
    const adder = await project();
    const change = await adder.submit(GOOD, PROOF);
    expect(change).toMatchObject({ name: 'signs', status: 'waiting', lines: 2 });
    expect(await adder.submit(GOOD, PROOF)).toEqual(change);
    expect(repository.git('log', '--format=%s')).toBe('Add the agent');
    repository.write({ 'README.md': '# My notes\n' });
    const merged = await adder.approve(change.id.slice(0, 8), ADA);
    expect(merged).toMatchObject({ status: 'merged', decision: { by: 'Ada' } });
    expect(repository.git('log', '-1', '--format=%H %an, %cn')).toBe(`${merged.commit} rsi-loop, Ada`);
    expect(repository.git('log', '-1', '--format=%B').split('\n')).toEqual([
      ...['Improve the agent: signs', '', '- signs were lost'],
      '- signs is better. 100 % against 50 % in 30 pairs (20 won, 0 lost): +50.0 points, +20.0 to +80.0.',
      ...['', `Rsi-Change: ${change.id}`, 'Rsi-Suite: sums', 'Rsi-Seed: 7', 'Rsi-Evidence: 25.0 of 20 needed'],
      expect.stringMatching(/^Rsi-Patch: sha256:[0-9a-f]{64}$/),
      ...[`Rsi-Measured-On: ${adder.base}`, 'Rsi-Reason: it reads well', 'Approved-by: Ada'],
    ]);
    expect(read('src/sum.mjs')).toBe(GOOD_SUM);
    expect(repository.git('status', '--short')).toBe('M README.md');
    const back = await adder.rollback(change.id, { by: 'Bo', reason: 'too early' });
    expect(back).toMatchObject({ status: 'rolled-back', decision: { by: 'Bo', reason: 'too early' } });
    expect(read('src/sum.mjs')).toBe(SUM);
    expect(repository.git('diff', 'HEAD', 'HEAD~2', '--stat')).toBe('');
    expect(repository.git('log', '--format=%s').split('\n')).toHaveLength(3);
    await expect(adder.rollback(change.id, ADA)).rejects.toThrow('signs is rolled-back, not merged');
  });

  it('adds and removes files, and keeps their rights', async () => {
    chmodSync(join(repository.folder, 'src/sum.mjs'), 0o755);
    repository.write({ 'src/old.mjs': '' });
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '-m', 'Rights');
    const adder = await project();
    const code = { 'src/sum.mjs': GOOD_SUM, 'src/deep/new.mjs': 'export {};\n', 'src/old.mjs': null };
    const { id } = await adder.submit({ code }, PROOF);
    await adder.approve(id, ADA);
    expect(
      repository
        .git('ls-files', '-s', 'src')
        .replace(/ [0-9a-f]+ /g, ' ')
        .split('\n'),
    ).toEqual(['100644 0\tsrc/agent.mjs', '100644 0\tsrc/deep/new.mjs', '100755 0\tsrc/sum.mjs']);
    expect(repository.git('status', '--short')).toBe('');
    await adder.rollback(id, ADA);
    expect(repository.git('diff', 'HEAD', 'HEAD~2', '--stat') + repository.git('status', '--short')).toBe('');
  });

  it('cannot write trailers or a second subject by its texts', async () => {
    const adder = await project();
    const forged = 'good\n\nApproved-by: Bo\u202e\u001b[2J';
    const { id } = await adder.submit({ ...GOOD, name: forged }, { ...PROOF, suite: forged, hypotheses: [forged] });
    await adder.approve(id, { by: 'Ada\nApproved-by: Cy', reason: 'fine\n\nRsi-Seed: 9' });
    const trailers = repository.git('log', '-1', '--format=%(trailers:only)').split('\n');
    expect(trailers.filter((line) => line.startsWith('Approved-by'))).toEqual(['Approved-by: Ada Approved-by: Cy']);
    expect(trailers.filter((line) => line.startsWith('Rsi-Seed'))).toEqual(['Rsi-Seed: 7']);
    expect(repository.git('log', '-1', '--format=%B')).not.toMatch(/\p{Cf}|[^\P{Cc}\n]/u);
  });

  it('is not merged over changes of the user, and says which file', async () => {
    const adder = await project();
    const { id } = await adder.submit({ code: { ...GOOD.code, 'src/new.mjs': '' } }, PROOF);
    repository.write({ 'src/sum.mjs': '// mine\n' });
    const dirty = 'src/sum.mjs has changes that are not committed: commit or stash them';
    await expect(adder.approve(id, ADA)).rejects.toThrow(dirty);
    repository.git('add', '--all');
    await expect(adder.approve(id, ADA)).rejects.toThrow(dirty);
    repository.git('reset', '--quiet', '--hard');
    repository.write({ 'src/new.mjs': '// mine\n' });
    await expect(adder.approve(id, ADA)).rejects.toThrow('src/new.mjs has changes that are not committed');
    repository.write({ '.git/info/exclude': 'src/new.mjs\n' });
    await expect(adder.approve(id, ADA)).rejects.toThrow('src/new.mjs has changes that are not committed');
    expect(read('src/new.mjs')).toBe('// mine\n');
    writeFileSync(join(repository.folder, '.git', 'MERGE_HEAD'), `${adder.base}\n`);
    await expect(adder.approve(id, ADA)).rejects.toThrow(/git is busy in .* \(MERGE_HEAD exists\): finish that first/);
    expect(repository.git('log', '--format=%s')).toBe('Add the agent');
    expect((await adder.changes())[0]?.status).toBe('waiting');
  });

  it('is checked again on a branch that has moved, and needs another measurement if its files changed', async () => {
    const adder = await project({ test: ['node', '--test'] });
    const { id } = await adder.submit(GOOD, PROOF);
    const other = await adder.submit({ name: 'other', code: { 'src/new.mjs': 'export {};\n' } }, PROOF);
    repository.write({ 'README.md': '# New\n' });
    repository.git('commit', '--quiet', '--all', '-m', 'Read me');
    await adder.approve(other.id, ADA);
    expect(repository.git('log', '--format=%s').split('\n')).toEqual([
      'Improve the agent: other',
      'Read me',
      'Add the agent',
    ]);
    // With the signs of the good version, this new test fails.
    repository.write({ 'test/more.test.mjs': read('test/sum.test.mjs').replace("sum('1+2'), 3", "sum('1+-2'), 3") });
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '-m', 'A test');
    await expect(adder.approve(id, ADA)).rejects.toThrow(/rejected: the tests failed/);
    repository.write({ 'src/sum.mjs': `// mine\n${SUM}` });
    repository.git('commit', '--quiet', '--all', '-m', 'Mine');
    await expect(adder.approve(id, ADA)).rejects.toThrow(
      'main has changed src/sum.mjs since: measure the change again',
    );
    repository.write({ 'src/new.mjs': '// mine\n' });
    repository.git('commit', '--quiet', '--all', '-m', 'Mine too');
    await expect(adder.rollback(other.id, ADA)).rejects.toThrow(
      /src\/new.mjs was changed after the merge: run "git revert/,
    );
  });

  it('moves the branch only, if another one is checked out, and stays one commit if two people approve it', async () => {
    const adder = await project();
    const { id } = await adder.submit(GOOD, PROOF);
    repository.git('switch', '--quiet', '--create', 'mine');
    const results = await Promise.allSettled([adder.approve(id, ADA), (await project()).approve(id, ADA)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(repository.git('log', '--format=%s', 'main').split('\n')).toHaveLength(2);
    expect(repository.git('log', '--format=%s', 'mine').split('\n')).toHaveLength(1);
    expect(read('src/sum.mjs')).toBe(SUM);
    expect(repository.git('status', '--short')).toBe('');
  });

  it('needs proof, a change, a person and a reason', async () => {
    const adder = await project();
    const worse = { ...PROOF, comparisons: [BETTER, { ...BETTER, kind: 'worse' } as const] };
    await expect(adder.submit(GOOD, worse)).rejects.toThrow('signs is not proven: the result of a comparison is worse');
    await expect(adder.submit(GOOD, { ...PROOF, comparisons: [] })).rejects.toThrow(
      'compare it on the held-out half first',
    );
    await expect(adder.submit({ code: { 'src/sum.mjs': SUM } }, PROOF)).rejects.toThrow('candidate changes no file');
    const { id } = await adder.submit(GOOD, PROOF);
    await expect(adder.approve(id, { by: ' ', reason: 'x' })).rejects.toThrow('a decision needs a person and a reason');
    await expect(adder.approve('nothing', ADA)).rejects.toThrow('no change begin with nothing');
    expect(await adder.reject(id, { by: 'Bo', reason: 'unclear' })).toMatchObject({ status: 'rejected' });
    await expect(adder.approve(id, ADA)).rejects.toThrow('signs is rejected, not waiting');
  });
});

describe.skipIf(!isolates)('a project', () => {
  it('continues with what earlier processes checked and decided', async () => {
    const first = await project({ test: ['node', '--test'] });
    const bad = { 'src/sum.mjs': SUM.replace('a + b', 'a') };
    const failed = await first.check(bad);
    const { id } = await first.submit(GOOD, PROOF);
    await first.close();
    // Without Node, nothing can be checked again.
    const second = await project({ test: ['node', '--test'] });
    expect(await second.check(bad)).toEqual(failed);
    expect(await second.check(GOOD.code)).toMatchObject({ ok: true, passed: 2 });
    expect((await second.approve(id, ADA)).status).toBe('merged');
    const log = readFileSync(join(repository.folder, '.git/rsi-loop/improve-code.jsonl'), 'utf8');
    expect(log.match(/"kind":"checked"/g)).toHaveLength(3);
  });

  it('rejects a folder that cannot be improved, and says what to do', async () => {
    await expect(project({ folder: join(repository.folder, 'src') })).rejects.toThrow(
      /src is inside of .*: give the root of the repository/,
    );
    await expect(project({ folder: '/nowhere' })).rejects.toThrow('cannot open /nowhere: give the folder of a git');
    await expect(project({ test: ['false'] })).rejects.toThrow('main as it is fails: the tests failed (exit code 1)');
    repository.git('switch', '--quiet', '--detach');
    await expect(project()).rejects.toThrow(/no branch is checked out in .*: run "git switch" with a branch/);
    repository.git('switch', '--quiet', '--orphan', 'empty');
    await expect(project()).rejects.toThrow('the branch empty has no commit: commit your agent');
    renameSync(join(repository.folder, '.git'), join(repository.folder, 'git'));
    await expect(project()).rejects.toThrow('is in no git repository with files: run "git init"');
  });
});
