import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildCommand } from '../cli/build-command.js';
import { junitOf } from './ci-run.js';

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

const root = resolve(import.meta.dirname, '../../..');
const actionText = readFileSync(join(root, 'action.yml'), 'utf8');
const action: { inputs: Record<string, { default?: string; required?: boolean }>; runs: { steps: readonly Step[] } } =
  parse(actionText);
const workflow: { jobs: { unit: { steps: readonly Step[] } } } = parse(
  readFileSync(join(root, 'examples/ci/github.yml'), 'utf8'),
);

const home = mkdtempSync(join(tmpdir(), 'rsi-action-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(home);
  mkdirSync(join(home, 'bin'));
  program('npx', `[ "$1" = --yes ] && shift; [ "$1" = rsi-loop ] && shift; exec node '${command}' "$@"`);
  program('npm', 'cp unit.xml reports/junit.xml; exit 3');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Puts a program on the path of the steps. */
function program(name: string, script: string): void {
  writeFileSync(join(home, 'bin', name), `#!/usr/bin/env bash\n${script}\n`);
  chmodSync(join(home, 'bin', name), 0o755);
}

function project(): string {
  const folder = mkdtempSync(join(home, 'project-'));
  mkdirSync(join(folder, 'reports'));
  return folder;
}

/** Runs a script as GitHub does. */
function bash(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  const clean = Object.entries(process.env).filter(([name]) => !/^(?:GITHUB|GITLAB|CI|RUNNER)(?:_|$)/.test(name));
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd,
    encoding: 'utf8',
    env: { ...Object.fromEntries(clean), ...env, PATH: `${join(home, 'bin')}:${process.env.PATH}` },
  });
}

/** Runs the steps of the action that have a script, with the given inputs; the cache is the folder itself. */
function runAction(cwd: string, given: Readonly<Record<string, string>>, commit: string) {
  const inputs = Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? '']));
  const values: Record<string, string> = { ...inputs, job: 'unit Linux 20, "x"', ...given };
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SHA: commit,
    GITHUB_REF_NAME: 'main',
    GITHUB_RUN_ID: commit,
    GITHUB_WORKSPACE: cwd,
    GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
    GITHUB_OUTPUT: join(cwd, 'output'),
  };
  return action.runs.steps.flatMap(({ run, env = {} }) => {
    if (run === undefined) return [];
    const filled = Object.entries(env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input) => values[input] ?? ''),
    ]);
    return [bash(run, cwd, { ...github, ...Object.fromEntries(filled) })];
  });
}

describe('action.yml', () => {
  it('uses only inputs that it declares, and every input that it declares', () => {
    const used = new Set([...actionText.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name));
    expect([...used].sort()).toEqual(Object.keys(action.inputs).sort());
  });

  it('puts no expression into a script, where its value would run as code', () => {
    for (const { run, shell } of [...action.runs.steps, ...workflow.jobs.unit.steps]) {
      if (run === undefined) continue;
      expect(run).not.toContain('${{');
      expect(shell ?? 'bash').toBe('bash');
    }
  });

  it('gives the cache a key without commas, and one per run, which the next run finds by its prefix', () => {
    const cwd = project();
    runAction(cwd, { reports: 'none' }, 'c1');
    expect(readFileSync(join(cwd, 'output'), 'utf8')).toMatch(/^prefix=rsi-ci-[\da-f]{16}\n$/);
    const [restore, save] = action.runs.steps.filter(({ uses }) => uses?.startsWith('actions/cache/'));
    expect(save).toMatchObject({ if: 'always()', with: { key: restore?.with?.key, path: restore?.with?.path } });
    expect(restore?.with?.key?.startsWith(restore.with['restore-keys'] ?? 'x')).toBe(true);
  });

  it('compares one run with the next, and writes summary, annotations, comment and SARIF', () => {
    const cwd = project();
    const inputs = { reports: 'reports/*.xml\nmore reports/*.xml\n', comment: 'comment.md', sarif: 'ci.sarif' };
    mkdirSync(join(cwd, 'more reports'));
    writeFileSync(join(cwd, 'more reports/b.xml'), junitOf('+b'));
    writeFileSync(join(cwd, 'reports/a.xml'), junitOf('+a', '-c'));
    const [, first] = runAction(cwd, inputs, 'c1');
    expect({ status: first?.status, stderr: first?.stderr }).toEqual({ status: 1, stderr: '' });
    expect(first?.stdout).toMatch('::error title=New%3A suite › c::boom');
    expect(readFileSync(join(cwd, 'comment.md'), 'utf8')).toMatch(
      /^<!-- rsi-ci unit-Linux-20-x- -->\n### ❌ Tests: 1 new of 3 tests\n/,
    );
    expect(JSON.parse(readFileSync(join(cwd, 'ci.sarif'), 'utf8')).runs[0].results).toHaveLength(1);
    writeFileSync(join(cwd, 'reports/a.xml'), junitOf('+a', '+c'));
    const [, second] = runAction(cwd, inputs, 'c2');
    expect(second?.status).toBe(0);
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toMatch(
      /1 new of 3 tests\n[\s\S]*### ✅ Tests: 1 fixed of 3 tests\n/,
    );
    expect(existsSync(join(cwd, 'rsi_data/store.json'))).toBe(true);
  });

  it('runs nothing that an input contains', () => {
    const cwd = project();
    writeFileSync(join(cwd, 'reports/a.xml'), junitOf('+a'));
    const evil = '$(touch evil); `touch evil` "';
    const [, step] = runAction(cwd, { reports: `reports/a.xml\n${evil}`, job: evil }, 'c1');
    expect(step?.stderr).toMatch('no file $(touch evil)');
    expect(existsSync(join(cwd, 'evil'))).toBe(false);
  });
});

describe('examples/ci/github.yml', () => {
  const steps = workflow.jobs.unit.steps;

  it('passes only inputs that the action has, and all that it needs', () => {
    const given = steps.find(({ uses }) => uses?.includes('rsi-loop'))?.with ?? {};
    expect(Object.keys(given).filter((name) => !(name in action.inputs))).toEqual([]);
    const needed = Object.entries(action.inputs).filter(([, { required }]) => required);
    for (const [name] of needed) expect(given).toHaveProperty(name);
  });

  it.each([
    [
      'updates the comment of an earlier run',
      '42',
      'api --method PATCH repos/own/it/issues/comments/42 --field body=@comment.md',
    ],
    ['writes a comment in the first run', '', 'api repos/own/it/issues/7/comments --field body=@comment.md'],
  ])('%s', (_, id, expected) => {
    const cwd = project();
    writeFileSync(join(cwd, 'comment.md'), '<!-- rsi-ci unit -->\nwords\n');
    program('gh', `echo "$*" >> calls; case "$*" in *--jq*) echo '${id}';; esac`);
    const { run = '' } = steps.find(({ name }) => name?.startsWith('Comment')) ?? {};
    const { status, stderr } = bash(run, cwd, { GITHUB_REPOSITORY: 'own/it', NUMBER: '7' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [search = '', last] = readFileSync(join(cwd, 'calls'), 'utf8').trim().split('\n');
    expect(search).toMatch('startswith("<!-- rsi-ci unit -->")');
    expect(last).toBe(expected);
  });
});

describe('the GitLab job in docs/ci.md', () => {
  it('runs the tests, compares them, and ends with the exit code of the tests', () => {
    const [, section = ''] = readFileSync(join(root, 'docs/ci.md'), 'utf8').split('## GitLab\n\n');
    const block = /```yaml\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
    const { test }: { test: { script: readonly string[]; cache: { paths: readonly string[] } } } = parse(block);
    expect(test.cache.paths).toEqual(['rsi_data']);
    const cwd = project();
    writeFileSync(join(cwd, 'unit.xml'), junitOf('+a'));
    const env = {
      GITLAB_CI: 'true',
      CI_COMMIT_SHA: 'c1',
      CI_COMMIT_BRANCH: 'topic',
      CI_DEFAULT_BRANCH: 'main',
      CI_JOB_NAME: 'test: [20]',
    };
    const { status, stdout } = bash(test.script.join('\n'), cwd, env);
    expect(stdout).toMatch('topic · c1 · test: [20]');
    expect(status).toBe(3);
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toMatch('### ✅ Tests: 1 test, none failed');
  });
});
