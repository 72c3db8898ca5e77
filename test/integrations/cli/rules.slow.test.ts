import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome, RootCauses } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RuleList } from '../../../integrations/cli/fixes/list-rules.js';
import { columns } from '../../../integrations/cli/terminal/terminal-text.js';
import type { Review } from '../../../integrations/reports/review.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';
import { EVIL } from './scripted-folder.js';

const built = mkdtempSync(join(tmpdir(), 'rsi-rules-'));
/** Files that every test finds in a folder of its own. */
const given = join(built, 'given');
let folder = given;
const AGENTS = '# How we work\r\n\r\n- Answer in plain words.\r\n';
let command = '';
beforeAll(async () => {
  command = await buildCommand(built);
  mkdirSync(given);
  writeFileSync(join(given, 'AGENTS.md'), AGENTS);
  await rsi('record', 'a', '--ok', '--store', 'small');
});
beforeEach(() => {
  folder = mkdtempSync(join(built, 'test-'));
  cpSync(given, folder, { recursive: true });
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

const rsi = (...args: readonly string[]) => runCommand([command, ...args], { cwd: folder, env: { TZ: 'UTC' } });

async function well(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await rsi(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const json = async <Document>(...args: readonly string[]) => JSON.parse(await well(...args, '--json')) as Document;

/** Without the breaks between its lines. */
const flat = (text: string) => text.replace(/\s+/g, ' ');

const failed = ['--expected', 'five points', '--issue', 'incomplete_task', '--severity', 'high', '--agent', 'writer'];

describe('from failures to a rule, by hand', () => {
  it('logs, counts causes, proposes, reviews, applies, lists, advises, exports, and takes back byte for byte', async () => {
    const { outcome } = await json<{ outcome: Outcome }>('record', 'report', '--actual', '1 points', ...failed);
    expect(outcome).toMatchObject({
      ...{ task: 'report', success: false, issues: ['incomplete_task'], severity: 'high', agent: 'writer' },
      ...{ expected: 'five points', actual: '1 points', source: 'report' },
    });
    for (const count of [2, 3, 4]) await well('record', 'report', '--actual', `${count} points`, ...failed);
    expect(await well('record', 'report', '--ok', '--duration-ms', '1200')).toMatch(/^report succeeded\nrecorded as /);
    expect(await well('record', 'deploy', '--error', '429 Too Many Requests')).toMatch(/^deploy failed: rate_limit\n/);

    const causes = await well('root-causes', '--days', '1');
    expect(causes).toMatch(/^5 failures, 20/);
    expect(causes).toMatch(/\nundetermined {2}4 {4}80 % {2}█{40}\n {2}4× report · incomplete_task\n/);
    expect(causes).toMatch(/\ntool_failure {2}1 {4}20 % {2}█{10}\n {2}1× deploy · rate_limit/);
    expect(await json<RootCauses>('root-causes')).toMatchObject({ format: 'rsi-root-causes/1', days: 7, count: 5 });

    const proposed = await well('cycle', '--workspace', '.');
    expect(proposed).toMatch(
      /^1 fix waits for a decision\n\nfix-\w{10} {2}proposed {2}report · incomplete_task\n {4}change {6}rule for AGENTS: /,
    );
    expect(proposed).toContain('\n    diff        --- a/AGENTS.md\n');
    expect(proposed).toMatch(/\n\nRead the records of \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\.\n$/);
    expect(await well('cycle')).toContain('Nothing new to propose. 1 pattern has its proposal already.');

    const review = await json<Review>('review');
    const [waiting] = review.fixes;
    const id = waiting?.fix.id ?? '';
    const text = waiting?.fix.change.kind === 'rule' ? waiting.fix.change.text : '';
    expect([waiting?.fix.status, waiting?.fix.evidence?.length]).toEqual(['proposed', 4]);
    const shown = await well('review');
    for (const part of [
      `npx rsi approve ${id.slice(4)} `,
      'why       ',
      'failed      4 of 5 (',
      'proof       needs about',
    ]) {
      expect(shown).toContain(part);
    }
    expect(await well('review', '--status', 'rejected')).toBe('No fix is rejected.\n');
    expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).toBe(AGENTS);

    const applied = await well('apply', id.slice(0, 8), '--workspace', '.', '--by', 'ada', '--reason', 'we want it');
    expect(applied).toBe(`${id} is applied-unverified now: the rule is in AGENTS.md\n`);
    expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).toContain(`- ${text} <!-- rsi-loop:rule ${id}`);
    expect((await json<RuleList>('rules')).rules).toMatchObject([
      { id, text, file: 'AGENTS', status: 'applied-unverified', sentTo: 'all', written: { path: 'AGENTS.md' } },
    ]);
    expect(await well('rules')).toMatch(/^1 rule\n\nfix-\w{10} {2}applied-unverified {2}for report\n {4}When you /);
    // It is in the file that every session reads, so no answer of a hook repeats it.
    expect(await well('advice', 'report')).toBe('');
    expect(await well('review')).toBe('Nothing waits for a decision.\n');

    const sft = (await well('export', '--format', 'sft'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(sft).toHaveLength(5);
    expect(sft[0].messages[1]).toEqual({ role: 'assistant', content: text });
    expect(sft[1]).toMatchObject({ messages: [{ content: 'Task: "report"' }, { content: 'five points' }] });
    const pairs = (await well('export', '--format', 'preference'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      // Each was logged by a process of its own, and processes of one second come in any order.
      .sort((a, b) => a.rejected.localeCompare(b.rejected));
    expect(pairs).toHaveLength(4);
    expect(pairs[0]).toMatchObject({ prompt: 'Task: "report"', chosen: 'five points', rejected: '1 points' });
    const { stderr } = await rsi('export', '--format', 'sft', '--out', 'train.jsonl');
    expect(stderr).toBe('5 examples written to train.jsonl\n');

    await well('rollback', id, '--workspace', '.');
    expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).toBe(AGENTS);
    expect((await json<RuleList>('rules')).rules).toEqual([]);
    expect((await json<RuleList>('rules', '--all')).rules).toMatchObject([
      { id, status: 'rolled-back', sentTo: 'none' },
    ]);
  }, 120_000);

  it('hands out a rule that stands in no file, and writes nothing without --workspace', async () => {
    const at = ['--store', 'told'];
    for (const count of [1, 2, 3]) await well('record', 'report', '--actual', `${count}`, ...failed, ...at);
    const { fixes } = await json<Review>('cycle', ...at);
    const [proposed] = fixes;
    if (proposed?.fix.change.kind !== 'rule') throw new Error('no rule was proposed');
    const { id, change } = proposed.fix;
    expect(await well('apply', id, ...at)).toContain('every session gets the rule');
    expect(await well('advice', 'report', ...at)).toBe(`${change.text}\n`);
    expect(await well('advice', 'other', ...at)).toBe('');
    expect(await json('advice', ...at)).toMatchObject({
      format: 'rsi-advice/1',
      task: null,
      rules: [expect.any(String)],
    });
    expect(await well('rules', ...at)).toContain('sent to every session; not written into AGENTS yet');
    const file = () => readFileSync(join(folder, 'AGENTS.md'), 'utf8');
    expect(file()).toBe(AGENTS);
    // The next cycle with the files writes it; one without them leaves the file alone.
    await well('cycle', '--workspace', '.', ...at);
    expect(file()).toContain(change.text);
    expect(flat(await well('rollback', id, ...at))).toContain(
      'the next cycle of the loop removes the rule from AGENTS.md',
    );
    await well('cycle', ...at);
    expect(file()).toContain(change.text);
    await well('cycle', '--workspace', '.', ...at);
    expect(file()).toBe(AGENTS);
  }, 120_000);

  it('lets no logged text act on the terminal or widen a line, in any of the verbs', async () => {
    const at = ['--store', 'hostile'];
    const wide = `${EVIL} 日本語の長い仕事の名前${'語'.repeat(60)}`;
    for (let count = 0; count < 3; count++) {
      await well('record', wide, '--expected', `${EVIL} five`, '--actual', EVIL, '--issue', 'incomplete_task', ...at);
    }
    const verbs = [['cycle'], ['review'], ['rules'], ['root-causes'], ['advice'], ['export', '--format', 'sft']];
    for (const verb of verbs) {
      const stdout = await well(...verb, ...at);
      for (const unsafe of ['\u001b', '\u0007', '\u202e']) expect(stdout, verb[0]).not.toContain(unsafe);
      if (verb[0] === 'export' || verb[0] === 'advice') continue;
      expect(Math.max(...stdout.split('\n').map(columns)), stdout).toBeLessThanOrEqual(80);
    }
  });

  it('leaves the proposing to a loop that runs', async () => {
    const store = new FileStore(join(folder, 'busy'));
    await well('record', 'a', '--ok', '--store', 'busy');
    const lease = await store.coordination.lease('cycle');
    const { code, stderr } = await rsi('cycle', '--store', 'busy');
    expect([code, stderr]).toEqual([2, expect.stringContaining('a loop runs on this folder')]);
    await lease?.release();
    await store.close();
    expect(await well('cycle', '--store', 'busy')).toMatch(
      /^Nothing new to propose: nothing failed three times or more from \d{4}-\d\d-\d\d to\n\d{4}-\d\d-\d\d\.\n$/,
    );
  });

  it.each([
    [['record', 'a', '--ok', '--error', 'x'], '--ok records a success'],
    [['record', ' '], 'the task is empty'],
    [['record', 'a', '--duration-ms', 'long'], 'Give a number from 0'],
    [['record', 'a', '--at', 'yesterday'], 'Give a time such as'],
    [['record', 'a', '--store', 'AGENTS.md'], 'is a file'],
    [['root-causes', '--days', '0'], 'Give a whole number from 1 to 3650'],
    [['review', '--store', 'nowhere'], 'no folder nowhere'],
    [['apply', 'zzz', '--store', 'small'], 'no fix "zzz": "npx rsi fixes --store small" lists them'],
    [['cycle', '--workspace', 'nowhere', '--store', 'small'], 'no folder nowhere: name that of the agent'],
    [['rollback', 'zzz', '--workspace', 'nowhere', '--store', 'small'], 'no folder nowhere: name that of the agent'],
    [['export', '--format', 'xml'], 'Allowed choices are jsonl, csv, preference, sft'],
  ])('names what is wrong with %o', async (args, words) => {
    const { code, stderr } = await rsi(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});
