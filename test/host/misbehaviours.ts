import assert from 'node:assert/strict';
import { type Clock, RSILoop, type RSILoopOptions, SystemClock } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';

/** Every way a function that a host hands in can misbehave. */
export const MISBEHAVIOURS = {
  throws: () => {
    throw new Error('host bug');
  },
  rejects: () => Promise.reject(new Error('host bug')),
  'returns a promise': () => Promise.resolve(true),
  'never resolves': () => new Promise<never>(() => {}),
  'returns nonsense': () => Symbol('nonsense'),
} as const;

export type Misbehaviour = keyof typeof MISBEHAVIOURS;
export const MISBEHAVES: readonly Misbehaviour[] = Object.keys(MISBEHAVIOURS) as Misbehaviour[]; // the keys of the table above

/** One function of a host that misbehaves in one way; `check` throws what it broke. */
export interface MisbehavingHost {
  readonly name: string;
  readonly check: (kind: Misbehaviour) => Promise<void>;
}

/** Every function that a host hands in. */
export const MISBEHAVING_HOSTS: readonly MisbehavingHost[] = [
  ...(['accept', 'isEmpty', 'measure', 'onEnd'] as const).map((name) => ({
    name: `as ${name} leaves the task its own value`,
    check: (kind: Misbehaviour) => checkOfRun(name, kind),
  })),
  { name: 'as an event handler disturbs no cycle', check: asHandler },
  ...(['now', 'monotonic', 'after'] as const).map((name) => ({
    name: `as clock.${name} never fails a task or a cycle`,
    check: (kind: Misbehaviour) => asClock(name, kind),
  })),
  { name: 'as random keeps arms and waits working', check: asRandom },
  { name: 'as a part of a catalog entry costs its proposal and nothing else', check: asCatalogEntry },
];

async function checkOfRun(name: 'accept' | 'isEmpty' | 'measure' | 'onEnd', kind: Misbehaviour): Promise<void> {
  const clock = new ManualClock();
  await withLoop({ clock }, async (loop, problems) => {
    await loop.run('first', () => undefined); // loads what runs tasks, in real time
    const task = loop.run('job', () => ({ fine: true }), { [name]: MISBEHAVIOURS[kind] });
    assert.deepEqual(await runToEnd(clock, task), { fine: true });
    await loop.runCycle();
    const found = loop.health().byTask.job;
    // A check that truly answers is heard: `isEmpty` resolving to true finds an empty answer. A broken one is not.
    const isFailure = kind === 'returns a promise' && name === 'isEmpty';
    assert.equal(found?.score, isFailure ? 0 : 1);
    const isFine =
      (kind === 'returns a promise' && name !== 'measure') ||
      (name === 'onEnd' && kind !== 'throws' && kind !== 'rejects');
    if (isFine) assert.deepEqual(problems, []);
    else assert.match(problems.join('\n'), new RegExp(`run\\.${name}: `));
  });
}

function asHandler(kind: Misbehaviour): Promise<void> {
  return withLoop({}, async (loop) => {
    loop.on('problem', misbehaving(kind));
    loop.on('pattern-found', misbehaving(kind));
    for (let index = 0; index < 10; index++) loop.observer.recordSimple('job', { success: false, error: 'E42 broke' });
    loop.observer.record({ nothing: 'readable' });
    const report = await loop.runCycle();
    assert.equal(report.unfinished, undefined);
    assert.equal(report.patterns.length, 1);
  });
}

function asClock(name: 'now' | 'monotonic' | 'after', kind: Misbehaviour): Promise<void> {
  const clock: Clock = new SystemClock();
  Object.defineProperty(clock, name, { value: MISBEHAVIOURS[kind] });
  return withLoop({ clock }, async (loop, problems) => {
    assert.equal(await loop.run('job', () => 'value', { timeoutMs: 60_000 }), 'value');
    loop.observer.recordSimple('job', { success: true });
    const report = await loop.runCycle();
    assert.equal(report.unfinished, undefined);
    assert.equal(report.health.score, 1);
    assert.match(problems.join('\n'), new RegExp(`clock\\.${name}`));
  });
}

function asRandom(kind: Misbehaviour): Promise<void> {
  const options = { random: misbehaving(kind), policy: { 'retries.network': 1, 'backoff.baseMs': 10 } };
  return withLoop(options, async (loop, problems) => {
    let calls = 0;
    const work = () => {
      if (calls++ === 0) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
      return 'value';
    };
    assert.equal(await loop.run('job', work, { models: ['a', 'b'], idempotent: true }), 'value');
    assert.match(problems.join('\n'), /random/);
  });
}

function asCatalogEntry(kind: Misbehaviour): Promise<void> {
  return withLoop({}, async (loop) => {
    loop.fixer.register({ name: 'mine', match: misbehaving(kind), propose: misbehaving(kind) });
    for (let index = 0; index < 20; index++) loop.observer.recordSimple('job', { success: false, error: 'E42 broke' });
    const report = await loop.runCycle();
    assert.equal(report.unfinished, undefined);
    assert.equal(report.patterns.length, 1);
  });
}

function misbehaving(kind: Misbehaviour): () => never {
  return MISBEHAVIOURS[kind] as () => never; // replaces functions of every type
}

/** Hands a loop and its problems to a check, which also fails on a rejection that nothing handles. */
async function withLoop(
  options: RSILoopOptions,
  check: (loop: RSILoop, problems: readonly string[]) => Promise<void>,
): Promise<void> {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  const loop = new RSILoop(options);
  const problems: string[] = [];
  loop.on('problem', ({ where, message }) => void problems.push(`${where}: ${message}`));
  try {
    await check(loop, problems);
    await settle();
  } finally {
    await loop.close();
    await settle();
    process.off('unhandledRejection', onUnhandled);
  }
  assert.deepEqual(unhandled, []);
}

/** Lets promises and zero-delay timers finish, so that an unhandled rejection is seen. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve));
}

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
  assert.equal(isDone, true);
  return end;
}
