import { MemoryStore, type Outcome, RSILoop } from 'rsi-loop';
import { type LoopHandle, partsOf } from 'rsi-loop/kit';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';

const T0 = Date.UTC(2026, 0, 5);
const isJudged = (loop: LoopHandle) => 'analyzer' in partsOf(loop);
const settle = () => new Promise(setImmediate);

function record(loop: RSILoop, count: number, success: boolean): void {
  for (let index = 0; index < count; index++) {
    loop.observer.recordSimple('fetch', success ? { success } : { success, error: 'connect ECONNRESET' });
  }
}

/** Lets promises settle until the loop has read its decisions, and some more. */
async function settled(loop: RSILoop): Promise<void> {
  await partsOf(loop).decisionsRead();
  for (let count = 0; count < 20; count++) await settle();
}

/** Two processes on one store: one decides, and the other records and runs. */
async function twoProcesses() {
  const clock = new ManualClock(T0);
  const store = new MemoryStore({ clock });
  const leader = new RSILoop({ clock, store, idempotent: true });
  await leader.ready();
  record(leader, 60, false);
  await leader.runCycle();
  // Ids contain the time and the name of the writer, which both have in common here.
  await clock.advance(1_000);
  const follower = new RSILoop({ clock, store, idempotent: true });
  await settled(follower);
  return { clock, store, leader, follower };
}

describe('a process that only follows', () => {
  it('records, runs and takes over decisions without loading the judge', async () => {
    const { clock, leader, follower } = await twoProcesses();
    record(follower, 50, false);
    expect(await follower.run('fetch', async () => 'fine')).toBe('fine');
    const [fix] = leader.fixes({ kind: 'policy' });
    expect(follower.fixes({ kind: 'policy' }).map(({ id }) => id)).toContain(fix?.id);
    await leader.apply(fix?.id ?? '', { by: 'ada' });
    await clock.advance(2_000);
    await follower.run('fetch', async () => 'fine');
    await settled(follower);
    expect(follower.policy('fetch')).toEqual(leader.policy('fetch'));
    expect(follower.policy('fetch')).not.toEqual(new RSILoop({ clock }).policy('fetch'));
    expect(isJudged(follower)).toBe(false);
    await leader.freeze({ by: 'ada' });
    await clock.advance(2_000);
    await follower.run('fetch', async () => 'fine');
    await settled(follower);
    expect(follower.frozen()).toMatchObject({ by: 'ada' });
    await follower.close();
    expect(isJudged(follower)).toBe(false);
  });

  it('knows what it recorded before, once the judge is loaded, and counts nothing twice', async () => {
    const { leader, follower } = await twoProcesses();
    record(follower, 60, true);
    expect(follower.health()).toMatchObject({ known: false });
    const loading = follower.ready();
    record(follower, 10, true);
    await loading;
    expect(isJudged(follower)).toBe(true);
    expect(follower.healthScore()).toBeCloseTo(70 / 130, 2);
    await leader.runCycle();
    await follower.refresh();
    expect(follower.healthScore()).toBeCloseTo(70 / 130, 2);
    expect(follower.patterns()).toEqual(leader.patterns());
    await follower.close();
    await leader.close();
  });

  it('leads, and loads the judge for that, if 10,000 records wait and no other process leads', async () => {
    const loop = new RSILoop({ clock: new ManualClock(T0) });
    await settled(loop);
    record(loop, 9_999, true);
    await settled(loop);
    expect(isJudged(loop)).toBe(false);
    record(loop, 1, true);
    for (let count = 0; count < 1_000 && !isJudged(loop); count++) await settle();
    expect(isJudged(loop)).toBe(true);
    expect(loop.healthScore()).toBe(1);
    await loop.close();
  });

  it('sets deadlines by the slowest runs that it or an earlier leader saw', async () => {
    const clock = new ManualClock(T0);
    const store = new MemoryStore({ clock });
    const leader = new RSILoop({ clock, store });
    leader.observer.recordSimple('report', { success: true, durationMs: 7_200_000 });
    await clock.advance(60_000);
    await leader.runCycle();
    await leader.close();
    expect((await store.snapshots.load('run'))?.value).toMatchObject({ slowest: { report: 7_200_000 } });
  });
});

/** Calls that need the judge, and what each answers before `ready()`. */
const GETTERS: Readonly<Record<string, (loop: RSILoop) => unknown>> = {
  analyzer: (loop) => [loop.analyzer.patterns(T0), loop.analyzer.tasks(T0)],
  verifier: (loop) => [loop.verifier.figures('fix' as never), loop.verifier.course('fix' as never)],
  health: (loop) => [loop.health().known, loop.healthScore(), loop.healthHistory()],
  patterns: (loop) => loop.patterns(),
  fixes: (loop) => loop.fixes(),
  policy: (loop) => loop.policy('fetch')['retries.network'],
  policyTable: (loop) => loop.policyTable().length > 0,
  advice: (loop) => loop.advice('fetch'),
  rebuilding: (loop) => loop.rebuilding(),
  frozen: (loop) => [loop.frozen(), loop.paused()],
  store: (loop) => [loop.durability, loop.hasLostStore],
};
const BEFORE: Readonly<Record<string, unknown>> = {
  ...{ analyzer: [[], []], verifier: [undefined, []], health: [false, 1, []], patterns: [], fixes: [] },
  ...{
    policy: 0,
    policyTable: true,
    advice: [],
    rebuilding: undefined,
    frozen: [undefined, undefined],
    store: ['memory', false],
  },
};

/** Calls that take a while, each in a loop of its own. */
const CALLS: Readonly<Record<string, (loop: RSILoop) => Promise<unknown>>> = {
  ready: (loop) => loop.ready(),
  rebuilt: (loop) => loop.rebuilt(),
  runCycle: async (loop) => (await loop.runCycle()).unfinished,
  refresh: async (loop) => (await loop.refresh()).unfinished,
  run: (loop) => loop.run('fetch', async () => undefined),
  wrap: (loop) => loop.wrap('fetch', async () => undefined)(),
  begin: async (loop) => void loop.begin('fetch').end({ success: true }),
  approve: (loop) => loop.approve('fix-1', { by: 'ada' }),
  apply: (loop) => loop.apply('fix-1', { by: 'ada' }),
  reject: (loop) => loop.reject('fix-1', { by: 'ada', reason: 'no' }),
  rollback: (loop) => loop.rollback('fix-1'),
  reconsider: (loop) => loop.reconsider('fix-1', { by: 'ada' }),
  tryPrompt: (loop) => loop.tryPrompt('greeting', 'Hello', { by: 'ada' }),
  allowRepeat: (loop) => loop.allowRepeat('fetch', { by: 'ada' }),
  forbidRepeat: (loop) => loop.forbidRepeat('fetch', { by: 'ada' }),
  freeze: (loop) => loop.freeze(),
  unfreeze: (loop) => loop.unfreeze(),
  pause: (loop) => loop.pause(),
  resume: (loop) => loop.resume(),
  erase: async (loop) => (await loop.erase({ session: 'other' })).records,
  flush: (loop) => loop.flush(),
  close: (loop) => loop.close(),
};
const REJECTS = /no fix|no prompt is called/;

describe('every public call', () => {
  it('answers before, during and after the load of the judge', async () => {
    for (const [name, call] of Object.entries(CALLS)) {
      for (const turns of [0, 2, 8]) {
        const loop = new RSILoop({ clock: new ManualClock(T0) });
        record(loop, 3, false);
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        for (const [getter, read] of Object.entries(GETTERS)) {
          if (turns === 0) expect(read(loop), getter).toEqual(BEFORE[getter]);
          else read(loop);
        }
        expect(() => loop.explain('fix-1'), name).toThrow(/loop\.ready\(\)/);
        const end = await call(loop).catch((error: Error) => error);
        if (end instanceof Error) expect(end.message, name).toMatch(REJECTS);
        else expect(end, name).toEqual(name === 'erase' ? 0 : undefined);
        for (const read of Object.values(GETTERS)) read(loop);
        await loop.close();
        const outcomes: Outcome[] = [];
        for await (const { record: kept } of loop.store.journal.read()) {
          if (kept.kind === 'outcome') outcomes.push(kept.outcome);
        }
        expect(outcomes.length, name).toBe(3 + Number(['run', 'wrap', 'begin'].includes(name)));
      }
    }
  });

  it('is in the list above, unless it loads nothing', () => {
    const other = ['observer', 'fixer', 'sources', 'prompt', 'endSession', 'explain', 'on', 'start', 'stop'];
    const names = new Set([...Object.keys(GETTERS), ...Object.keys(CALLS), ...other]);
    for (const name of ['paused', 'durability', 'hasLostStore', 'healthScore', 'healthHistory', 'constructor'])
      names.add(name);
    const own = [...Object.getOwnPropertyNames(RSILoop.prototype), ...Object.keys(new RSILoop())];
    expect(own.filter((name) => !names.has(name))).toEqual([]);
  });
});
