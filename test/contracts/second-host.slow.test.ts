import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RSILoop, type RSILoopOptions } from 'rsi-loop';
import { type OrchestrateOptions, orchestrate, schedule } from 'rsi-loop/orchestrate';
import { PgBossRuns } from 'rsi-loop/stores/pg-boss';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bundleProcess } from '../bundle-process.js';
import { startPooler, whyNoPooler } from '../integrations/stores/pooler.js';
import { type PostgresServer, startPostgres, whyNoPostgres } from '../integrations/stores/postgres-server.js';
import { ended, startNode } from '../run-node.js';

const why = whyNoPostgres();
mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync(resolve('.tmp', 'hosts-'));
let server: PostgresServer;
let program = '';

beforeAll(async () => {
  if (why !== undefined) return;
  server = await startPostgres();
  program = await bundleProcess('test/integrations/stores/host-process.ts', folder, {
    external: ['pg', 'pg-boss'],
    noExternal: ['rsi-loop', 'rsi-loop/orchestrate', 'rsi-loop/oversee'],
  });
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  for (const name of ['go', 'effects.log']) rmSync(join(folder, name), { force: true });
});

/** Starts another host, which is killed at the end of the test. */
function start(kind: 'serve' | 'run', name: string): ChildProcess & { readonly printed: Promise<string> } {
  const child = startNode([program, kind, server.url, name], { cwd: folder });
  onTestFinished(() => void child.kill('SIGKILL'));
  return Object.assign(child, { printed: ended(child).then(({ stdout, stderr }) => stdout + stderr) });
}

/** Tasks that began, such as `b began killed first`. */
function effects(): readonly string[] {
  try {
    return readFileSync(join(folder, 'effects.log'), 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}

const go = () => writeFileSync(join(folder, 'go'), '');

/** Runs tasks from this host. */
function runHere(
  options: Omit<OrchestrateOptions, 'store' | 'workers'>,
  url = server.url,
  loopOptions: RSILoopOptions = {},
) {
  const runs = new PgBossRuns({ url, schema: 'hosts', lostMs: 1_000, pollMs: 50 });
  const loop = new RSILoop(loopOptions);
  onTestFinished(async () => {
    await Promise.all([runs.close(), loop.close()]);
  });
  const workers = Object.fromEntries(['hold', 'pay', 'tell'].map((name) => [name, runs.worker(name)]));
  return orchestrate(loop, { ...options, store: runs, workers });
}

describe.skipIf(why)(`a second host${why ? ` (${why})` : ''}`, () => {
  it('does the tasks of a host that was killed again if they may be repeated, and only then', async () => {
    const lost = start('serve', 'a');
    const tasks = [
      { id: 'twice', worker: 'hold' },
      { id: 'once', worker: 'hold', idempotent: false },
    ];
    const policy = { 'retries.network': 3, 'backoff.baseMs': 50 };
    const run = runHere({ id: 'lost', tasks }, server.url, { idempotent: true, policy });
    await expect.poll(() => effects().length).toBe(2);
    lost.kill('SIGKILL');
    start('serve', 'b');
    go();
    const { tasks: ends } = await run;
    expect(ends.get('twice')).toMatchObject({ status: 'done', result: 'b' });
    expect(ends.get('once')).toMatchObject({ status: 'failed' });
    expect(ends.get('once')?.error).toContain('its machine gave no sign of life for 1 s');
    expect(effects()).toHaveLength(3);
  });

  it('fails the task of a host that was killed if no retry is allowed', async () => {
    const lost = start('serve', 'a');
    const run = runHere({ id: 'no-retry', tasks: [{ id: 't', worker: 'hold' }] }, server.url, {
      idempotent: true,
      policy: { 'retries.network': 0 },
    });
    await expect.poll(() => effects().length).toBe(1);
    lost.kill('SIGKILL');
    expect((await run).tasks.get('t')).toMatchObject({ status: 'failed' });
  });

  it('takes over a run whose process was killed, with the result of the task that went on meanwhile', async () => {
    start('serve', 'worker');
    const owner = start('run', 'killed');
    await expect.poll(effects).toEqual(['worker began killed first']);
    await expect(runHere({ id: 'killed' })).rejects.toThrow('another process has run killed');
    owner.kill('SIGKILL');
    await owner.printed;
    const next = runHere({ id: 'killed' });
    go();
    expect((await next).status).toBe('done');
    expect(effects()).toEqual(['worker began killed first', 'worker began killed second']);
  });

  it('takes over a run whose process was frozen, which stores nothing more when it goes on', async () => {
    start('serve', 'worker');
    const owner = start('run', 'frozen');
    await expect.poll(effects).toEqual(['worker began frozen first']);
    owner.kill('SIGSTOP');
    const next = runHere({ id: 'frozen' });
    go();
    expect((await next).status).toBe('done');
    const before = effects();
    owner.kill('SIGCONT');
    expect(await owner.printed).toContain('another process took over run frozen');
    expect(effects()).toEqual(before);
  });

  it('spends no more than the run reserved for its task, and has no messages', async () => {
    start('serve', 'a');
    const tasks = [
      { id: 'pay', worker: 'pay', worst: { usd: 1 } },
      { id: 'tell', worker: 'tell' },
      { id: 'other', worker: 'hold' },
    ];
    go();
    const { tasks: ends, spent } = await runHere({ id: 'money', tasks, budget: { usd: 1.5 } });
    expect(ends.get('pay')?.error).toContain(
      '0.6 of 1 US dollars are spent or reserved, and the next call may use 0.6',
    );
    expect(ends.get('tell')?.error).toContain('runs on another machine, where tasks have no messages');
    expect(ends.get('other')?.status).toBe('done');
    expect(spent.usd).toBe(1);
    // The run reserves what a task may spend before it begins.
    const poor = await runHere({ id: 'poor', tasks: tasks.slice(0, 1), budget: { usd: 0.5 } });
    expect(poor.tasks.get('pay')?.error).toContain('0 of 0.5 US dollars');
  });

  it('runs a schedule that another host has too once for each time', async () => {
    start('serve', 'a');
    go();
    const stop = new AbortController();
    const hosts = [0, 1].map(() => {
      const runs = new PgBossRuns({ url: server.url, schema: 'hosts', lostMs: 1_000, pollMs: 50 });
      const loop = new RSILoop();
      const workers = { hold: runs.worker('hold') };
      const tasks = [{ id: 't', worker: 'hold' }];
      const options = { name: 'often', cron: '* * * * * *', store: runs, tasks, workers, signal: stop.signal };
      return { runs, loop, scheduled: schedule(loop, options) };
    });
    await expect.poll(() => effects().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(3);
    stop.abort();
    for (const { runs, loop, scheduled } of hosts) {
      await scheduled.done;
      await Promise.all([runs.close(), loop.close()]);
    }
    expect(new Set(effects()).size).toBe(effects().length);
  });

  it.skipIf(whyNoPooler())('begins tasks by polling behind PgBouncer in transaction mode', async () => {
    const pooler = await startPooler(server, 'transaction');
    const runs = new PgBossRuns({ url: pooler.url, schema: 'hosts', lostMs: 1_000, pollMs: 50 });
    const served = await runs.serve({ hold: () => 'pooled' });
    const { tasks } = await runHere({ id: 'pooled', tasks: [{ id: 't', worker: 'hold' }] }, pooler.url);
    expect(tasks.get('t')).toMatchObject({ status: 'done', result: 'pooled' });
    await served.close();
    await runs.close();
    await pooler.stop();
  });
});
