import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { orchestrate, RunFolder } from 'rsi-loop/orchestrate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columns } from '../../../integrations/cli/terminal/terminal-text.js';
import { ended, startNode } from '../../run-node.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-runs-'));
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TASKS = [
  { id: 'rivers', worker: 'search', input: 'rivers' },
  { id: 'lakes', worker: 'search', input: 'lakes' },
  { id: 'text', worker: 'write', after: ['rivers', 'lakes'] },
];

/** A folder with a run that was stopped while `lakes` was in progress. */
async function stoppedRun() {
  const home = mkdtempSync(join(folder, 'home-'));
  const stop = new AbortController();
  const loop = new RSILoop();
  const search = ({ input }: { input: unknown }) => {
    if (input === 'rivers') return 'three rivers';
    stop.abort(new Error('Ctrl-C'));
    return new Promise(() => undefined);
  };
  await orchestrate(loop, {
    ...{ id: 'nightly', folder: join(home, 'rsi_runs'), tasks: TASKS, graceMs: 0, signal: stop.signal },
    workers: { search, write: () => '' },
  });
  await loop.close();
  writeFileSync(
    join(home, 'workers.mjs'),
    `export const workers = {
      search: ({ input }) => { if (process.env.FAIL) throw new Error('no network'); return 'three ' + input; },
      write: ({ results }) => Object.values(results).join(' and '),
    };`,
  );
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runCommand([command, 'runs', ...args], { cwd: home, env });
  return { home, run };
}

describe('rsi runs', () => {
  it('lists runs, shows their tasks, and continues one with the workers of a file', async () => {
    const { run } = await stoppedRun();
    expect((await run(['list'])).stdout).toMatch(/^run +state +done +changed\nnightly +stopped +1 of 3 +\d{4}-/);
    const { stdout: shown } = await run(['show', 'night']);
    expect(shown).toMatch(/^nightly {2}1 of 3 tasks done, 1 running\nstate +stopped: .*Ctrl-C\n/);
    expect(shown).toContain('npx rsi runs continue nightly --module <file>');
    // The earlier name of the action works until version 1.0.
    const resumed = await run(['resume', 'nightly', '--module', 'workers.mjs']);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.stderr).toContain('"runs resume" is now "runs continue"');
    expect(resumed.stdout).toMatch(/^nightly {2}3 of 3 tasks done\nstate +done\n/);
    const { stdout } = await run(['show', 'nightly', '--json']);
    const { format, status, tasks } = JSON.parse(stdout);
    expect({ format, status, text: tasks[2].result }).toEqual({
      ...{ format: 'rsi-run/1', status: 'done', text: 'three rivers and three lakes' },
    });
    expect(JSON.parse((await run(['list', '--json'])).stdout)).toMatchObject({
      ...{ format: 'rsi-runs/1', runs: [{ id: 'nightly', status: 'done', counts: { done: 3 } }] },
    });
  });

  it('says which tasks failed, and returns 1', async () => {
    const { run } = await stoppedRun();
    const { code, stdout, stderr } = await run(['continue', 'nightly', '--module', 'workers.mjs'], { FAIL: '1' });
    expect(code).toBe(1);
    expect(stderr).toContain('lakes failed: Error: no network');
    expect(stdout).toMatch(/lakes +failed +Error: no network\nrivers +done +search/);
    expect(stdout).toMatch(/text +skipped +lakes did not succeed/);
    const again = await run(['retry', 'nightly', '--module', 'workers.mjs']);
    expect(again.code, again.stderr).toBe(0);
    expect(again.stdout).toMatch(/^nightly {2}3 of 3 tasks done\n/);
    expect((await run(['retry', 'nightly', '--module', 'workers.mjs'])).stderr).toContain('nothing to retry');
  });

  it('cancels a run that is stopped, and one that another process has', async () => {
    const { run, home } = await stoppedRun();
    const cancelled = await run(['cancel', 'nightly', '--by', 'ada', '--reason', 'wrong data']);
    expect(cancelled.stdout).toBe('run nightly is cancelled by ada\n');
    expect((await run(['show', 'nightly'])).stdout).toContain('cancelled by ada: wrong data');
    expect((await run(['cancel', 'nightly'])).stderr).toContain('has ended (cancelled): there is nothing to cancel');

    const { run: other, home: otherHome } = await stoppedRun();
    writeFileSync(join(otherHome, 'slow.mjs'), SLOW);
    const child = startNode([command, 'runs', 'continue', 'nightly', '--module', 'slow.mjs'], { cwd: otherHome });
    const end = ended(child);
    await new Promise<void>((resolve) =>
      child.stdout.on('data', (text) => String(text).includes('begun') && resolve()),
    );
    expect((await other(['list'])).stdout).toMatch(/nightly +running/);
    expect((await other(['continue', 'nightly', '--module', 'workers.mjs'])).stderr).toMatch(
      /process \d+ has run nightly/,
    );
    expect((await other(['cancel', 'nightly', 'lakes'])).stdout).toContain('its process ends it within');
    const { code, stdout } = await end;
    expect(code).toBe(1);
    expect(stdout).toMatch(/lakes +cancelled/);
    expect(home).not.toBe(otherHome);
  });

  it('stops in order at Ctrl-C, and can be continued', async () => {
    const { run, home } = await stoppedRun();
    writeFileSync(join(home, 'slow.mjs'), SLOW);
    const child = startNode([command, 'runs', 'continue', 'nightly', '--module', 'slow.mjs'], { cwd: home });
    const end = ended(child);
    await new Promise<void>((resolve) =>
      child.stdout.on('data', (text) => String(text).includes('begun') && resolve()),
    );
    child.kill('SIGINT');
    expect(await end).toMatchObject({ code: 130, stdout: expect.stringContaining('stopped') });
    expect((await run(['resume', 'nightly', '--module', 'workers.mjs'])).code).toBe(0);
  });

  it.each([
    [['sing'], 'there is no "runs sing": use list, show, continue, retry, send, cancel'],
    [['show'], 'which run? "runs list" shows their ids'],
    [['show', 'other'], 'there is no run "other" in ./rsi_runs: give one of nightly'],
    [['show', 'nightly', 'more'], '"show" takes no more words: leave out more'],
    [['continue', 'nightly'], 'a run needs the code of the workers: --module names a file that exports them'],
    [['continue', 'nightly', '--module', 'none.mjs'], 'there is no file ./none.mjs'],
    [['continue', 'nightly', '--module', 'empty.mjs'], 'empty.mjs exports no workers'],
    [
      ['continue', 'nightly', '--module', 'part.mjs'],
      'worker of task "text" is "write", which is no worker: there are search',
    ],
    [['cancel', 'nightly', 'bake'], 'run nightly has no task "bake"'],
  ])('%j says what to do', async (args, message) => {
    const { run, home } = await stoppedRun();
    writeFileSync(join(home, 'empty.mjs'), 'export const nothing = 1;');
    writeFileSync(join(home, 'part.mjs'), 'export const workers = { search: () => 1 };');
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('fits 60 columns, and shows hostile text as text', async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    mkdirSync(join(home, 'rsi_runs'));
    const store = new RunFolder(join(home, 'rsi_runs'));
    const tasks = Array.from({ length: 60 }, (_, at) => ({
      id: `task ${at} \u001b[31m${'x'.repeat(80)}`,
      worker: 'w',
    }));
    await store.add('r', { kind: 'started', name: 'n', tasks: tasks.map((task) => ({ ...task })), atMs: 1 });
    await store.add('r', {
      kind: 'failed',
      task: tasks[1]?.id ?? '',
      attempt: 1,
      error: 'a\u001b]0;b\u0007 '.repeat(40),
      atMs: 2,
    });
    await store.close();
    for (const COLUMNS of ['60', '80']) {
      const { stdout } = await runCommand([command, 'runs', 'show', 'r'], { cwd: home, env: { COLUMNS } });
      expect(stdout).not.toContain('\u001b');
      for (const line of stdout.split('\n')) expect(columns(line), line).toBeLessThanOrEqual(Number(COLUMNS));
      expect(stdout).toContain('... and 20 tasks more: --json shows all');
    }
    const empty = await runCommand([command, 'runs'], { cwd: folder });
    expect(empty).toMatchObject({ code: 0, stdout: expect.stringContaining('no run is kept in ./rsi_runs') });
  });
});

/** Workers that say that they have begun, and wait for their signal. */
const SLOW = `export const workers = {
  search: ({ signal }) => new Promise((_, reject) => {
    console.log('begun');
    const timer = setInterval(() => {}, 1_000);
    signal.addEventListener('abort', () => { clearInterval(timer); reject(signal.reason); });
  }),
  write: () => 'text',
};`;
