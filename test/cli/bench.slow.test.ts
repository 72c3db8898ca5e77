import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNode } from '../run-node.js';
import { buildCommand } from './build-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-bench-'));
let command = '';
let copies = 0;
beforeAll(async () => {
  command = await buildCommand(folder);
  await build({
    entryPoints: [resolve(import.meta.dirname, '../../src/bench/index.ts')],
    outfile: join(folder, 'bench.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
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
    runNode([command, 'bench', ...args.split(' '), '--file', file, '--runs', join(folder, name)], { cwd: folder, env });
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
    expect(shown.stdout).toMatch(/^invoice 3\ninput +3\nexpected +3\nscore +0 % on /);
    expect((await run('history')).stdout).toMatch(/amounts, baseline\n {2}\d\d % \(\d\d % to \d\d %\), 12 problems\n$/);
    expect((await run('list')).stdout).toBe('amounts: 12 problems\nvariants: careful, hasty\n');
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
    expect(markdown).toContain('| score | runs | problem | last error |');
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
    ['sing', 'there is no "bench sing": use list, baseline, compare, history, show'],
    ['baseline --repeats 1', 'Give a whole number from 2 to 1000'],
    ['baseline --suite other', 'there is no suite other: name one with --suite (amounts)'],
    ['baseline --resume', 'no interrupted baseline to continue: leave out --resume'],
  ])('says what is wrong with: %s', async (args, message) => {
    const { code, stdout, stderr } = await project().run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('says how to begin where there is no file, and what a wrong file lacks', async () => {
    const missing = await runNode([command, 'bench'], { cwd: folder });
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toContain('there is no file ./rsi.bench.ts: it says "export default { suites');
    writeFileSync(join(folder, 'wrong.mjs'), 'export default { suites: [42] };');
    const wrong = await runNode([command, 'bench', '--file', 'wrong.mjs'], { cwd: folder });
    expect(wrong.stderr).toContain('wrong.mjs has no suites made by bench()');
  });
});
