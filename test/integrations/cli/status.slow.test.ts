import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PatternList } from '../../../integrations/cli/patterns/list.js';
import { renderStatus } from '../../../integrations/cli/status/render-status.js';
import { columns } from '../../../integrations/cli/terminal/terminal-text.js';
import type { Status } from '../../../integrations/reports/status.js';
import { World } from '../../scenarios/world.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';
import { EVIL, scriptFolder, scriptWaiting } from './scripted-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-status-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  await scriptFolder(join(folder, 'rsi_data'));
  await scriptWaiting(join(folder, 'waiting'));
  const calm = new World({ store: new FileStore(join(folder, 'calm')) }, { startMs: Date.now() - 3_600_000 });
  await calm.work(50, () => undefined);
  await calm.loop.close();
  mkdirSync(join(folder, 'empty'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rsi = (args: readonly string[], cwd = folder) => runCommand([command, ...args], { cwd, env: { COLUMNS: '60' } });

const NOTHING: Status = {
  format: 'rsi-status/1',
  attention: false,
  health: { score: 1, low: 0, high: 1, known: false },
  period: { sinceMs: 0, untilMs: 0, unread: 0 },
  patterns: { found: 0, measures: 0, failing: 0, recurring: 0, worst: [] },
  trials: [],
  waiting: [],
  forProgram: 0,
  remarks: 0,
  studies: [],
  worse: [],
  loop: {
    ...{ durability: 'store', processes: 0, lastCycleMs: null, frozen: null, paused: null },
    ...{ failedCycles: null, problems: [] },
  },
};
const lineOf = (text: string, label: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(label.padEnd(8)))
    ?.slice(8);

describe('rsi status', () => {
  it('says of the last 7 days what failed, what was proven, and one thing to decide', async () => {
    const { code, stdout, stderr } = await rsi(['status', '--week', '--store', 'waiting']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lineOf(stdout, 'failed')).toMatch(/^api_call · network \d+ of \d+/);
    expect(lineOf(stdout, 'decide')).toMatch(/^a fix for api_call · network: npx rsi explain/);
    const calm = (await rsi(['status', '--week', '--store', 'calm'])).stdout;
    expect(['failed', 'proven', 'decide'].map((label) => lineOf(calm, label))).toEqual([
      'nothing',
      'nothing',
      'nothing',
    ]);
    const document = JSON.parse((await rsi(['status', '--week', '--json', '--store', 'waiting'])).stdout);
    expect(document).toMatchObject({ format: 'rsi-week/1', decide: { kind: 'fix', task: 'api_call' } });
    expect((await rsi(['status', '--week', '--since', '2d'])).code).toBe(2);
  });

  it('ends with 1 while a decision waits', async () => {
    const { code, stdout } = await rsi(['status', '--store', 'waiting']);
    expect(code).toBe(1);
    expect(lineOf(stdout, 'waits')).toBe('api_call · network to decide');
  });

  it('says in five lines what fails and is tried; a step in the program is no decision', async () => {
    const { code, stdout, stderr } = await rsi(['status']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['health', 'fails', 'tries', 'waits', 'loop']);
    expect(lines.filter((line) => columns(line) > 60)).toEqual([]);
    expect(lineOf(stdout, 'health')).toMatch(/^[89]\d % succeed/);
    expect(lineOf(stdout, 'fails')).toMatch(/^api_call · network \d+ of 700, 2 more/);
    expect(lineOf(stdout, 'tries')).toMatch(
      /^search · network, (?:not proven yet|helps so far|about [\d,]+ more tasks? to a proof)$/,
    );
    expect(lineOf(stdout, 'waits')).toBe('nothing to decide; 1 proposal needs your program');
    expect(lineOf(stdout, 'loop')).toMatch(/^last cycle .* ago, no process runs/);
  });

  it('ends with 0 if nothing needs a person', async () => {
    const { code, stdout } = await rsi(['status', '--store', 'calm']);
    expect(code).toBe(0);
    expect(['fails', 'tries', 'waits'].map((label) => lineOf(stdout, label))).toEqual([
      'nothing',
      'nothing',
      'nothing',
    ]);
  });

  it('gives programs the same, with the texts as recorded', async () => {
    const { stdout } = await rsi(['status', '--json']);
    const status: Status = JSON.parse(stdout);
    expect(status).toMatchObject({
      format: 'rsi-status/1',
      attention: false,
      loop: { durability: 'store', processes: 0, frozen: null },
    });
    expect(status.trials).toMatchObject([{ task: 'search', status: 'trial' }]);
    expect([status.waiting.length, status.forProgram]).toEqual([0, 1]);
    expect(status.patterns.worst.map(({ task }) => task)).toContain(EVIL);
    expect(status.patterns.found).toBe(3);
  });

  it('is what rsi alone shows where there are records', async () => {
    expect(await rsi([])).toEqual(await rsi(['status']));
  });

  it('names the problem of the loop, with the command that says more', () => {
    const look = { width: 60, paint: (_: unknown, text: string) => text, next: (words: string) => `rsi ${words}` };
    const shown = (loop: Partial<Status['loop']>) =>
      lineOf(renderStatus({ ...NOTHING, loop: { ...NOTHING.loop, ...loop } }, 10_000_000, look), 'loop');
    const failedCycles = { count: 3, sinceMs: 0, why: 'disk is full' };
    expect(shown({ failedCycles })).toBe('3 cycles failed: disk is full  rsi doctor');
    const inMemory = renderStatus({ ...NOTHING, loop: { ...NOTHING.loop, durability: 'memory' } }, 0, look);
    expect(inMemory).toContain('records are in memory, and end with the process\n        rsi doctor\n');
    expect(shown({ problems: ['journal/a is damaged'] })).toBe('1 problem: journal/a is damaged  rsi doctor');
    expect(shown({ frozen: { by: 'ann', reason: 'release', atMs: 0 } })).toBe('frozen by ann: release  rsi unfreeze');
    expect(shown({ processes: 2, lastCycleMs: 10_000_000 - 180_000 })).toBe('last cycle 3 min ago, 2 processes run');
    const text = renderStatus(NOTHING, 0, look);
    expect(lineOf(text, 'health')).toBe('unknown: no task is recorded yet');
    const long = renderStatus(
      { ...NOTHING, loop: { ...NOTHING.loop, failedCycles: { ...failedCycles, why: 'x'.repeat(99) } } },
      0,
      look,
    );
    expect(long).toContain('…\n        rsi doctor\n');
  });
});

describe('rsi in a folder without records', () => {
  it('says how to begin', async () => {
    const { code, stdout, stderr } = await rsi([], join(folder, 'empty'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('  npx rsi analyze ~/.claude/projects\n');
    expect(stdout).toContain('npx rsi --help');
    expect(stdout.split('\n').filter((line) => columns(line) > 60)).toEqual([]);
  });
});

describe('rsi patterns', () => {
  it('names the sessions and files to look at, the fix, and the next command', async () => {
    const home = join(folder, 'home');
    const session = '7f3a1b2c-0000-4000-8000-000000000001';
    mkdirSync(join(home, '.claude', 'projects', 'shop'), { recursive: true });
    writeFileSync(join(home, '.claude', 'projects', 'shop', `${session}.jsonl`), '');
    const store = join(folder, 'linked');
    const loop = new RSILoop({ store: new FileStore(store), autoFix: false });
    await loop.ready();
    for (let call = 0; call < 12; call++) {
      const success = call % 2 === 0;
      const about = { success, session: call < 8 ? session : '../../../etc/passwd', source: 'claude-code' };
      loop.observer.recordSimple('Bash', success ? about : { ...about, error: 'Exit code 2: no rule to make target' });
    }
    const place = { success: false, error: 'E404', session: 's-2', context: { file: 'logs/a.jsonl', line: 7 } };
    for (let call = 0; call < 3; call++) loop.observer.recordSimple('fetch', place);
    await loop.runCycle();
    await loop.close();
    const run = (...args: readonly string[]) =>
      runCommand([command, 'patterns', '--store', 'linked', ...args], {
        cwd: folder,
        env: { HOME: home, COLUMNS: '60' },
      });
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`session ${session} (claude-code)`.split(' ')[1]);
    expect(stdout).toContain(join(home, '.claude', 'projects', 'shop', `${session}.jsonl`));
    expect(stdout).not.toContain('passwd.jsonl');
    expect(stdout).toContain('    logs/a.jsonl:7\n');
    expect(stdout).toMatch(/ {4}npx rsi (explain \w+|cycle) --store linked\n/);
    const { patterns }: PatternList = JSON.parse((await run('fetch', '--json')).stdout);
    expect(patterns).toMatchObject([{ task: 'fetch', places: [{ session: 's-2', file: 'logs/a.jsonl', line: 7 }] }]);
    const none = await run('nope');
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toBe('error: no pattern or task "nope": "npx rsi patterns --store linked" lists them\n');
  });
});
