import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { keyOf, orchestrate, type PoolOptions, processes, threads, type WorkerPool } from 'rsi-loop/orchestrate';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleProcess } from '../../bundle-process.js';
import { runNode } from '../../run-node.js';
import { recorded } from './recorded.js';

mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync(resolve('.tmp', 'lanes-'));
let file = '';
let loop: RSILoop;
beforeAll(async () => {
  file = await bundleProcess('test/integrations/orchestrate/lane-worker.ts', folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  loop = new RSILoop();
});
afterEach(() => loop.close());

const KINDS: readonly [string, (options?: PoolOptions) => WorkerPool][] = [
  ['threads', (options) => threads(file, options)],
  ['processes', (options) => processes(file, { execArgv: [], ...options })],
];

it('run the worker of the documentation', async () => {
  const worker = threads(await bundleProcess('examples/orchestrate-worker.ts', folder), { count: 1 });
  const tasks = [
    { id: 'read', worker: 'own', input: 1 },
    { id: 'sum', worker: 'own', input: 2, after: ['read'] },
  ];
  const run = await orchestrate(loop, { id: 'r', tasks, workers: { own: worker } });
  expect(run.tasks.get('sum')?.result).toEqual({ input: 2, before: ['read'] });
});

describe.each(KINDS)('%s', (name, pool) => {
  /** Runs one task for each input, and returns the results and errors in their order. */
  async function ends(inputs: readonly string[], options: PoolOptions & { timeoutMs?: number; usd?: number } = {}) {
    const { timeoutMs, usd, ...rest } = options;
    const tasks = inputs.map((input, at) => ({
      ...{ id: input === 'listen' ? 'listener' : `t${at}`, worker: 'lane', input },
      ...(timeoutMs !== undefined && input !== 'fine' && { timeoutMs }),
    }));
    const budget = usd === undefined ? {} : { budget: { usd } };
    const run = await orchestrate(loop, { id: 'r', tasks, workers: { lane: pool(rest) }, ...budget });
    return { ...run, ends: [...run.tasks.values()].map(({ result, error }) => result ?? error) };
  }

  it('do tasks outside of this thread, and use each lane again', async () => {
    const { ends: found } = await ends(['where', 'where', 'where', 'where'], { count: 2 });
    const places = found as unknown as readonly { pid: number; isThread: boolean }[];
    const pids = new Set(places.map(({ pid }) => pid));
    if (name === 'threads') expect([...pids]).toEqual([process.pid]);
    else {
      expect(pids.has(process.pid)).toBe(false);
      expect(pids.size).toBeLessThanOrEqual(2);
    }
    expect(places.every(({ isThread }) => isThread === (name === 'threads'))).toBe(true);
  });

  it('get the input, the results before and the key of the task', async () => {
    const { tasks } = await orchestrate(loop, {
      id: 'r',
      tasks: [
        { id: 'a', worker: 'lane', input: [1] },
        { id: 'b', worker: 'lane', after: ['a'], input: 2 },
      ],
      workers: { lane: pool() },
    });
    const first = { key: keyOf('r', 'a'), results: {}, input: [1] };
    expect(tasks.get('b')?.result).toEqual({ key: keyOf('r', 'b'), results: { a: first }, input: 2 });
  });

  it('fail only the attempt whose lane crashes, and pass errors on with what names their class', async () => {
    const { ends: found } = await ends(['crash', 'fine', 'throw', 'fine'], { count: 1 });
    const one = name === 'threads' ? 'thread' : 'process';
    expect(found[0]).toBe(`Error: the ${one} of the worker ended: exit code 3`);
    expect(found[2]).toBe('TypeError: 429 Too Many Requests');
    expect(found.filter((end) => Object(end).input === 'fine')).toHaveLength(2);
    const issues = (await recorded(loop)).filter(({ task }) => task === 'lane').flatMap((outcome) => outcome.issues);
    expect(issues).toContain('rate_limit');
  });

  it('end a lane that exceeds its memory', async () => {
    const { ends: found } = await ends(['grow', 'fine'], { count: 1, memoryMb: 24 });
    expect(found[0]).toMatch(/out of memory: its limit is 24 MB/);
    expect(found[1]).toMatchObject({ input: 'fine' });
  });

  it('end a lane that ignores its signal', async () => {
    const { ends: found } = await ends(['spin', 'wait', 'fine'], { count: 3, graceMs: 20, timeoutMs: 700 });
    expect(found.slice(0, 2)).toEqual(
      new Array(2).fill('LoopError: lane took longer than 700 ms (timeoutMs of the call)'),
    );
    expect(found[2]).toMatchObject({ input: 'fine' });
  });

  it('send messages to other tasks, and spend from the budget of the run', async () => {
    expect((await ends(['talk', 'listen'])).ends[0]).toBe('and to you');
    await loop.close();
    loop = new RSILoop();
    const { ends: found, spent } = await orchestrateTwice();
    expect(found).toEqual(['paid', expect.stringContaining('0.3 of 0.6 US dollars are spent')]);
    expect(spent.usd).toBeCloseTo(0.3);
  });

  const orchestrateTwice = () => ends(['spend', 'spend'], { count: 1, usd: 0.6 });

  it('leave no thread or process behind', async () => {
    await ends(['fine']);
    const { ends: found } = await ends(['where']);
    const { pid } = Object(found[0]);
    if (name === 'processes') {
      await expect.poll(() => isAlive(pid)).toBe(false);
    }
  });
});

it('says what to do if a worker file is run as a program', async () => {
  const { code, stderr } = await runNode([file], { cwd: folder });
  expect(code).toBe(1);
  expect(stderr).toContain('name its file in threads() or processes()');
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
