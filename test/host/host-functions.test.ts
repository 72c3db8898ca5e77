import { type Clock, type Outcome, RSILoop, SystemClock } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, describe, expect, it } from 'vitest';

/** Every way a function that a host hands in can misbehave. */
const MISBEHAVIOURS = {
  throws: () => {
    throw new Error('host bug');
  },
  rejects: () => Promise.reject(new Error('host bug')),
  'returns a promise': () => Promise.resolve(true),
  'never resolves': () => new Promise<never>(() => {}),
  'returns nonsense': () => Symbol('nonsense'),
} as const;

type Misbehaviour = keyof typeof MISBEHAVIOURS;
const ALL = Object.keys(MISBEHAVIOURS) as Misbehaviour[]; // the keys of the table above

const loops: RSILoop[] = [];
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => unhandled.push(reason);

function createLoop(options: ConstructorParameters<typeof RSILoop>[0] = {}) {
  const loop = new RSILoop(options);
  const problems: string[] = [];
  const outcomes: Outcome[] = [];
  loop.on('problem', ({ where, message }) => problems.push(`${where}: ${message}`));
  loops.push(loop);
  process.on('unhandledRejection', onUnhandled);
  return { loop, problems, outcomes };
}

/** Lets promises and zero-delay timers finish, so that a rejection nobody handles is seen. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve));
}

afterEach(async () => {
  await settle();
  for (const loop of loops.splice(0)) await loop.close();
  await settle();
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled.splice(0)).toEqual([]);
});

/** Runs to the end of a task whose checks may wait for the clock. */
async function runToEnd<Value>(clock: ManualClock, task: Promise<Value>): Promise<Value> {
  let isDone = false;
  const end = task.finally(() => {
    isDone = true;
  });
  end.catch(() => {});
  for (let step = 0; step < 100 && !isDone; step++) {
    await settle();
    if (!isDone) await clock.advance(1_000);
  }
  expect(isDone).toBe(true);
  return end;
}

describe.each(ALL)('a host function that %s', (kind) => {
  const misbehave = MISBEHAVIOURS[kind] as () => never; // stands in for functions of every type

  it.each(['accept', 'isEmpty', 'measure', 'onEnd'] as const)('as %s leaves the task its own value', async (name) => {
    const clock = new ManualClock();
    const { loop, problems } = createLoop({ clock });
    const value = await runToEnd(
      clock,
      loop.run('job', () => ({ fine: true }), { [name]: misbehave }),
    );
    expect(value).toEqual({ fine: true });
    await loop.runCycle();
    const { score, known } = loop.health();
    // A check that truly answers is heard: `isEmpty` resolving to true finds an empty answer. A broken one is not.
    const isFailure = kind === 'returns a promise' && name === 'isEmpty';
    expect({ score, known }).toEqual({ score: isFailure ? 0 : 1, known: true });
    const isFine =
      (kind === 'returns a promise' && name !== 'measure') ||
      (name === 'onEnd' && kind !== 'throws' && kind !== 'rejects');
    if (isFine) expect(problems).toEqual([]);
    else expect(problems.join('\n')).toContain(`run.${name}: `);
  });

  it('as an event handler disturbs nobody', async () => {
    const { loop } = createLoop();
    loop.on('problem', misbehave);
    loop.on('pattern-found', misbehave);
    for (let index = 0; index < 10; index++) loop.observer.recordSimple('job', { success: false, error: 'E42 broke' });
    loop.observer.record({ nothing: 'readable' });
    const report = await loop.runCycle();
    expect(report.unfinished).toBeUndefined();
    expect(report.patterns).toHaveLength(1);
  });

  it.each(['now', 'monotonic', 'after'] as const)('as clock.%s never fails a task or a cycle', async (name) => {
    const clock: Clock = new SystemClock();
    Object.defineProperty(clock, name, { value: misbehave });
    const { loop, problems } = createLoop({ clock });
    await expect(loop.run('job', () => 'value', { timeoutMs: 60_000 })).resolves.toBe('value');
    loop.observer.recordSimple('job', { success: true });
    const report = await loop.runCycle();
    expect(report.unfinished).toBeUndefined();
    expect(report.health.score).toBe(1);
    expect(problems.join('\n')).toContain(`clock.${name}`);
  });

  it('as random keeps arms and waits working', async () => {
    const { loop, problems } = createLoop({
      random: misbehave,
      policy: { 'retries.network': 1, 'backoff.baseMs': 10 },
    });
    let calls = 0;
    const value = await loop.run(
      'job',
      () => {
        if (calls++ === 0) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
        return 'value';
      },
      { models: ['a', 'b'], idempotent: true },
    );
    expect(value).toBe('value');
    expect(problems.join('\n')).toContain('random');
  });

  it('as a part of a catalog entry costs its proposal and nothing else', async () => {
    const { loop } = createLoop();
    loop.fixer.register({ name: 'mine', match: misbehave, propose: misbehave });
    for (let index = 0; index < 20; index++) loop.observer.recordSimple('job', { success: false, error: 'E42 broke' });
    const report = await loop.runCycle();
    expect(report.unfinished).toBeUndefined();
    expect(report.patterns).toHaveLength(1);
  });
});

describe('checks that take time', () => {
  it('are awaited: an async accept that says yes is a success, one that says no is a failure', async () => {
    const { loop } = createLoop();
    for (let index = 0; index < 10; index++) {
      await loop.run('yes', async () => ({ ok: true }), { accept: async (answer) => answer.ok });
      await loop.run('no', async () => ({ ok: false }), { accept: async (answer) => answer.ok || 'not ok' });
    }
    await loop.runCycle();
    const { byTask } = loop.health();
    expect([byTask.yes?.score, byTask.no?.score]).toEqual([1, 0]);
    expect(loop.patterns().map(({ task, issue }) => [task, issue])).toEqual([['no', 'wrong_output']]);
  });

  it('give a reason in words, which are not taken for an error: a bad answer stays a bad answer', async () => {
    const { loop } = createLoop();
    for (let index = 0; index < 5; index++) {
      await loop.run('job', () => 'x', { accept: () => 'the rate limit and the timeout of 401 are not mentioned' });
    }
    await loop.runCycle();
    expect(loop.patterns().map(({ issue, count }) => [issue, count])).toEqual([['wrong_output', 5]]);
  });

  it('may read tokens from a promise', async () => {
    const { loop } = createLoop();
    const ended: number[] = [];
    loop.observer.record({ task: 'other', success: true });
    await loop.run('job', () => 'answer', {
      measure: async () => ({ tokens: { input: 3, output: 4 } }),
      onEnd: () => ended.push(1),
    });
    expect(ended).toEqual([1]);
  });
});
