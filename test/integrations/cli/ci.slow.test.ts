import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ended, runNode, startNode } from '../../run-node.js';
import { junitOf } from '../ci/ci-run.js';
import { buildCommand } from './build-command.js';

const REPORTS = resolve(import.meta.dirname, '../../fixtures/ci');
const home = mkdtempSync(join(tmpdir(), 'rsi-ci-'));
let command = '';
let cwd = '';
beforeAll(async () => {
  command = await buildCommand(home);
});
beforeEach(() => {
  cwd = mkdtempSync(join(home, 'project-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Variables of CI systems that the test itself may run in. */
const NONE = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^(?:GITHUB|GITLAB|CI|RUNNER)(?:_|$)/.test(name))
    .map((name) => [name, undefined]),
);
const rsi = (args: readonly string[], env: NodeJS.ProcessEnv = {}, stdin?: string) =>
  runNode([command, 'ci', ...args], { cwd, env: { ...NONE, ...env }, ...(stdin !== undefined && { stdin }) });
const write = (name: string, ...results: readonly string[]) => writeFileSync(join(cwd, name), junitOf(...results));
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, stdio: 'ignore' });

describe('rsi ci', () => {
  it('says in the first run that there is nothing to compare with, and exits with 1', async () => {
    write('a.xml', '+works', '-fails');
    const { code, stdout, stderr } = await rsi(['a.xml', '--branch', 'topic', '--commit', 'c1']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(
      /^1 new of 2 tests\ntopic · c1 · tests\nNothing to compare with yet: every failing test counts as\s+new\./,
    );
    expect(stdout).toMatch(/New \(1\): fails now, and did not fail before\n {2}suite › fails\n {4}message {3}boom/);
    expect(stdout).toMatch(
      /1 passed, 1 failed, 0 skipped in 1 report \(junit\); 2 results\s+recorded\nResult: failed, because of 1 new\n$/,
    );
  });

  it('exits with 0 for a flaky test, with 1 if --fail-on asks for it, and records a report once', async () => {
    write('a.xml', '-a');
    write('b.xml', '+a');
    const at = ['--branch', 'main', '--commit', 'c1'];
    expect((await rsi(['a.xml', ...at])).code).toBe(1);
    const flaky = await rsi(['b.xml', ...at]);
    expect(flaky.code).toBe(0);
    expect(flaky.stdout).toMatch(/1 flaky of 1 test\n[\s\S]*1 of 2 attempts failed, not enough data for a rate/);
    const again = await rsi(['b.xml', ...at, '--fail-on', 'flaky']);
    expect(again.code).toBe(1);
    expect(again.stdout).toMatch('nothing new to record');
  });

  it('finds branch and commit in git, and does not compare by a commit with changed files', async () => {
    git('init', '-q', '-b', 'topic');
    writeFileSync(join(cwd, 'code.js'), '1');
    git('add', '.');
    git('commit', '-qm', 'one');
    write('a.xml', '-a');
    write('b.xml', '+a');
    expect((await rsi(['a.xml'])).stdout).toMatch(/\ntopic · [\da-f]{8} · tests\n/);
    expect((await rsi(['b.xml'])).stdout).toMatch('1 flaky');
    writeFileSync(join(cwd, 'code.js'), '2');
    write('c.xml', '-a', '+b');
    const changed = await rsi(['c.xml']);
    expect(changed.stdout).toMatch(/\ntopic · tests\n[\s\S]*Files were changed since the commit/);
  });

  it('reads patterns, several files and standard input', async () => {
    mkdirSync(join(cwd, 'reports', 'unit'), { recursive: true });
    write('reports/unit/a.xml', '+a');
    write('reports/b.xml', '+b');
    const { code, stdout } = await rsi(
      ['reports/**/*.xml', '-', '--json'],
      {},
      readFileSync(join(REPORTS, 'go/third.json'), 'utf8'),
    );
    expect(code).toBe(1);
    const report = JSON.parse(stdout);
    expect(report.format).toBe('rsi-ci/1');
    expect(report.reports.map(({ path, format }: { path: string; format: string }) => [path, format])).toEqual([
      ['reports/b.xml', 'junit'],
      ['reports/unit/a.xml', 'junit'],
      ['-', 'go'],
    ]);
  });

  it.each([
    ['no report', [], /missing required argument 'report'/],
    ['a missing file', ['none.xml'], /^error: no file none\.xml: let the test runner write its report there first\n$/],
    ['a pattern that matches nothing', ['x/*.xml'], /^error: no file matches x\/\*\.xml\n$/],
    ['a folder', ['.'], /^error: \. is a folder: name its reports, such as \*\.xml\n$/],
    ['an empty file', ['empty.xml'], /^error: empty\.xml: the report is empty/],
    ['an unknown format', ['some.html'], /^error: some\.html: the format is not known: name it with --format\n$/],
    ['a report without tests', ['void.xml'], /^error: void\.xml: the report holds no test\n$/],
    [
      'a class that does not exist',
      ['a.xml', '--fail-on', 'red'],
      /Give a list of new, returned, broken, flaky, fixed/,
    ],
    ['a format that does not exist', ['a.xml', '--format', 'nunit'], /Allowed choices are junit, vitest, jest/],
    ['an empty branch', ['a.xml', '--branch', ' '], /Give a name of 1 to 2,000 characters/],
  ])('exits with 2 and one sentence for %s', async (_, args, sentence) => {
    write('a.xml', '+a');
    writeFileSync(join(cwd, 'empty.xml'), '');
    writeFileSync(join(cwd, 'some.html'), '<html></html>');
    writeFileSync(join(cwd, 'void.xml'), '<testsuites/>');
    const { code, stdout, stderr } = await rsi(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('names file and line of a torn report, shows the rest, and exits with 1', async () => {
    writeFileSync(join(cwd, 'torn.xml'), '<testsuite>\n<testcase name="a"/>\n<testcase name=');
    const { code, stdout, stderr } = await rsi(['torn.xml']);
    expect(stderr).toBe('error: torn.xml:3: the report ends inside of <testsuite>: its end is missing\n');
    expect(stdout).toMatch(/Result: failed, because of 1 report not read\n/);
    expect(code).toBe(1);
  });

  it('passes for a log without a failure', async () => {
    writeFileSync(join(cwd, 'build.log'), 'compiled 3 files\n0 errors\n');
    const { code, stdout } = await rsi(['build.log']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1 test, none failed\n/);
  });

  it('reads a report that can be read only once, such as <(go test -json)', async () => {
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const reading = rsi(['pipe']);
    writeFileSync(join(cwd, 'pipe'), junitOf('+a'));
    expect((await reading).code).toBe(0);
  });

  it('ends with 130 on Ctrl-C, and leaves no temporary file', async () => {
    const temporary = join(cwd, 'temporary');
    mkdirSync(temporary);
    const child = startNode([command, 'ci', '-'], { cwd, env: { ...NONE, TMPDIR: temporary } });
    const end = ended(child);
    while (readdirSync(temporary).length === 0) await new Promise((done) => setImmediate(done));
    child.kill('SIGINT');
    expect((await end).code).toBe(130);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('says that a file cannot be written, after the results were recorded', async () => {
    write('a.xml', '+a');
    const { code, stderr } = await rsi(['a.xml', '--summary', 'no/such/summary.md']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: cannot write to no\/such\/summary\.md: .*; the results were recorded\n$/);
  });

  it('on GitHub writes the summary and annotations, and finds the branch of a pull request', async () => {
    const event = {
      repository: { default_branch: 'trunk' },
      pull_request: { head: { label: 'fork:main', repo: { full_name: 'fork/it' } } },
    };
    writeFileSync(join(cwd, 'event.json'), JSON.stringify(event));
    writeFileSync(join(cwd, 'test.js'), '\n');
    writeFileSync(
      join(cwd, 'a.xml'),
      '<testsuite><testcase classname="s" name="::error::x" file="test.js" line="4"><failure message="50%&#10;::warning::y"/></testcase></testsuite>',
    );
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'own/it',
      GITHUB_EVENT_PATH: 'event.json',
      GITHUB_HEAD_REF: 'main',
      GITHUB_BASE_REF: 'trunk',
      GITHUB_SHA: 'd'.repeat(40),
      GITHUB_JOB: 'unit',
      RUNNER_OS: 'Linux',
      GITHUB_WORKSPACE: cwd,
      GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
    };
    const { code, stdout } = await rsi(['a.xml'], env);
    expect(code).toBe(1);
    expect(stdout).toMatch('fork:main · dddddddd · unit Linux');
    const commands = stdout.split('\n').filter((line) => line.trimStart().startsWith('::'));
    expect(commands).toEqual(['::error file=test.js,line=4,title=New%3A s › %3A%3Aerror%3A%3Ax::50%25 ::warning::y']);
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toMatch(/^### ❌ Tests: 1 new of 1 test\n/);
  });

  it('prints JSON with no line that GitHub takes for a command', async () => {
    writeFileSync(
      join(cwd, 'a.xml'),
      '<testsuite><testcase classname="s" name="##[add-path]x"><failure/></testcase></testsuite>',
    );
    const { stdout } = await rsi(['a.xml', '--json'], { GITHUB_ACTIONS: 'true' });
    expect(stdout).not.toContain('##[');
    expect(JSON.parse(stdout).findings[0].name).toBe('##[add-path]x');
  });

  it('reads a report of 100,000 tests and 15 MB with a heap of 64 MB', async () => {
    const file = createWriteStream(join(cwd, 'huge.xml'));
    file.write('<testsuites><testsuite name="s">\n');
    for (let at = 0; at < 100_000; at++) {
      const inside =
        at % 1_000 === 0 ? '<failure message="boom">at x</failure>' : `<system-out>${'x'.repeat(40)}</system-out>`;
      const isFull = !file.write(
        `<testcase classname="suite.number${at % 97}" name="test ${at}" time="0.01">${inside}</testcase>\n`,
      );
      if (isFull) await new Promise<void>((drained) => file.once('drain', drained));
    }
    file.end('</testsuite></testsuites>');
    await finished(file);
    const env = { ...NONE, NODE_OPTIONS: '--max-old-space-size=64' };
    const { code, stdout } = await runNode([command, 'ci', 'huge.xml', '--json'], { cwd, env });
    expect(code).toBe(1);
    expect(JSON.parse(stdout).counts).toMatchObject({ tests: 100_000, passed: 99_900, new: 100 });
  }, 120_000);
});
