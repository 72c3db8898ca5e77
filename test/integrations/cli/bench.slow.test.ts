import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNode } from '../../run-node.js';
import { buildCommand, buildDoor, linkPackageFolder } from './build-command.js';
import { runCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-bench-'));
let command = '';
let copies = 0;
beforeAll(async () => {
  command = await buildCommand(folder);
  await buildDoor(folder, 'bench');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An agent that reads amounts; the careful prompt helps it, the hasty one does harm. Each run is a line in `runs.log`. */
const FILE = `
import { appendFileSync } from 'node:fs';
import { bench, exact } from './bench.mjs';
const right = { careful: 0.95, hasty: 0.2, none: 0.5 };
let state = 7;
const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
export default {
  suites: [
    bench('amounts', {
      problems: Array.from({ length: 12 }, (_, index) => ({ id: 'invoice ' + index, input: index, expected: index })),
      run: ({ id, input }, { prompts }) => {
        appendFileSync('LOG', id + '\\n');
        if (process.env.STOP_AT && ++state && readRuns() >= Number(process.env.STOP_AT)) process.kill(process.pid, process.env.STOP_BY);
        if (input === 3) throw new Error('no tool <b>pay</b>');
        return random() < (right[prompts.system ?? 'none']) ? input : -1;
      },
      score: exact(),
    }),
  ],
  variants: [
    { name: 'careful', prompts: { system: 'careful' } },
    { name: 'hasty', prompts: { system: 'hasty' } },
  ],
};
import { readFileSync } from 'node:fs';
const readRuns = () => readFileSync('LOG', 'utf8').split('\\n').length - 1;
`;

/** A bench file of its own with its own runs. */
function project() {
  const name = `project-${copies++}`;
  const file = join(folder, `${name}.mjs`);
  const log = join(folder, `${name}.log`);
  writeFileSync(file, FILE.replaceAll("'LOG'", JSON.stringify(log)));
  writeFileSync(log, '');
  const run = (args: string, env: Record<string, string> = {}) =>
    // A command that a signal ends needs a process of its own.
    (env.STOP_BY === undefined ? runCommand : runNode)(
      [command, 'bench', ...args.split(' '), '--file', file, '--runs', join(folder, name)],
      { cwd: folder, env },
    );
  return { run, count: () => readFileSync(log, 'utf8').split('\n').length - 1 };
}

describe('rsi bench', () => {
  it('shows the score with its interval, and the problems that fail with their errors', async () => {
    const { run, count } = project();
    const { code, stdout, stderr } = await run('baseline');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^amounts: \d\d % \(\d\d % to \d\d %\) in 36 runs of 12 problems\./);
    expect(stdout).toMatch(/ 0 % {2,}3 {2}invoice 3 +Error: no tool <b>pay<\/b>\n/);
    expect(count()).toBe(36);
    const shown = await run('show invoice 3');
    expect(shown.stdout).toMatch(/^invoice 3\ninput +3\nexpected +3\nscore +0 % in the baseline of /);
    expect((await run('history')).stdout).toMatch(/amounts, baseline\n {2}\d\d % \(\d\d % to \d\d %\), 12 problems\n$/);
    expect((await run('list')).stdout).toBe('amounts: 12 problems\nvariants: careful, hasty\n');
  });

  it('names the problems that ship with the package in a folder without benchmarks', async () => {
    const cwd = mkdtempSync(join(folder, 'empty-'));
    linkPackageFolder(folder, 'benchmarks');
    const { code, stdout, stderr } = await runCommand([command, 'bench', 'list'], { cwd, env: {} });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const text = stdout.replaceAll('\n', ' ');
    expect(text).toMatch(/^there is no file \.\/rsi\.bench\.ts: it says "export default .* 35 problems of writing/);
    const named = await runCommand([command, 'bench', 'list', '--file', 'other.mjs'], { cwd, env: {} });
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('there is no file ./other.mjs')]);
  });

  it('runs every problem once, names those that fail, and ends with 1 if one does', async () => {
    const { run, count } = project();
    const { code, stdout, stderr } = await run('run');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^amounts: \d of 12 problems solved, mean score \d\d %, \d\.\d s of runs\.\n/);
    expect(stdout).toMatch(/ 0 % {2}invoice 3 +Error: no tool <b>pay<\/b>\n/);
    expect(stdout).toMatch(/ 0 % {2}invoice \d+ +answered -1\n/);
    expect(count()).toBe(12);
    expect((await run('history')).stdout).toMatch(/amounts, run\n {2}\d\d % \(\d\d % to \d\d %\), 12 problems\n$/);
    const everyScorePasses = await run('run --pass 0 --json');
    expect(everyScorePasses.code).toBe(0);
    expect(JSON.parse(everyScorePasses.stdout)).toMatchObject({ format: 'rsi-bench-run/1', failed: 0 });
    expect((await run('run --junit')).stdout).toContain('message="Error: no tool &#60;b&#62;pay&#60;/b&#62;"');
  });

  it('says which variant is better, and ends with 1 if none is', async () => {
    const { run } = project();
    const better = await run('compare');
    expect(better.code, better.stderr).toBe(0);
    expect(better.stdout).toMatch(/^careful is better\. /);
    const worse = await run('compare hasty --json');
    expect(worse.code).toBe(1);
    const { format, suite, comparisons } = JSON.parse(worse.stdout);
    expect({ format, suite }).toEqual({ format: 'rsi-bench-comparison/1', suite: 'amounts' });
    expect(comparisons).toMatchObject([{ candidate: 'hasty', kind: 'worse' }]);
    expect((await run('history')).stdout).toMatch(/hasty is worse[\s\S]*careful is better/);
  });

  it('writes Markdown and JUnit in which recorded text is no markup', async () => {
    const { run } = project();
    const { stdout: markdown } = await run('baseline --markdown');
    expect(markdown).toContain('| score | runs | problem | last error or answer |');
    expect(markdown).not.toContain('<b>');
    const { stdout: junit } = await run('baseline --junit');
    expect(junit).toContain('<testsuite name="amounts" tests="12"');
    expect(junit).toContain('message="Error: no tool &#60;b&#62;pay&#60;/b&#62;"');
  });

  it.each(['SIGINT', 'SIGKILL'])('continues after %s and repeats no finished run', async (signal) => {
    const { run, count } = project();
    const stopped = await run('baseline --repeats 4 --concurrency 1', { STOP_AT: '20', STOP_BY: signal });
    expect(stopped.code).not.toBe(0);
    if (signal === 'SIGINT') {
      expect(stopped.code).toBe(130);
      expect(stopped.stdout).toContain('It was stopped early.');
    }
    expect((await run('history')).stdout).toContain('interrupted');
    const resumed = await run('baseline --repeats 4 --concurrency 1 --resume --json');
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(JSON.parse(resumed.stdout).score.of).toBe(48);
    // The run in progress at the kill has no result, so it is run again.
    expect(count()).toBe(signal === 'SIGKILL' ? 49 : 48);
  });

  it.each([
    ['compare v9', 'there is no variant v9: known are careful, hasty'],
    ['show invoice 99', 'amounts has no problem "invoice 99": the first ones are invoice 0, '],
    ['sing', 'there is no "bench sing": use list, run, baseline, compare, history, show, import'],
    ['baseline --repeats 1', 'Give a whole number from 2 to 1000'],
    ['baseline --suite other', 'there is no suite other: name one with --suite (amounts)'],
    ['import', 'name a file to import: inspect, evalite, vitest, promptfoo'],
    ['import absent.yaml', 'there is no file absent.yaml'],
    ['import x --format csv', 'there is no format csv: use inspect, evalite, vitest, promptfoo'],
    ['baseline --resume', 'no interrupted baseline of these problems and variants to continue: leave out --resume'],
  ])('says what is wrong with: %s', async (args, message) => {
    const { code, stdout, stderr } = await project().run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('imports tests of another tool, and compares recorded results', async () => {
    const rsi = (...args: string[]) => runCommand([command, 'bench', 'import', ...args], { cwd: folder });
    writeFileSync(
      join(folder, 'config.yaml'),
      'tests:\n  - vars: { q: a }\n    assert: [{ type: equals, value: A }]\n  - assert: [{ type: javascript, value: x }]\n',
    );
    const written = await rsi('config.yaml');
    expect({ code: written.code, stderr: written.stderr }).toEqual({ code: 0, stderr: '' });
    expect(written.stdout).toContain('config.yaml: promptfoo, 1 problem\n1 problem written to ./bench/config.json\n');
    expect(written.stdout).toMatch(/skipped {3}test 2: javascript is code: write it as a check function/);
    const again = await rsi('config.yaml');
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toContain('./bench/config.json is there already: name another file with --out');
    writeFileSync(
      join(folder, 'imported.mjs'),
      `import { bench, exact } from './bench.mjs';
       export default { suites: [bench('q', { problems: './bench/*.json', run: ({ input }) => input.q.toUpperCase(), score: exact() })] };`,
    );
    const solved = await runCommand([command, 'bench', 'run', '--file', 'imported.mjs'], { cwd: folder });
    expect(solved.stdout).toMatch(/^q: 1 of 1 problem solved/);
    const log = (passed: number) =>
      JSON.stringify({
        testResults: [
          {
            name: '/p/a.test.ts',
            assertionResults: Array.from({ length: 40 }, (_, test) => ({
              fullName: `t${test}`,
              status: test < passed ? 'passed' : 'failed',
            })),
          },
        ],
      });
    writeFileSync(join(folder, 'old.json'), log(10));
    writeFileSync(join(folder, 'new.json'), log(38));
    const compared = await rsi('old.json', 'new.json');
    expect(compared.code).toBe(0);
    expect(compared.stdout).toContain('recorded  old.json: 25 % in 40 runs');
    expect(compared.stdout.replaceAll('\n', ' ')).toContain(
      'new.json is better. 95 % against 25 % in 40 pairs (28 won, 0 lost)',
    );
    expect(JSON.parse((await rsi('old.json', 'new.json', '--json')).stdout)).toMatchObject({
      format: 'rsi-bench-import/1',
      problems: 0,
      comparisons: [{ kind: 'better' }],
    });
  });

  it('imports what it can of several files, and names the rest', async () => {
    const rsi = (...args: string[]) => runCommand([command, 'bench', 'import', ...args], { cwd: folder });
    writeFileSync(
      join(folder, 'rubric.yaml'),
      'tests: [{vars: {x: hi}, assert: [{type: llm-rubric, value: is polite}]}]',
    );
    writeFileSync(join(folder, 'broken.json'), '{ "a": ');
    const found = await rsi('rubric.yaml', 'broken.json', '--out', 'mixed.json');
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expect(found.stdout.replace(/\s+/g, ' ')).toContain('1 problem is judged by a model: give the benchmark a judge');
    expect(found.stdout.replace(/\s+/g, ' ')).toContain('broken.json cannot be read');
    expect(JSON.parse(readFileSync(join(folder, 'mixed.json'), 'utf8'))).toMatchObject([{ check: { kind: 'judge' } }]);
  });

  it('compares two saved runs, paired by problem', async () => {
    const saved = (name: string, solved: number) => {
      const problems = Array.from({ length: 40 }, (_, at) => ({
        problemId: `p${at}`,
        runs: 1,
        score: at < solved ? 1 : 0,
      }));
      writeFileSync(join(folder, name), JSON.stringify({ format: 'rsi-bench-run/1', suite: 'amounts', problems }));
    };
    saved('was.json', 10);
    saved('is.json', 38);
    const rsi = (...args: string[]) => runCommand([command, 'bench', 'compare', ...args], { cwd: folder });
    const better = await rsi('was.json', 'is.json');
    expect(better).toMatchObject({ code: 0, stderr: '' });
    expect(better.stdout.replaceAll('\n', ' ')).toContain(
      'is.json is better. 95 % against 25 % in 40 pairs (28 won, 0 lost)',
    );
    expect((await rsi('is.json', 'was.json')).code).toBe(1);
    writeFileSync(join(folder, 'problems.json'), '[]');
    expect((await rsi('is.json', 'problems.json')).stderr).toContain('problems.json is no saved run');
  });

  it('compares two commits of an agent of its own, each in its folder', async () => {
    const repository = join(folder, 'repository');
    mkdirSync(repository);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: repository });
    const agent = (skill: number) =>
      writeFileSync(
        join(repository, 'agent.mjs'),
        `import { readFileSync } from 'node:fs';
         let calls = 0;
         export const agent = (input) => { console.log('noise'); return (++calls * 0.618) % 1 < ${skill} ? input + readFileSync('suffix.txt', 'utf8') : 'wrong'; };`,
      );
    writeFileSync(join(repository, 'suffix.txt'), '!');
    writeFileSync(join(repository, '.gitignore'), 'rsi_bench\n');
    writeFileSync(
      join(repository, 'rsi.bench.mjs'),
      `import { bench, exact } from ${JSON.stringify(join(folder, 'bench.mjs'))};
       import { agent } from './agent.mjs';
       const problems = Array.from({ length: 12 }, (_, at) => ({ id: 'p' + at, input: 'q' + at, expected: 'q' + at + '!' }));
       export default { suites: [bench('own', { problems, run: ({ input }) => agent(input), score: exact() })] };`,
    );
    git('init', '-q', '-b', 'main');
    agent(0.3);
    git('add', '-A');
    git('commit', '-qm', 'first');
    agent(0.95);
    git('commit', '-qam', 'second');
    agent(0); // not committed
    const rsi = (...args: string[]) => runCommand([command, 'bench', 'compare', ...args], { cwd: repository });
    const better = await rsi('main~1..HEAD', '--json');
    expect(JSON.parse(better.stdout)).toMatchObject({
      suite: 'own',
      comparisons: [{ kind: 'better', candidate: 'HEAD' }],
    });
    expect(better.code).toBe(0);
    expect((await rsi('HEAD..', '--markdown')).stdout).toContain('working tree is worse');
    expect((await rsi('nowhere..HEAD')).stderr).toContain('git rev-parse failed');
    expect(String(git('worktree', 'list')).trim().split('\n')).toHaveLength(1);
  });

  it('answers "is my new prompt better" with the file to copy from the guide for teams', async () => {
    const program = readFileSync(resolve(import.meta.dirname, '../../../examples/rsi.bench.mjs'), 'utf8');
    const place = join(folder, 'copied');
    mkdirSync(place);
    writeFileSync(join(place, 'rsi.bench.mjs'), program.replace('rsi-loop/bench', '../bench.mjs'));
    const { code, stdout } = await runCommand([command, 'bench', 'compare', 'v2'], { cwd: place });
    expect(stdout).toMatch(/^v2 is better\. 100 % against \d+ % in \d+ pairs/);
    expect(code).toBe(0);
  });

  it('says how to begin where there is no file, and what a wrong file lacks', async () => {
    const missing = await runCommand([command, 'bench', 'run'], { cwd: folder });
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('there is no file ./rsi.bench.ts: it says "export default { suites');
    writeFileSync(join(folder, 'wrong.mjs'), 'export default { suites: [42] };');
    const wrong = await runCommand([command, 'bench', '--file', 'wrong.mjs'], { cwd: folder });
    expect(wrong.stderr).toContain('wrong.mjs has no suites made by bench()');
  });
});
