import { LoopError, MemoryStore, mark, RSILoop, type Store } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { networkError, World } from '../scenarios/world.js';

/** A store that does not answer while `isAway` is set. */
function switchable(clock: ManualClock) {
  const inner = new MemoryStore({ clock });
  const state = { isAway: true, onRead: (_from?: number) => {} };
  let notify = () => {};
  const orFail = async <Value>(work: () => Promise<Value>) => {
    if (state.isAway) throw new LoopError('store-failed', 'no answer');
    return work();
  };
  const store: Store = {
    journal: inner.journal,
    ledger: {
      head: () => orFail(() => inner.ledger.head()),
      append: (entries, after) => orFail(() => inner.ledger.append(entries, after)),
      read: (from, upTo) => {
        state.onRead(from);
        return inner.ledger.read(from, upTo);
      },
      onAppended: (listener) => {
        notify = listener;
      },
    },
    snapshots: {
      load: (name) => orFail(() => inner.snapshots.load(name)),
      save: (name, value, after) => orFail(() => inner.snapshots.save(name, value, after)),
    },
    coordination: inner.coordination,
    get away() {
      return state.isAway ? 'no answer' : undefined;
    },
  };
  return { store, inner, state, notify: () => notify() };
}

describe('a loop whose store does not answer at the start', () => {
  it('continues in memory, and writes what it recorded once the store answers', async () => {
    const clock = new ManualClock();
    const { store, inner, state } = switchable(clock);
    const loop = new RSILoop({ store, clock });
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    await loop.ready();
    expect(loop.hasLostStore).toBe(true);
    expect(problems.join()).toContain('continues in memory, without trials');
    for (let count = 0; count < 3; count++) loop.observer.recordSimple('api_call', { success: false, error: 'boom' });
    expect([loop.durability, loop.health().durability]).toEqual(['memory', 'memory']);
    await expect(loop.flush()).rejects.toThrow('records are in memory only: repair it');
    expect((await loop.runCycle()).patterns.map(({ count }) => count)).toEqual([3]);
    expect(inner.journal.all()).toHaveLength(0);

    state.isAway = false;
    await loop.runCycle();
    expect(loop.hasLostStore).toBe(false);
    expect(inner.journal.all()).toHaveLength(3);
    expect(problems.at(-1)).toContain('the 3 records since the start are written to it');
    const { patterns } = await loop.runCycle();
    expect(patterns.map(({ count }) => count)).toEqual([3]);
    await expect(loop.flush()).resolves.toBeUndefined();
    await loop.close();
  });

  it('reports at its end how many records were lost, if the store never answered', async () => {
    const clock = new ManualClock();
    const { store } = switchable(clock);
    let isClosed = false;
    const close = async () => {
      isClosed = true;
    };
    const loop = new RSILoop({ store: { ...store, close }, clock });
    const [problems, dropped]: [string[], number[]] = [[], []];
    loop.on('problem', ({ message }) => problems.push(message));
    loop.on('outcomes-dropped', ({ count }) => dropped.push(count));
    await loop.ready();
    for (let count = 0; count < 3; count++) loop.observer.recordSimple('api_call', { success: true });
    await loop.close();
    expect(dropped).toEqual([3]);
    expect(problems.at(-1)).toBe('3 records were not kept: the store could not be read until the loop closed');
    expect(isClosed, 'the given store may hold records from before').toBe(true);
  });

  it('acknowledges no decision, freeze or marker, because they would end with the process', async () => {
    const clock = new ManualClock();
    const { store, inner, state } = switchable(clock);
    const loop = new RSILoop({ store, clock, autoFix: false });
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    await loop.ready();
    const lost = 'the store cannot be read, and a decision would be lost';
    await expect(loop.allowRepeat('api_call', { by: 'ada' })).rejects.toThrow(lost);
    await expect(loop.freeze({ by: 'ada' })).rejects.toThrow(lost);
    expect(loop.frozen()).toMatchObject({ by: 'ada' });
    expect(await mark(loop, 'deploy', '1.4.2')).toBeUndefined();
    expect(problems.at(-1)).toContain('1.4.2 was not kept');

    state.isAway = false;
    await loop.runCycle();
    await loop.allowRepeat('api_call', { by: 'ada' });
    expect(await mark(loop, 'deploy', '1.4.2')).toMatchObject({ label: '1.4.2' });
    const kept: string[] = [];
    for await (const { entry } of inner.ledger.read()) kept.push(entry.kind);
    expect(kept).toContain('marked');
    await loop.close();
  });

  it('tries again every 10 seconds, also if the host runs no cycle', async () => {
    const clock = new ManualClock();
    const { store, state } = switchable(clock);
    const loop = new RSILoop({ store, clock });
    loop.on('problem', () => {});
    await loop.ready();
    await clock.advance(10_000);
    expect(loop.hasLostStore).toBe(true);
    state.isAway = false;
    await clock.advance(10_000);
    await loop.runCycle();
    expect(loop.hasLostStore).toBe(false);
    await loop.close();
  });
});

describe('a store that notifies', () => {
  it('brings the decision of another process without a task or a cycle', async () => {
    const clock = new ManualClock();
    const { store, inner, state, notify } = switchable(clock);
    state.isAway = false;
    const loop = new RSILoop({ store, clock });
    await loop.ready();
    const entry = { kind: 'frozen', atMs: 1, by: 'other', reason: 'test' } as const;
    await inner.ledger.append([entry], await inner.ledger.head());
    const read = new Promise((resolve) => {
      state.onRead = resolve;
    });
    notify();
    expect(await read).toBe(0);
    await loop.close();
  });
});

describe('a store that goes away', () => {
  it('lets tasks start without arms until it answers again', async () => {
    const inner = new MemoryStore();
    const state = { isAway: false };
    const store: Store = {
      journal: inner.journal,
      ledger: inner.ledger,
      snapshots: inner.snapshots,
      coordination: inner.coordination,
      get away() {
        return state.isAway ? 'no answer' : undefined;
      },
    };
    const world = new World({ store });
    await world.work(300, () => (world.happens(0.3) ? networkError() : undefined));
    const starts = () => inner.journal.all().filter(({ kind }) => kind === 'start').length;
    const before = starts();
    expect(before).toBeGreaterThan(0);
    state.isAway = true;
    await world.work(5, () => undefined);
    expect(starts()).toBe(before);
    state.isAway = false;
    await world.work(5, () => undefined);
    expect(starts()).toBe(before + 5);
    await world.loop.close();
  });
});
