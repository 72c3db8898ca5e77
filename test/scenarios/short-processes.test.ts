import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../node/folder.js';

const MINUTE_MS = 60_000;

/** The loop of a new process over the folder. */
const newLoop = (folder: string, clock: ManualClock) => new RSILoop({ clock, store: new FileStore(folder, { clock }) });

/** Fails with a class of errors that passes when the call is made again, if `isFailing` says so. */
function call(loop: RSILoop, isFailing: (attempt: number) => boolean): Promise<number> {
  let attempt = 0;
  return loop.run(
    'fetch_page',
    async () => {
      if (isFailing(attempt++)) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
      return attempt;
    },
    { idempotent: true },
  );
}

async function cyclesIn(folder: string, clock: ManualClock): Promise<number> {
  const store = new FileStore(folder, { clock });
  let cycles = 0;
  for await (const { entry } of store.ledger.read()) if (entry.kind === 'cycle') cycles++;
  await store.close();
  return cycles;
}

describe('an agent with a process for each task', () => {
  it('runs a cycle when a process closes, but only if none ran for an interval', async () => {
    const folder = testFolder();
    const clock = new ManualClock(1_750_000_000_000);
    const runProcess = async (isStarted: boolean) => {
      const loop = newLoop(folder, clock);
      if (isStarted) loop.start();
      await call(loop, () => true).catch(() => undefined);
      await loop.close();
    };
    await runProcess(false);
    expect(await cyclesIn(folder, clock)).toBe(0);
    for (let process = 0; process < 3; process++) await runProcess(true);
    expect(await cyclesIn(folder, clock)).toBe(1);
    await clock.advance(MINUTE_MS);
    for (let process = 0; process < 3; process++) await runProcess(true);
    expect(await cyclesIn(folder, clock)).toBe(2);
  });

  it('runs none when its host stopped the cycles, and none over records that end with the process', async () => {
    const folder = testFolder();
    const clock = new ManualClock(1_750_000_000_000);
    const stopped = newLoop(folder, clock);
    stopped.start();
    stopped.stop();
    await call(stopped, () => true).catch(() => undefined);
    await stopped.close();
    expect(await cyclesIn(folder, clock)).toBe(0);
    const inMemory = new RSILoop({ clock });
    const found: unknown[] = [];
    inMemory.on('pattern-found', (event) => found.push(event));
    inMemory.start();
    for (let task = 0; task < 30; task++) await call(inMemory, () => true).catch(() => undefined);
    await inMemory.close();
    expect(found).toEqual([]);
  });

  it('asks no person while a process closes, as the answer would be lost', async () => {
    const folder = testFolder();
    const clock = new ManualClock(1_750_000_000_000);
    const asked: string[] = [];
    const open = () =>
      new RSILoop({
        ...{ clock, store: new FileStore(folder, { clock }), autoFix: false },
        gate: {
          decide: async ({ id }) => {
            asked.push(id);
            return { kind: 'waiting', sinceMs: clock.now() };
          },
        },
      });
    const closing = open();
    closing.start();
    for (let task = 0; task < 40; task++) await call(closing, () => task % 3 === 0).catch(() => undefined);
    await closing.close();
    expect(asked).toEqual([]);
    const later = open();
    await later.ready();
    expect(later.fixes({ status: 'proposed' }).length).toBeGreaterThan(0);
    await later.runCycle();
    expect(asked.length).toBeGreaterThan(0);
    await later.close();
  });

  it('runs its first task under the settings in force', async () => {
    const folder = testFolder();
    const clock = new ManualClock(1_750_000_000_000);
    const before = newLoop(folder, clock);
    for (let task = 0; task < 40; task++) await call(before, () => task % 3 === 0).catch(() => undefined);
    await before.runCycle();
    const [fix] = before.fixes();
    if (!fix) throw new Error('no fix was proposed');
    await before.apply(fix.id, { by: 'ada', reason: 'no time for a trial' });
    await before.close();

    const loop = newLoop(folder, clock);
    const attempts = call(loop, (attempt) => attempt === 0);
    await loop.ready();
    await clock.advance(MINUTE_MS);
    expect(await attempts).toBe(2);
    await loop.close();
  });

  it('runs its first task after a second if the store does not answer, and later ones immediately', async () => {
    const clock = new ManualClock(1_750_000_000_000);
    const store = new FileStore(testFolder(), { clock });
    store.ledger.head = () => new Promise(() => {});
    const loop = new RSILoop({ clock, store });
    const ended: string[] = [];
    const run = (task: string) => loop.run(task, async () => void ended.push(task));
    const both = Promise.all([run('first'), run('second')]);
    await clock.advance(999);
    expect(ended).toEqual([]);
    await clock.advance(1);
    await both;
    expect(ended).toEqual(['first', 'second']);
    void run('third');
    expect(ended).toEqual(['first', 'second', 'third']);
    const closed = loop.close();
    await clock.advance(MINUTE_MS);
    await closed;
  });
});
