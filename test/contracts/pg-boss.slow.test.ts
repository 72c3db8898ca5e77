import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { orchestrate, type RunStore } from 'rsi-loop/orchestrate';
import { PgBossRuns } from 'rsi-loop/stores/pg-boss';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProcess } from '../bundle-process.js';
import { type PostgresServer, startPostgres, whyNoPostgres } from '../integrations/stores/postgres-server.js';
import { ended, startNode } from '../run-node.js';
import { runStoreContract } from './run-store-contract.js';

const why = whyNoPostgres();
mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync(resolve('.tmp', 'pg-boss-'));
let server: PostgresServer;
let program = '';
const children: ChildProcess[] = [];
const serving: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  if (why !== undefined) return;
  server = await startPostgres();
  program = await bundleProcess('test/integrations/stores/pg-boss-process.ts', folder, {
    external: ['pg', 'pg-boss'],
    noExternal: ['rsi-loop', 'rsi-loop/orchestrate', 'rsi-loop/oversee'],
  });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(serving.map((each) => each.close()));
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const options = () => ({ url: server.url, lostMs: 1_000, pollMs: 20 });

describe.skipIf(why)(`runs on many machines${why ? ` (${why})` : ''}`, () => {
  runStoreContract(() => ({
    open: () => new PgBossRuns(options()),
    worker: async (store: RunStore, work) => {
      const runs = store as PgBossRuns; // made by `open`
      serving.push(await new PgBossRuns(options()).serve({ double: ({ input }) => work(input) }));
      return runs.worker('double');
    },
  }));

  it('finish 50 tasks once, although the process that has the run is killed twice and a machine once', async () => {
    const start = (kind: string) => {
      const child = startNode([program, kind, server.url], { cwd: folder });
      children.push(child);
      return child;
    };
    const lost = start('serve');
    const machine = start('serve');
    const ends = [ended(lost), ended(machine)];
    let last = { code: null as number | null, stdout: '', stderr: '' };
    for (const at of [8, 25, 99]) {
      const child = start('run');
      const end = ended(child);
      let printed = '';
      child.stdout.on('data', (chunk: string) => {
        printed += chunk;
        const counts = [...printed.matchAll(/done: (\d+) of/g)].map(([, count]) => Number(count));
        if (!counts.some((count) => count >= at)) return;
        child.kill('SIGKILL');
        lost.kill('SIGKILL');
      });
      last = await end;
    }
    expect(last.code, last.stderr).toBe(0);
    expect(last.stderr).toBe('');
    expect(last.stdout).toMatch(/done: 46 pages\n$/);
    machine.kill('SIGTERM');
    await Promise.all(ends);
    const effects = readFileSync(`${folder}/effects.log`, 'utf8').trim().split('\n');
    expect(new Set(effects).size).toBe(50);
    // Only tasks of the killed machine happen again, with the same key.
    expect(effects.length).toBeLessThanOrEqual(54);
  });

  it('begin dependent tasks by notices, long before machines would look for them again', async () => {
    const seldom = { ...options(), pollMs: 600_000 };
    const [machine, runs] = [new PgBossRuns(seldom), new PgBossRuns(seldom)];
    const served = await machine.serve({ add: ({ input }) => input }, { concurrency: 1 });
    const loop = new RSILoop();
    const tasks = Array.from({ length: 10 }, (_, at) => {
      return { id: `t${at}`, worker: 'add', input: at, after: at === 0 ? [] : [`t${at - 1}`] };
    });
    const { status } = await orchestrate(loop, {
      id: 'chain',
      store: runs,
      tasks,
      workers: { add: runs.worker('add') },
    });
    expect(status).toBe('done');
    await served.close();
    await Promise.all([machine.close(), runs.close(), loop.close()]);
  });

  it('end on a machine that is asking for tasks at the moment, without the wait for the next time', async () => {
    const machine = new PgBossRuns({ ...options(), pollMs: 600_000 });
    for (let at = 0; at < 10; at++) {
      const served = await machine.serve({ rest: () => 'done' });
      await served.close();
    }
    await machine.close();
  });

  it('begin on many machines at the same time in an empty database', async () => {
    const work = Object.fromEntries(['fetch', 'scan', 'translate', 'write'].map((name) => [name, async () => name]));
    const machines = Array.from({ length: 6 }, () => new PgBossRuns({ ...options(), schema: 'together' }));
    const served = await Promise.all(machines.map((machine) => machine.serve(work)));
    expect(served).toHaveLength(6);
    await Promise.all(served.map((each) => each.close()));
    await Promise.all(machines.map((machine) => machine.close()));
  });

  it('name what is missing', async () => {
    expect(() => new PgBossRuns({ url: '' })).toThrow('runs in PostgreSQL need url');
    expect(() => new PgBossRuns({ url: 'postgres://x', schema: 'A"b' })).toThrow('give small letters');
    const store = new PgBossRuns({ url: 'postgres://agent:x@127.0.0.1:1/none' });
    const loop = new RSILoop();
    const run = orchestrate(loop, { tasks: [], workers: {}, store });
    await expect(run).rejects.toThrow(/pg-boss cannot use the database/);
    await loop.close();
  });
});
