import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNode } from '../../run-node.js';
import { buildCommand, buildDoor } from './build-command.js';
import { runCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-improve-'));
let command = '';
let copies = 0;
beforeAll(async () => {
  command = await buildCommand(folder);
  for (const name of ['bench', 'improve']) await buildDoor(folder, name);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An agent that reads amounts: care and a higher limit help it, haste does harm. Each run is a line in the log. */
const FILE = `
import { appendFileSync, readFileSync } from 'node:fs';
import { bench, exact } from './bench.mjs';
let state = 7;
const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
const runs = () => readFileSync('LOG', 'utf8').split('\\n').length - 1;
const skills = { careful: 0.95, hasty: 0.2, none: 0.45 };
const ROUNDS = [
  [
    { variant: { name: 'hasty', prompts: { system: 'hasty' } }, hypothesis: 'haste helps' },
    { variant: { name: 'careful', prompts: { system: 'careful' } }, hypothesis: 'care helps', expectedGain: 0.3 },
  ],
];
const SETTINGS = [[{ variant: { name: 'more', policy: { limit: 9 } }, hypothesis: 'answers are cut off' }]];
export default {
  suites: [
    bench('amounts', {
      problems: Array.from({ length: 16 }, (_, index) => ({
        id: 'invoice ' + index, input: index, expected: index, split: index % 2 ? 'open' : 'held-out',
      })),
      run: ({ id, input }, { prompts, policy }) => {
        appendFileSync('LOG', id + '\\n');
        if (process.env.STOP_AT && runs() >= Number(process.env.STOP_AT)) process.kill(process.pid, process.env.STOP_BY);
        const skill = policy.limit > 5 ? 0.95 : skills[prompts.system ?? 'none'];
        return random() < skill ? input : -1;
      },
      score: exact(),
    }),
  ],
  improve: {
    propose: ({ round }) => {
      if (process.env.PROSE) throw Object.assign(new Error('qwen3: the answer is not valid JSON (30 characters)'), { [Symbol.for('rsi-loop.error')]: true, code: 'model-answer' });
      return (process.env.SETTINGS ? SETTINGS : ROUNDS)[round - 1] ?? [];
    },
    draftSteps: 1, bounds: { limit: { min: 1, max: Number(process.env.MAX ?? 10) } },
  },
};
`;

/** A project with its own runs. */
function project() {
  const name = `project-${copies++}`;
  const [file, log, runs, approved] = ['mjs', 'log', 'runs', 'json'].map((end) => join(folder, `${name}.${end}`));
  writeFileSync(file ?? '', FILE.replaceAll("'LOG'", JSON.stringify(log)));
  writeFileSync(log ?? '', '');
  const run = (args: string, env: Record<string, string> = {}) =>
    runNode(
      [command, 'improve', ...args.split(' '), '--file', `${file}`, '--runs', `${runs}`, '--write', `${approved}`],
      { cwd: folder, env },
    );
  return {
    run,
    count: () => readFileSync(log ?? '', 'utf8').split('\n').length - 1,
    approved: () => JSON.parse(readFileSync(approved ?? '', 'utf8')),
    runs: runs ?? '',
    file: file ?? '',
  };
}

const best = async (run: ReturnType<typeof project>['run']): Promise<string> =>
  JSON.parse((await run('status --json')).stdout).waiting;

describe('rsi improve', () => {
  it('keeps what is proven, shows how, and a person approves it into a file', async () => {
    const { run, approved } = project();
    const once = await run('once');
    expect(once.code, once.stderr).toBe(1);
    expect(once.stderr).toMatch(/^round 1: kept\. careful is better\./);
    expect(once.stdout).toMatch(
      /^amounts: 1 of 1 round kept, 3 versions, all rounds are done\nproof +careful is better/,
    );

    const status = await run('status');
    expect(status.code).toBe(1);
    expect(status.stdout).toMatch(/waits +for a person: npx rsi improve approve [0-9a-f]{12}\n/);
    expect(status.stdout).toContain('It may not run unattended yet:\n  not met   1 of 10 rounds without a crash\n');
    expect(status.stdout).toContain('  not met   1 of 3 drafts accepted\n  met       no regression in the last day\n');

    const { stdout: tree } = await run('archive');
    expect(tree).toMatch(
      /^[0-9a-f]{12} {2}as it is {2}\d\d %\n {2}[0-9a-f]{12} {2}hasty .*\n {2}[0-9a-f]{12} {2}careful .*proven, kept\n$/,
    );
    const id = await best(run);
    const { stdout: shown } = await run(`show ${id.slice(0, 6)}`);
    expect(shown).toMatch(/why +care helps \(expected \+30\.0\)\n/);
    expect(shown).toMatch(/gain +expected \+30\.0, measured \+\d\d\.\d points\n/);
    expect(shown).toContain('text system\n  careful\n');

    const approving = await run(`approve ${id} --by ada --reason clear`);
    expect(approving).toMatchObject({ code: 0 });
    expect(approved()).toMatchObject({
      format: 'rsi-approved/1',
      suite: 'amounts',
      version: id,
      by: 'ada',
      reason: 'clear',
    });
    expect(approved().prompts).toEqual({ system: 'careful' });
    expect((await run('status')).code).toBe(0);
    expect((await run(`show ${id}`)).stdout).toMatch(/decision +approved by ada on .*: clear\n/);
  });

  it('continues from the version before one that a person rejects', async () => {
    const { run } = project();
    await run('once');
    const id = await best(run);
    const bare = await run(`reject ${id} --by ada`);
    expect(bare).toMatchObject({ code: 2, stderr: 'error: a rejection needs a reason: give one with --reason\n' });
    expect(await run(`reject ${id} --by ada --reason wrong`)).toMatchObject({ code: 0 });
    const { best: now, waiting, readiness } = JSON.parse((await run('status --json')).stdout);
    expect({ now, waiting }).toEqual({ now: {} });
    expect(readiness.conditions).toContainEqual({ name: 'no-regression', isMet: false, value: 1, needed: 0 });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'])(
    'continues after %s with the same command and repeats no finished run',
    async (signal) => {
      const { run, count } = project();
      const stopped = await run('once --concurrency 1', { STOP_AT: '40', STOP_BY: signal });
      if (signal !== 'SIGKILL') {
        expect(stopped.code).toBe(130);
        expect(stopped.stdout).toContain('stopped; the same command continues it');
      }
      const before = count();
      expect(before).toBe(40);
      const status = await run('status --json');
      expect(JSON.parse(status.stdout).ended).toBe(signal === 'SIGKILL' ? undefined : 'stopped');
      const resumed = await run('once --concurrency 1 --json');
      expect(resumed.code, resumed.stderr).toBe(1);
      const { spent, rounds } = JSON.parse(resumed.stdout);
      expect(rounds).toHaveLength(1);
      // The run in progress at the kill has no result, so it is run again.
      expect(count() - spent.runs).toBe(signal === 'SIGKILL' ? 1 : 0);
      expect(resumed.stderr.includes('continues after an interruption')).toBe(signal === 'SIGKILL');
    },
  );

  it('runs rounds without a terminal only when it is ready', async () => {
    const { run, runs, file } = project();
    const closed = await run('loop 2');
    expect(closed).toMatchObject({ code: 2, stdout: '' });
    expect(closed.stderr).toContain(
      'it may not run unattended (no terminal) yet: 0 of 10 rounds without a crash, 0 of 3 drafts accepted. Run "improve once"',
    );
    // Rounds that a program ran with a person beside it: four of them are kept.
    const script = join(folder, 'attended.mjs');
    writeFileSync(
      script,
      `import { FileLog, iterate } from './improve.mjs';
import file from ${JSON.stringify(file)};
const suite = await file.suites[0];
for (const seed of [5, 6, 7, 8]) {
  await iterate(suite, { ...file.improve, bounds: undefined, seed, rounds: 4, patience: 9,
    propose: ({ round }) => file.improve.propose({ round: round === 1 ? 1 : 9 }).concat(round > 1 ? [{ variant: { prompts: { other: 'x' + round } }, hypothesis: '' }] : []),
    log: new FileLog(${JSON.stringify(runs)}) });
}`,
    );
    const attended = await runNode([script], { cwd: folder });
    expect(attended.code, attended.stderr).toBe(0);
    const open = await run('loop 1 --json');
    expect(open.code, open.stderr).toBe(1);
    expect(JSON.parse(open.stdout).rounds).toHaveLength(1);
    expect((await run('loop 1')).stderr).toContain('it has 1 round: give a higher number');
  });

  it('reports a model that answers in prose, and ends the round without a crash', async () => {
    const { run } = project();
    const { code, stdout, stderr } = await run('once', { PROSE: '1' });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'round 1: the proposer failed: qwen3: the answer is not valid JSON (30 characters)\nround 1: not kept. No candidate helped.\n',
    });
    expect(stdout).toContain('0 of 1 round kept');
  });

  it('approves settings within bounds by rule, and leaves all others to a person', async () => {
    const { run, approved } = project();
    const outside = await run('once --approve-policy', { SETTINGS: '1', MAX: '8' });
    expect(outside.code, outside.stderr).toBe(1);
    expect(() => approved()).toThrow('ENOENT');
    const inside = project();
    const { code, stderr } = await inside.run('once --approve-policy', { SETTINGS: '1' });
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/version [0-9a-f]{12} is approved: it changes only settings within bounds\n/);
    expect(inside.approved()).toMatchObject({ by: 'rsi improve --approve-policy', policy: { limit: 9 } });
  });

  it.each([
    ['sing', 'there is no "improve sing": use status, once, loop, archive, show, changes, approve, reject, rollback'],
    ['status', 'no improvement is kept in '],
    ['show', 'which version? "improve archive" lists their ids'],
    ['show zz', 'there is no version "zz"'],
    ['loop', 'loop takes a number of rounds from 1 to 9999: write "loop 10"'],
    ['loop many', 'loop takes a number of rounds from 1 to 9999'],
    ['once again', 'once takes no more words: leave out again'],
    ['once --seed 0', 'Give a whole number from 1 to 999999'],
  ])('says what is wrong with: %s', async (args, message) => {
    const { code, stdout, stderr } = await project().run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('approves only what is proven, and names a file that lacks what it needs', async () => {
    const { run } = project();
    await run('once');
    const refused = await run('approve hasty');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/^error: version [0-9a-f]{12} is not proven better: only versions that were kept/);
    writeFileSync(join(folder, 'bare.mjs'), FILE.replace('improve: {', 'other: {').replaceAll("'LOG'", "'bare.log'"));
    const bare = await runCommand([command, 'improve', 'once', '--file', 'bare.mjs'], { cwd: folder });
    expect(bare.stderr).toContain('the file exports no "improve": write improve: { propose');
    writeFileSync(join(folder, 'typo.mjs'), FILE.replace('draftSteps', 'draftStep').replaceAll("'LOG'", "'typo.log'"));
    const typo = await runCommand([command, 'improve', 'once', '--file', 'typo.mjs'], { cwd: folder });
    expect(typo.stderr).toContain('has the unknown field draftStep: known are propose, start, ');
  });
});
