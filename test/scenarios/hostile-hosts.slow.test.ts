import { type Decision, type Gate, type LoopEvent, MemoryStore, type RSILoop } from 'rsi-loop';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testFolder } from '../node/folder.js';
import { jumpClocks } from './clock-jumps.js';
import { networkError, World } from './world.js';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

/** Problems that the loop says it handled. */
function problemsOf(loop: RSILoop): string[] {
  const problems: string[] = [];
  loop.on('problem', ({ where, message }) => problems.push(`${where}: ${message}`));
  return problems;
}

const flaky = (world: World) => () => (world.happens(0.2) ? networkError() : undefined);
const sure = () => Promise.resolve({ kind: 'approved', by: 'gate', atMs: 0 } as const);

/** Some tasks, and then a turn in which time passes: the patience with a gate is on the manual clock. */
async function turnWithGate({ loop, clock }: World, tasks: number): Promise<void> {
  for (let task = 0; task < tasks; task++) {
    const fails = task % 5 === 0;
    await loop.run('api_call', () => (fails ? Promise.reject(networkError()) : 'done')).catch(() => undefined);
    await clock.advance(60_000);
  }
  let isDone = false;
  const turn = loop.runCycle().finally(() => {
    isDone = true;
  });
  while (!isDone) await clock.advance(10);
  await turn;
}

/** Works until the fix is on trial. */
async function onTrial(world: World): Promise<void> {
  await world.work(50, flaky(world));
  expect(world.loop.fixes()).toMatchObject([{ status: 'trial' }]);
}

/** A world whose every fix waits for this gate. */
function gated(decide: Gate['decide']): World {
  return new World({ autoFix: false, gate: { decide } });
}

describe('a gate', () => {
  it.each([
    ['throws', () => Promise.reject(new Error('no network')), 'no network'],
    [
      'throws at once, what is no error',
      () => {
        throw null;
      },
      'null',
    ],
    ['answers nothing', () => Promise.resolve(undefined), 'it must answer { kind: "approved"'],
    ['answers with a word', () => Promise.resolve('yes'), 'it must answer'],
    ['does not say who it is', () => Promise.resolve({ kind: 'approved' }), 'it must answer'],
    ['gives no text as its reason', () => Promise.resolve({ kind: 'rejected', by: 'x', reason: 7 }), 'it must answer'],
  ])('that %s decides nothing, is named, and is asked again', async (_, decide, why) => {
    // Answers that the types forbid are what this is about.
    const world = gated(decide as unknown as Gate['decide']);
    const problems = problemsOf(world.loop);
    await world.work(100, flaky(world));
    const [fix] = world.loop.fixes();
    expect(fix).toMatchObject({ status: 'proposed' });
    expect(problems.length).toBeGreaterThan(1);
    expect(problems[0]).toContain(`gate: the gate failed on fix ${fix?.id}: ${why}`);
    await world.loop.close();
  });

  it('that never answers holds up nothing, is asked once, and is notified when no caller waits any more', async () => {
    const signals: AbortSignal[] = [];
    const world = gated((_, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    });
    const problems = problemsOf(world.loop);
    await turnWithGate(world, 50);
    await turnWithGate(world, 10);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await world.loop.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(problems).toEqual([]);
  });

  it.each(['approved', 'rejected'] as const)('whose answer (%s) comes too late changes nothing', async (kind) => {
    let answer = (_: Decision) => {};
    const world = gated(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const problems = problemsOf(world.loop);
    await turnWithGate(world, 50);
    const [fix] = world.loop.fixes();
    await world.loop.approve(fix?.id ?? '', { by: 'ada' });
    await turnWithGate(world, 0);
    expect(world.loop.fixes()[0]).toMatchObject({ status: 'trial' });
    answer({ kind, by: 'gate', atMs: 0, reason: 'at last' });
    await world.clock.advance(1_000);
    expect(world.loop.fixes()[0]).toMatchObject({ status: 'trial', decision: { by: 'ada' } });
    expect(problems).toEqual([
      `gate: the gate ${kind} fix ${fix?.id} too late: it had been decided on, nothing was done`,
    ]);
    await world.loop.rollback(fix?.id ?? '', { by: 'ada' });
    await world.loop.close();
  });

  it('whose answer crosses that of a person is told that it came too late', async () => {
    const world = gated(async (fix) => {
      await world.loop.reject(fix.id, { by: 'ada', reason: 'no' });
      return sure();
    });
    const problems = problemsOf(world.loop);
    await world.work(100, flaky(world));
    expect(world.loop.fixes()[0]).toMatchObject({ status: 'rejected', decision: { by: 'ada' } });
    expect(problems[0]).toContain('too late');
    await world.loop.close();
  });
});

describe('a person', () => {
  it('who approves twice does not keep a fix on trial without a verdict', async () => {
    const world = new World({ autoFix: false });
    await world.work(50, flaky(world));
    const id = world.loop.fixes()[0]?.id ?? '';
    await world.loop.approve(id, { by: 'ada' });
    await world.loop.runCycle();
    await expect(world.loop.approve(id, { by: 'ada' })).rejects.toThrow(
      `fix ${id} is already on trial: wait for its verdict`,
    );
    expect(world.loop.fixes()[0]).toMatchObject({ status: 'trial' });
    await world.loop.close();
  });
});

describe('an entry of the catalog', () => {
  it.each([
    ['throws', () => [].at(0)?.['nothing' as never] ?? JSON.parse('{')],
    ['answers nothing', () => undefined],
    ['is asynchronous', async () => [{ set: { 'retries.network': 1 }, reason: 'later' }]],
    ['asks for the impossible', () => [{ set: { 'retries.network': 99 }, reason: 'more is more' }]],
    ['names an unknown setting', () => [{ set: { courage: 1 }, reason: 'be brave' }]],
    ['gives no reason', () => [{ set: { 'backoff.baseMs': 333 } }]],
    ['gives a scope that is none', () => [{ set: { 'backoff.baseMs': 333 }, reason: 'x', scope: { model: 7 } }]],
  ])('that %s costs its proposal and nothing else, and is named', async (_, propose) => {
    const world = new World();
    world.loop.fixer.register({ name: 'mine', match: () => true, propose: propose as never });
    const problems = problemsOf(world.loop);
    await world.work(50, flaky(world));
    expect(problems[0]).toMatch(/^fix: catalog entry mine failed on pattern /);
    expect(world.loop.fixes()).toMatchObject([{ target: 'retries.network', status: 'trial' }]);
    await world.loop.close();
  });
});

describe('two fixes for one setting in one scope', () => {
  it('are tried one after the other, and the one that waits is named', async () => {
    const world = new World();
    world.loop.fixer.register({
      name: 'same setting',
      match: ({ issue }) => issue === 'network' || issue === 'server_error',
      propose: ({ issue }) => [
        { set: { 'backoff.baseMs': issue === 'network' ? 300 : 500 }, reason: 'spread out', safe: true },
      ],
    });
    const problems = problemsOf(world.loop);
    await world.work(100, () => {
      if (world.happens(0.2)) return networkError();
      return world.happens(0.2) ? Object.assign(new Error('Internal Server Error'), { status: 500 }) : undefined;
    });
    const fixes = world.loop.fixes().filter(({ target }) => target === 'backoff.baseMs');
    expect(fixes).toHaveLength(1);
    expect(problems).toEqual([
      expect.stringMatching(
        /^fix: backoff\.baseMs for server_error of api_call waits: fix-\w+ \((proposed|trial)\) sets the same in the same scope$/,
      ),
    ]);
    await world.loop.close();
  });
});

describe('a clock', () => {
  it('that jumps back an hour in the middle of a trial costs it nothing', async () => {
    const world = new World();
    await onTrial(world);
    world.clock.set(world.clock.now() - HOUR_MS);
    await world.work(800, flaky(world));
    const [fix] = world.loop.fixes();
    expect(fix).toMatchObject({ status: 'confirmed' });
    const figures = fix?.verdict && 'figures' in fix.verdict ? fix.verdict.figures : undefined;
    expect(figures?.fix.failures ?? 0).toBeLessThan(figures?.control.failures ?? 0);
    await world.loop.close();
  });

  it('that stands still in the middle of a trial costs it nothing once it goes on', async () => {
    const world = new World();
    await onTrial(world);
    const problems = problemsOf(world.loop);
    world.clock.isStuck = true;
    await world.work(200, flaky(world));
    world.clock.isStuck = false;
    await world.work(600, flaky(world));
    expect(world.loop.fixes()[0]).toMatchObject({ status: 'confirmed' });
    expect(problems).toEqual([]);
    await world.loop.close();
  });

  it('that jumps anywhere, between restarts as well, loses and doubles no task and confirms nothing', async () => {
    const { broken, tried } = await jumpClocks(testFolder, 3);
    expect(broken).toEqual([]);
    expect(tried).toBe(18);
  });

  it('that was wrong for a while and is set right leaves health alive', async () => {
    const world = new World();
    await world.work(100, () => undefined);
    world.clock.set(world.clock.now() + YEAR_MS);
    await world.work(50, () => networkError());
    expect(world.loop.healthScore()).toBeLessThan(0.1);
    world.clock.set(world.clock.now() - YEAR_MS);
    // A day of tasks that go well.
    await world.work(1_440, () => undefined, { cycleEvery: 500 });
    expect(world.loop.healthScore()).toBeGreaterThan(0.9);
    await world.loop.close();
  });
});

const METHODS = [
  'ledger.append',
  'ledger.head',
  'journal.read',
  'journal.append',
  'coordination.lease',
  'coordination.writers',
  'snapshots.save',
] as const;

type Method = (typeof METHODS)[number];

/** A store that fails at one of its methods until the test ends it. */
class FailingStore extends MemoryStore {
  failing: Method | undefined;
  /** Whether it throws instead of returning a promise that rejects. */
  throwsAtOnce = false;

  constructor() {
    super();
    for (const name of METHODS) {
      const [part = '', method = ''] = name.split('.');
      const owner = (this as unknown as Record<string, Record<string, (...input: unknown[]) => unknown>>)[part] ?? {};
      const own = owner[method]?.bind(owner) ?? (() => undefined);
      const broken = (...input: unknown[]) => {
        if (this.failing !== name) return own(...input);
        const error = new Error(`${name}: disk on fire`);
        if (this.throwsAtOnce || name === 'journal.append' || name === 'journal.read') throw error;
        return Promise.reject(error);
      };
      owner[method] = broken;
    }
  }
}

describe('a store', () => {
  it.each([
    ['ledger.append', false],
    ['ledger.append', true],
    ['ledger.head', false],
    ['journal.read', false],
    ['coordination.writers', false],
    ['coordination.writers', true],
  ] as const)(
    'whose %s fails (at once: %s) is named, and the trial goes on when it is mended',
    async (method, atOnce) => {
      const store = new FailingStore();
      const world = new World({ store });
      const problems = problemsOf(world.loop);
      await onTrial(world);
      const figures = () => world.loop.explain(world.loop.fixes()[0]?.id ?? '').figures;
      store.failing = method;
      store.throwsAtOnce = atOnce;
      const report = await world.work(20, flaky(world));
      expect(report.unfinished).toBe(`${method}: disk on fire`);
      expect(report.fixes).toMatchObject([{ status: 'trial' }]);
      expect(problems).toContain(
        `cycle: ${method}: disk on fire; this cycle was cut short, the next one continues from there`,
      );
      store.failing = undefined;
      const after = await world.loop.runCycle();
      expect(after.unfinished).toBeUndefined();
      const { fix, control } = figures()?.inScope ?? {};
      // Nothing of what happened meanwhile is lost for it.
      expect((fix?.tasks ?? 0) + (control?.tasks ?? 0)).toBe(20);
      await world.work(700, flaky(world));
      expect(world.loop.fixes()[0]).toMatchObject({ status: 'confirmed' });
      await world.loop.close();
    },
  );

  it('whose write throws loses records, says how many, and harms no task', async () => {
    const store = new FailingStore();
    const world = new World({ store });
    const problems = problemsOf(world.loop);
    await world.loop.ready();
    store.failing = 'journal.append';
    await world.work(150, () => undefined, { cycleEvery: 150 });
    expect(world.loop.health()).toMatchObject({ score: 1, known: true });
    expect(problems).toEqual([
      'store: journal.append: disk on fire; 1 outcomes were not written so far',
      'store: journal.append: disk on fire; 10 outcomes were not written so far',
      'store: journal.append: disk on fire; 100 outcomes were not written so far',
    ]);
    await world.loop.close();
  });

  it('whose write throws when a task of a trial begins gets no arm for it', async () => {
    const store = new FailingStore();
    const world = new World({ store });
    await onTrial(world);
    store.failing = 'journal.append';
    const problems = problemsOf(world.loop);
    const policies = new Set<number>();
    for (let task = 0; task < 40; task++) policies.add(world.loop.begin('api_call').policy['retries.network']);
    expect([...policies]).toEqual([0]);
    expect(problems[0]).toBe('begin.assign: no arm was drawn: threw Error: journal.append: disk on fire');
    store.failing = undefined;
    await world.loop.close();
  });

  it('that cannot be read at the start leaves a loop in memory, without trials', async () => {
    const store = new FailingStore();
    store.failing = 'ledger.head';
    const world = new World({ store });
    const problems = problemsOf(world.loop);
    await world.work(150, flaky(world));
    expect(problems[0]).toContain('ledger.head: disk on fire; the loop continues in memory, without trials');
    expect(world.loop.patterns()).toHaveLength(1);
    expect(world.loop.fixes({ status: 'trial' })).toEqual([]);
    await world.loop.close();
  });

  it('that cannot keep a freeze does not keep the kill switch from working', async () => {
    const store = new FailingStore();
    const world = new World({ store });
    await onTrial(world);
    store.failing = 'ledger.append';
    await expect(world.loop.freeze({ by: 'ada', reason: 'something is odd' })).rejects.toThrow('disk on fire');
    for (let task = 0; task < 40; task++) {
      expect(world.loop.begin('api_call').policy['retries.network']).toBe(0);
    }
    store.failing = undefined;
    await world.loop.runCycle();
    expect(world.loop.fixes({ status: 'trial' })).toEqual([]);
    await world.loop.close();
  });

  it('that fails while the loop closes does not keep it from closing', async () => {
    const store = new FailingStore();
    const closed = vi.spyOn(store, 'close');
    const world = new World({ store });
    await world.work(100, flaky(world));
    const problems = problemsOf(world.loop);
    store.failing = 'coordination.writers';
    await world.loop.close();
    expect(closed).toHaveBeenCalledTimes(1);
    expect(problems).toEqual(['store: coordination.writers: disk on fire']);
  });
});

describe('handlers', () => {
  it('that throw or reject disturb no other listener, and are named; those of `problem` get no report of themselves', async () => {
    const world = new World();
    const problems = problemsOf(world.loop);
    world.loop.on('problem', () => {
      throw new Error('not even this');
    });
    world.loop.on('fix-proposed', () => {
      throw new Error('mine');
    });
    world.loop.on('trial-started', async () => {
      throw new Error('later');
    });
    const heard: LoopEvent['kind'][] = [];
    world.loop.on('fix-proposed', ({ kind }) => heard.push(kind));
    await world.work(50, flaky(world));
    expect(world.loop.fixes({ status: 'trial' })).toHaveLength(1);
    expect(heard).toEqual(['fix-proposed']);
    expect(problems).toEqual([
      'on: a handler of fix-proposed failed: mine',
      'on: a handler of trial-started failed: later',
    ]);
    await world.loop.close();
  });
});

describe('turns', () => {
  const timers: World[] = [];
  afterEach(async () => {
    for (const world of timers.splice(0)) await world.loop.close();
  });

  /** A world that counts the cycles, and those that run concurrently. */
  function counted() {
    const seen = { now: 0, most: 0, count: 0 };
    const store = new MemoryStore();
    const own = store.coordination.writers.bind(store);
    store.coordination.writers = async () => {
      seen.most = Math.max(seen.most, ++seen.now);
      seen.count++;
      // As slow as a real one: a turn takes several rounds of the event loop.
      for (let round = 0; round < 5; round++) await new Promise((resolve) => setImmediate(resolve));
      seen.now--;
      return own();
    };
    const world = new World({ store });
    timers.push(world);
    return { world, seen, store };
  }

  it('never overlap, however they are asked for', async () => {
    const { world, seen } = counted();
    world.loop.start({ everyMs: 10 });
    const asked = Array.from({ length: 5 }, () => world.loop.runCycle());
    for (let tick = 0; tick < 60; tick++) await world.clock.advance(10);
    await Promise.all(asked);
    expect(seen.count).toBeGreaterThan(5);
    expect(seen.most).toBe(1);
  });

  it('come once per interval after start() twice, and not at all after stop(), also in the middle of one', async () => {
    const { world, seen } = counted();
    await world.loop.ready();
    await world.clock.advance(100); // the classifier is prepared
    world.loop.start({ everyMs: 1_000 });
    world.loop.start({ everyMs: 1_000 });
    expect(world.clock.pending).toBe(1);
    await world.clock.advance(1_000);
    expect(seen.count).toBe(1);
    world.loop.stop();
    for (let tick = 0; tick < 20; tick++) await world.clock.advance(1_000);
    expect(seen.count).toBe(2); // one cycle asks twice: for what can be read, and for processes that are silent
    expect(world.clock.pending).toBe(0);
  });

  it('that run while the loop closes are finished first; closing twice is closing once', async () => {
    const { world, seen, store } = counted();
    const closed = vi.spyOn(store, 'close');
    const report = world.loop.runCycle();
    const [first, second] = [world.loop.close(), world.loop.close()];
    let isClosed = false;
    void second.then(() => {
      isClosed = true;
    });
    expect((await report).unfinished).toBeUndefined();
    await first;
    await Promise.resolve();
    expect(isClosed).toBe(true);
    expect(closed).toHaveBeenCalledTimes(1);
    expect(seen.now).toBe(0);
    await expect(world.loop.runCycle()).rejects.toThrow('the loop is closed: make a new one');
  });
});
