import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LoopError, RSILoop } from 'rsi-loop';
import { type OrchestrateOptions, orchestrate, RunFolder, type RunStep, type TaskSpec } from 'rsi-loop/orchestrate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recorded } from './recorded.js';

let folder = '';
let loop: RSILoop;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-orchestrate-'));
  loop = new RSILoop();
});
afterEach(async () => {
  await loop.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs tasks of one worker, and returns each status. */
async function statuses(tasks: readonly TaskSpec[], options: Partial<OrchestrateOptions> = {}) {
  const workers = { work: async ({ input }: { input: unknown }) => input, fail: failing, ...options.workers };
  const result = await orchestrate(loop, { tasks, ...options, workers });
  return { ...result, statuses: Object.fromEntries([...result.tasks].map(([id, { status }]) => [id, status])) };
}

async function failing(): Promise<never> {
  throw new TypeError('x is not a function');
}

describe('orchestrate', () => {
  it('passes results on, and reports each task under its name in the loop', async () => {
    const { status, tasks } = await orchestrate(loop, {
      tasks: [
        { id: 'sum', worker: 'add', after: ['one', 'two'] },
        { id: 'one', worker: 'read', task: 'read_number', input: 1 },
        { id: 'two', worker: 'read', input: 2 },
      ],
      workers: {
        read: ({ input }) => ({ value: input }),
        add: ({ results }) => Object.values(results).reduce<number>((sum, each) => sum + Object(each).value, 0),
      },
    });
    expect({ status, result: tasks.get('sum')?.result }).toEqual({ status: 'done', result: 3 });
    const byTask = (await recorded(loop)).map(({ task, success, parent }) => [task, success, parent !== undefined]);
    expect(byTask.sort()).toEqual([
      ['add', true, true],
      ['orchestrate', true, false],
      ['read', true, true],
      ['read_number', true, true],
    ]);
  });

  it('skips what comes after a failed task with the reason, and runs what asks for its error', async () => {
    const {
      tasks,
      status,
      statuses: all,
    } = await statuses(
      [
        { id: 'build', worker: 'fail' },
        { id: 'test', worker: 'work', after: ['build'] },
        { id: 'publish', worker: 'work', after: ['test'] },
        { id: 'clean', worker: 'errors', after: ['test', 'other'], afterFailure: 'run' },
        { id: 'other', worker: 'work', input: 'fine' },
      ],
      { workers: { errors: ({ errors, results }) => ({ ...errors, ...results }) } },
    );
    expect(status).toBe('failed');
    expect(all).toEqual({ build: 'failed', test: 'skipped', publish: 'skipped', clean: 'done', other: 'done' });
    expect(tasks.get('build')?.error).toBe('TypeError: x is not a function');
    expect(tasks.get('publish')?.error).toBe('test did not succeed');
    expect(tasks.get('clean')?.result).toEqual({ test: 'build did not succeed', other: 'fine' });
  });

  it('retries by the policy of the loop, with one key for all attempts', async () => {
    await loop.close();
    loop = new RSILoop({ policy: { 'retries.overloaded': 2, 'backoff.baseMs': 100 }, idempotent: { work: true } });
    const calls: unknown[] = [];
    const work = ({ attempt, key }: { attempt: number; key: string }) => {
      calls.push([attempt, key]);
      if (attempt < 3) throw new Error('529 overloaded');
      return 'answer';
    };
    const { tasks } = await orchestrate(loop, { id: 'r', tasks: [{ id: 'a', worker: 'work' }], workers: { work } });
    expect(tasks.get('a')).toMatchObject({ status: 'done', attempts: 3, result: 'answer' });
    const [[, key] = []] = calls as [number, string][];
    expect(calls).toEqual([1, 2, 3].map((attempt) => [attempt, key]));
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect((await recorded(loop)).filter(({ task }) => task === 'work')).toMatchObject([
      { success: true, attempts: { length: 3 } },
    ]);
  });

  it('ends a task at its time-out, and aborts its signal', async () => {
    let reason: unknown;
    const work = ({ signal }: { signal: AbortSignal }) =>
      new Promise(() => signal.addEventListener('abort', () => (reason = signal.reason)));
    const { tasks } = await statuses([{ id: 'a', worker: 'hang', timeoutMs: 5 }], { workers: { hang: work } });
    expect(tasks.get('a')).toMatchObject({ status: 'failed', error: expect.stringContaining('longer than 5 ms') });
    expect(LoopError.is(reason) && reason.code).toBe('timed-out');
  });

  it.each<[string, readonly unknown[]]>([
    [
      'tasks wait for each other: "b" after "c" after "d" after "b"',
      [
        { id: 'a', worker: 'work' },
        { id: 'b', worker: 'work', after: ['a', 'c'] },
        { id: 'c', worker: 'work', after: ['d'] },
        { id: 'd', worker: 'work', after: ['b'] },
      ],
    ],
    ['tasks wait for each other: "a" after "a"', [{ id: 'a', worker: 'work', after: ['a'] }]],
    [
      'task "b" comes after "buil", which is no task: do you mean "build"?',
      [
        { id: 'build', worker: 'work' },
        { id: 'b', worker: 'work', after: ['buil'] },
      ],
    ],
    ['worker of task "a" is "wrok", which is no worker: there are work', [{ id: 'a', worker: 'wrok' }]],
    [
      'two tasks have the id "a"',
      [
        { id: 'a', worker: 'work' },
        { id: 'a', worker: 'work' },
      ],
    ],
    ['priority of task "a" is "high": give a number', [{ id: 'a', worker: 'work', priority: 'high' }]],
    ['timeoutMs of task "a" is -1: give milliseconds above 0', [{ id: 'a', worker: 'work', timeoutMs: -1 }]],
    ['task 1 is null: give { id, worker, input, after }', [null]],
    ['the id of task 1 is 7: give a text', [{ id: 7, worker: 'work' }]],
    ['task "a" is a goal, and the run has no planner', [{ id: 'a', goal: 'find it' }]],
  ])('runs nothing if %s', async (message, tasks) => {
    let calls = 0;
    const workers = { work: () => calls++ };
    const run = orchestrate(loop, { tasks: tasks as readonly TaskSpec[], workers });
    await expect(run).rejects.toThrow(message);
    expect(calls).toBe(0);
  });

  it.each<[string, object]>([
    ['concurrency is 0: give a whole number from 1', { concurrency: 0 }],
    ['id is a/b: give 1 to 100 letters, digits, "-" or "_"', { id: 'a/b' }],
    ['worker work is a list: give a function or a pool', { workers: { work: [] } }],
    ['workers is undefined: give functions or pools by name', { workers: undefined }],
    ['there is no run new yet: give its tasks, or a plan', { id: 'new', tasks: undefined }],
  ])('rejects options: %s', async (message, options) => {
    const all = { tasks: [], workers: {}, ...options } as OrchestrateOptions;
    await expect(orchestrate(loop, all)).rejects.toThrow(message);
  });

  it('fails a task whose result is no JSON, or too long', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const values: Readonly<Record<string, unknown>> = { circular, function: () => 1, long: 'x'.repeat(1_000_001) };
    const { tasks } = await statuses(
      Object.keys(values).map((id) => ({ id, worker: 'value' })),
      { workers: { value: ({ id }) => values[id] } },
    );
    expect([...tasks.values()].map(({ error }) => error)).toEqual([
      expect.stringMatching(/^LoopError: the result of circular is not JSON: TypeError: .*circular/),
      'LoopError: the result of function is a function: return JSON',
      expect.stringContaining('store it in a file and return its path'),
    ]);
  });

  it('keeps secrets out of stored errors', async () => {
    const work = () => {
      throw new Error('401 for key sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
    };
    await statuses([{ id: 'a', worker: 'leak' }], { id: 'r', folder, workers: { leak: work } });
    const store = new RunFolder(folder);
    expect(JSON.stringify(await store.load('r'))).not.toContain('AAAAAAAA');
    await store.close();
  });
});

describe('a cancellation', () => {
  it('ends a running task, and skips what comes after it', async () => {
    let aborted: unknown;
    const run = orchestrate(loop, {
      tasks: [
        { id: 'a', worker: 'hang' },
        { id: 'b', worker: 'work', after: ['a'] },
        { id: 'c', worker: 'work' },
      ],
      workers: {
        hang: ({ signal }) => {
          void run.cancel({ task: 'a', by: 'ada', reason: 'not needed' });
          return new Promise(() => signal.addEventListener('abort', () => (aborted = signal.reason)));
        },
        work: () => 1,
      },
    });
    const { status, tasks } = await run;
    expect(status).toBe('cancelled');
    expect([...tasks.values()].map((task) => task.status)).toEqual(['cancelled', 'skipped', 'done']);
    expect(tasks.get('a')?.error).toBe('cancelled by ada: not needed');
    expect(String(aborted)).toContain('cancelled by ada');
    await expect(run.cancel()).rejects.toThrow('has ended: there is nothing to cancel');
  });

  it('of the whole run ends everything, and the run cannot be continued', async () => {
    const options: OrchestrateOptions = {
      id: 'r',
      folder,
      tasks: [
        { id: 'a', worker: 'work' },
        { id: 'b', worker: 'work', after: ['a'] },
      ],
      workers: { work: () => run.cancel({ by: 'ada', reason: 'too expensive' }) },
    };
    const run = orchestrate(loop, options);
    const result = await run;
    expect(result).toMatchObject({ status: 'cancelled', why: 'cancelled by ada: too expensive' });
    expect(await orchestrate(loop, options)).toMatchObject({ status: 'cancelled' });
  });

  it('can come from another process, through the folder', async () => {
    const store = new RunFolder(folder);
    await store.request('r', { id: 'q1', task: 'b', by: 'ada', reason: 'wrong input' });
    const tasks = [
      { id: 'a', worker: 'work' },
      { id: 'b', worker: 'work' },
    ];
    const stop = new AbortController();
    const work = () => stop.abort(new Error('enough'));
    const first = await orchestrate(loop, {
      ...{ id: 'r', folder, tasks, concurrency: 1, graceMs: 0, signal: stop.signal, workers: { work } },
    });
    expect(first).toMatchObject({ status: 'stopped' });
    const second = await statuses(tasks, { id: 'r', folder });
    expect(second.statuses).toEqual({ a: 'done', b: 'cancelled' });
    await store.close();
  });
});

describe('messages', () => {
  it('reach tasks that have begun, and those that begin later', async () => {
    const { tasks } = await orchestrate(loop, {
      tasks: [
        { id: 'ping', worker: 'ping' },
        { id: 'pong', worker: 'pong' },
        { id: 'late', worker: 'late', after: ['ping'] },
      ],
      workers: {
        ping: async ({ send, receive }) => {
          await send('pong', { ball: 1 });
          await send('late', 'hello');
          return (await receive('pong')).body;
        },
        pong: async ({ send, receive }) => {
          const { from, body } = await receive();
          await send(from, { back: body });
        },
        late: async ({ receive }) => receive(),
      },
    });
    expect(tasks.get('ping')?.result).toEqual({ back: { ball: 1 } });
    expect(tasks.get('late')?.result).toEqual({ from: 'ping', body: 'hello' });
  });

  it('to a task that is none or has ended are refused', async () => {
    const { tasks } = await statuses(
      [
        { id: 'a', worker: 'work' },
        { id: 'b', worker: 'send', input: 'a', after: ['a'] },
        { id: 'c', worker: 'send', input: 'x' },
      ],
      { workers: { send: ({ send, input }) => send(String(input), 1) } },
    );
    expect(tasks.get('b')?.error).toContain('b cannot send to "a": this task has ended');
    expect(tasks.get('c')?.error).toContain('c cannot send to "x": this task does not exist');
  });
});

describe('a budget', () => {
  it('covers all tasks of a run together, and stops it', async () => {
    let calls = 0;
    const receipts: string[] = [];
    const options: OrchestrateOptions = {
      ...{ id: 'r', folder, concurrency: 1, budget: { usd: 1 } },
      tasks: Array.from({ length: 8 }, (_, at) => ({ id: `t${at}`, worker: 'ask' })),
      workers: {
        ask: async ({ spend }) => {
          for (let tries = 0; tries < 3; tries++) await spend({ usd: 0.3 }, () => calls++).catch(keep);
          if (refusal) throw refusal;
        },
      },
      onStop: ({ why }) => receipts.push(why),
    };
    let refusal: unknown;
    const keep = (error: unknown) => {
      refusal = error;
    };
    const { status, why, spent } = await orchestrate(loop, options);
    expect({ status, calls, receipts }).toEqual({ status: 'stopped', calls: 3, receipts: ['budget'] });
    expect(why).toContain('0.9 of 1 US dollars are spent');
    expect(spent.usd).toBeCloseTo(0.9);
    // The next process knows what was spent.
    await orchestrate(loop, options);
    expect(calls).toBe(3);
  });

  it('gives the costs of a task to its outcome', async () => {
    await statuses([{ id: 'a', worker: 'ask' }], {
      workers: {
        ask: ({ spend }) =>
          spend(
            { usd: 0.5 },
            () => 'text',
            () => ({ usd: 0.2 }),
          ),
      },
    });
    expect((await recorded(loop)).find(({ task }) => task === 'ask')).toMatchObject({ costUsd: 0.2 });
  });
});

describe('a run that was stopped', () => {
  const tasks: readonly TaskSpec[] = [
    { id: 'a', worker: 'work' },
    { id: 'b', worker: 'work', after: ['a'] },
    { id: 'c', worker: 'work', after: ['b'] },
  ];

  it('is continued by the same call, and repeats no task with a receipt', async () => {
    const calls: string[] = [];
    const stop = new AbortController();
    const work = ({ id, results }: { id: string; results: object }) => {
      calls.push(id);
      if (id === 'b') stop.abort(new Error('Ctrl-C'));
      return { id, ...results };
    };
    const call = { id: 'r', folder, tasks, workers: { work } };
    const first = await orchestrate(loop, { ...call, signal: stop.signal });
    expect(first).toMatchObject({ status: 'stopped' });
    expect(first.why).toContain('Ctrl-C');
    const second = await orchestrate(loop, { ...call, tasks: undefined } as unknown as OrchestrateOptions);
    expect(second.status).toBe('done');
    expect(second.tasks.get('c')?.result).toEqual({ id: 'c', b: { id: 'b', a: { id: 'a' } } });
    expect(calls).toEqual(['a', 'b', 'c']);
    expect(await orchestrate(loop, call)).toMatchObject({ status: 'done' });
    expect(calls).toEqual(['a', 'b', 'c']);
    await expect(orchestrate(loop, { ...call, tasks: tasks.slice(1) })).rejects.toThrow('was begun with other tasks');
  });

  it('waits for workers that end within the grace time, and keeps their results', async () => {
    const stop = new AbortController();
    const work = async ({ signal }: { signal: AbortSignal }) => {
      setImmediate(() => stop.abort());
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await new Promise((resolve) => setImmediate(resolve));
      return 'in order';
    };
    const { tasks: all } = await orchestrate(loop, { tasks, workers: { work }, signal: stop.signal });
    expect(all.get('a')).toMatchObject({ status: 'done', result: 'in order' });
  });

  it('does not repeat a task that must not run twice, and says why', async () => {
    const once: TaskSpec[] = [
      { id: 'pay', worker: 'work', idempotent: false },
      { id: 'mail', worker: 'work' },
    ];
    const stop = new AbortController();
    const hang = () => {
      stop.abort();
      return new Promise(() => undefined);
    };
    const first = { id: 'r', folder, tasks: once, graceMs: 0, signal: stop.signal, workers: { work: hang } };
    expect(await orchestrate(loop, first)).toMatchObject({ status: 'stopped' });
    const without = orchestrate(loop, { id: 'r', folder, workers: { other: () => 1 } });
    await expect(without).rejects.toThrow('worker of task "pay" is "work", which is no worker: there are other');
    const { statuses: all, tasks: ended } = await statuses(once, { id: 'r', folder });
    expect(all).toEqual({ pay: 'failed', mail: 'done' });
    expect(ended.get('pay')?.error).toContain('it must not run twice (idempotent: false)');
  });

  it('is in one process at a time', async () => {
    const inside: unknown[] = [];
    const call = {
      ...{ id: 'r', folder, tasks: tasks.slice(0, 1) },
      workers: { work: async () => inside.push(await orchestrate(loop, call).catch(String)) },
    };
    await orchestrate(loop, call);
    expect(inside).toEqual([`LoopError: process ${process.pid} has run r: wait until it has ended, or cancel it`]);
  });

  it('rejects if its steps cannot be stored', async () => {
    const store = new RunFolder(folder);
    let steps = 0;
    store.add = async () => {
      if (++steps > 2) throw new LoopError('store-failed', 'the disk is full');
    };
    await expect(statuses([...tasks], { store })).rejects.toThrow('the disk is full');
    await store.close();
  });
});

it('reports each stored step to the host, in order', async () => {
  const seen: string[] = [];
  const onStep = (step: RunStep) => seen.push('task' in step ? `${step.kind} ${step.task}` : step.kind);
  await statuses(
    [
      { id: 'a', worker: 'work' },
      { id: 'b', worker: 'work', after: ['a'] },
    ],
    { onStep },
  );
  expect(seen).toEqual(['started', 'began a', 'done a', 'began b', 'done b', 'ended']);
});
