import { RSILoop } from 'rsi-loop';
import { orchestrate, type RunStep, type TaskSpec } from 'rsi-loop/orchestrate';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryRunStore } from '../../../integrations/orchestrate/memory-run-store.js';
import { seededRandom } from '../../../src/lib/random.js';
import { Life, MortalStore, NEVER } from './mortal-store.js';
import { recorded } from './recorded.js';

const OUTAGE_MS = 5 * 60_000;

let clock: ManualClock;
let loop: RSILoop;
let store: MemoryRunStore;
beforeEach(() => {
  clock = new ManualClock(Date.UTC(2026, 0, 5));
  loop = new RSILoop({ clock });
  store = new MemoryRunStore();
});
afterEach(() => loop.close());

/** Passes time until the run has ended. */
async function settled<Result>(run: Promise<Result>, stepMs = 1_000): Promise<Result> {
  let isOver = false;
  const over = run.finally(() => {
    isOver = true;
  });
  for (let turns = 0; !isOver && turns < 5_000; turns++) await clock.advance(stepMs);
  return over;
}

/** Worker of a service that answers 503 for the first five minutes. */
function failingUntil(endMs: number) {
  return () => {
    if (clock.now() < endMs) throw Object.assign(new Error('Service Unavailable'), { status: 503 });
    return 'done';
  };
}

async function stepsOf(run: string): Promise<readonly RunStep[]> {
  return store.load(run);
}

describe('a task with retries', () => {
  it('outlasts an outage, however many others fail with it', async () => {
    const tasks: TaskSpec[] = Array.from({ length: 40 }, (_, index) => ({
      id: `call-${index}`,
      worker: 'call',
      retries: { limit: 10 },
    }));
    const { status } = await settled(
      orchestrate(loop, { tasks, workers: { call: failingUntil(clock.now() + OUTAGE_MS) }, store, concurrency: 8 }),
    );
    expect(status).toBe('done');
  });

  it('waits longer each time, and each attempt is a task of the loop', async () => {
    const startMs = clock.now();
    const tasks: TaskSpec[] = [{ id: 'a', worker: 'call', retries: { limit: 4, backoffMs: 10_000 } }];
    const workers = { call: failingUntil(startMs + 60_000) };
    const result = await settled(orchestrate(loop, { id: 'r', tasks, workers, store }));
    expect(result.tasks.get('a')).toMatchObject({ status: 'done', attempts: 4, retried: 3, error: undefined });
    const waits = (await stepsOf('r')).flatMap((step) =>
      step.kind === 'retrying' ? [step.notBeforeMs - step.atMs] : [],
    );
    expect(waits).toEqual([10_000, 20_000, 40_000]);
    const calls = (await recorded(loop)).filter(({ task }) => task === 'call');
    expect(calls.map(({ success }) => success)).toEqual([false, false, false, true]);
  });

  it('gives up at its limit, and at once for what no repeat can mend', async () => {
    const workers = {
      busy: failingUntil(Number.POSITIVE_INFINITY),
      broken: () => {
        throw Object.assign(new Error('invalid API key'), { status: 401 });
      },
    };
    const tasks: TaskSpec[] = [
      { id: 'busy', worker: 'busy', retries: { limit: 2 } },
      { id: 'broken', worker: 'broken', retries: { limit: 2 } },
      { id: 'named', worker: 'broken', retries: { limit: 2, on: ['auth'] } },
    ];
    const { tasks: ended } = await settled(orchestrate(loop, { tasks, workers, store }));
    expect([...ended.values()].map(({ status, attempts }) => [status, attempts])).toEqual([
      ['failed', 3],
      ['failed', 1],
      ['failed', 3],
    ]);
  });

  it('goes on waiting in the next process, not from the beginning', async () => {
    const startMs = clock.now();
    const tasks: TaskSpec[] = [{ id: 'a', worker: 'call', retries: { limit: 3, backoffMs: 60_000 } }];
    const begins: number[] = [];
    const call = () => {
      begins.push(clock.now() - startMs);
      return failingUntil(startMs + 60_000)();
    };
    const stop = new AbortController();
    const first = orchestrate(loop, {
      ...{ id: 'r', tasks, workers: { call }, store, signal: stop.signal },
      onStep: ({ kind }) => kind === 'retrying' && stop.abort(new Error('killed')),
    });
    expect((await settled(first)).status).toBe('stopped');
    await clock.advance(startMs + 30_000 - clock.now());
    expect((await settled(orchestrate(loop, { id: 'r', tasks, workers: { call }, store }))).status).toBe('done');
    expect(begins[0]).toBe(0);
    expect(begins).toHaveLength(2);
    expect(begins[1]).toBeGreaterThanOrEqual(60_000);
    expect(begins[1]).toBeLessThan(75_000);
  });

  it('ends its wait when a person cancels it', async () => {
    const tasks: TaskSpec[] = [{ id: 'a', worker: 'call', retries: { limit: 3, backoffMs: 3_600_000 } }];
    const run = orchestrate(loop, {
      ...{ id: 'r', tasks, workers: { call: failingUntil(Number.POSITIVE_INFINITY) }, store },
      onStep: ({ kind }) => {
        if (kind === 'retrying') void run.cancel({ by: 'ada', reason: 'no longer needed' });
      },
    });
    const beganMs = clock.now();
    expect((await settled(run)).status).toBe('cancelled');
    expect(clock.now() - beganMs).toBeLessThan(60_000);
  });

  it('begins after its delay, once the tasks before it have ended', async () => {
    const startMs = clock.now();
    const begins: Record<string, number> = {};
    const tasks: TaskSpec[] = [
      { id: 'a', worker: 'note' },
      { id: 'b', worker: 'note', after: ['a'], delayMs: 90_000 },
    ];
    const note = ({ id }: { id: string }) => {
      begins[id] = clock.now() - startMs;
      return null;
    };
    await settled(orchestrate(loop, { tasks, workers: { note }, store }));
    expect(begins.a).toBe(0);
    expect(begins.b).toBeGreaterThanOrEqual(90_000);
  });

  it.each([
    [{ limit: 0 }, 'retries of task "a" is an object: give { limit: 1 to 100'],
    [
      { limit: 2, on: ['serverError'] },
      'give { limit: 1 to 100, backoffMs: milliseconds from 0, on: classes of errors }',
    ],
  ])('%j says what is wrong', async (retries, message) => {
    const tasks = [{ id: 'a', worker: 'call', retries }] as TaskSpec[];
    await expect(orchestrate(loop, { tasks, workers: { call: () => 1 }, store })).rejects.toThrow(message);
  });

  it('cannot have them and be forbidden to run twice', async () => {
    const tasks: TaskSpec[] = [{ id: 'a', worker: 'call', idempotent: false, retries: { limit: 2 } }];
    await expect(orchestrate(loop, { tasks, workers: { call: () => 1 }, store })).rejects.toThrow(
      'task "a" has retries and must not run twice (idempotent: false): leave one out',
    );
  });
});

describe('a graph of 200 tasks at night', () => {
  it('ends complete although its server is away for five minutes and its process is killed again and again', async () => {
    const random = seededRandom(7);
    const tasks = Array.from({ length: 200 }, (_, at): TaskSpec => {
      const before = Array.from({ length: Math.min(at, 2) }, () => `t${Math.floor(random() * at)}`);
      return { id: `t${at}`, worker: 'call', after: before, retries: { limit: 12 } };
    });
    const startMs = clock.now();
    const done: string[] = [];
    let kills = 0;
    for (let isOver = false; !isOver; ) {
      const life = new Life(kills < 25 ? 10 + Math.floor(random() * 40) : Number.POSITIVE_INFINITY);
      const call = async ({ id }: { readonly id: string }) => {
        await new Promise<void>((resolve) => clock.after(2_000, resolve));
        if (life.isDead) return NEVER;
        const sinceMs = clock.now() - startMs;
        if (sinceMs > 20_000 && sinceMs < 20_000 + OUTAGE_MS)
          throw Object.assign(new Error('Service Unavailable'), { status: 503 });
        done.push(id);
        return null;
      };
      const run = orchestrate(loop, {
        ...{ id: 'night', tasks, workers: { call }, concurrency: 8 },
        store: new MortalStore(store, life),
      });
      void run.then(({ status }) => {
        isOver = status !== 'stopped';
      });
      while (!isOver && !life.isDead) await clock.advance(500);
      if (life.isDead) kills++;
    }
    const receipts = (await stepsOf('night')).flatMap((step) => (step.kind === 'done' ? [step.task] : []));
    expect(new Set(receipts).size).toBe(200);
    expect(receipts).toHaveLength(200);
    expect(kills).toBe(25);
    // A kill between an effect and its receipt repeats the effect, and nothing else does.
    expect(done.length).toBeLessThanOrEqual(200 + 8 * kills);
    expect(clock.now() - startMs).toBeLessThan(3 * OUTAGE_MS);
  });
});

describe('a run that failed', () => {
  it('runs what failed and what was skipped because of it once more, and keeps what is done', async () => {
    const calls: string[] = [];
    let isMended = false;
    const work = ({ id }: { id: string }) => {
      calls.push(id);
      if (id === 'build' && !isMended) throw new TypeError('x is not a function');
      return id;
    };
    const tasks: TaskSpec[] = [
      { id: 'fetch', worker: 'work' },
      { id: 'build', worker: 'work', after: ['fetch'] },
      { id: 'test', worker: 'work', after: ['build'] },
      { id: 'publish', worker: 'work', after: ['test', 'fetch'] },
    ];
    const options = { id: 'nightly', tasks, workers: { work }, store };
    expect((await settled(orchestrate(loop, options))).status).toBe('failed');
    isMended = true;
    expect((await settled(orchestrate(loop, options))).status).toBe('failed');
    const again = await settled(orchestrate(loop, { ...options, retry: true }));
    expect([...again.tasks.values()].map(({ status }) => status)).toEqual(['done', 'done', 'done', 'done']);
    expect(calls).toEqual(['fetch', 'build', 'build', 'test', 'publish']);
    expect((await settled(orchestrate(loop, { ...options, retry: true }))).status).toBe('done');
    expect(calls).toHaveLength(5);
  });
});
