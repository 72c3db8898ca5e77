import { type Json, MemoryStore } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { componentOptions } from '../../src/judge/components.js';
import { readyParts } from '../../src/judge/judged-parts.js';
import { restoreSnapshot, saveReplay, saveSnapshot, snapshotOf } from '../../src/judge/snapshot.js';
import { World } from '../scenarios/world.js';

/** A loop with one cycle behind it, and the state that it would save. */
async function setUp() {
  const store = new MemoryStore();
  const world = new World({ store });
  await world.work(3, () => undefined, { cycleEvery: 3 });
  const components = await readyParts(world.loop);
  const state = snapshotOf(components) as unknown as Record<string, Json>; // JSON
  return {
    store,
    components,
    state,
    load: () => store.snapshots.load('loop'),
    /** Saves this as if another process had. */
    put: async (value: Json) => store.snapshots.save('loop', value, (await store.snapshots.load('loop'))?.version ?? 0),
    close: () => world.loop.close(),
  };
}

describe('the state after a replay', () => {
  it('is saved with the number of its entries, unless one of as many entries is there', async () => {
    const { components, load, close } = await setUp();
    await saveReplay(components, 3);
    expect(await load()).toMatchObject({ version: 1, value: { entries: 3 } });
    await saveReplay(components, 2);
    await saveReplay(components, 3);
    expect(await load()).toMatchObject({ version: 1, value: { entries: 3 } });
    await saveReplay(components, 4);
    expect(await load()).toMatchObject({ version: 2, value: { entries: 4 } });
    await close();
  });

  it('replaces what another version saved', async () => {
    const { components, load, put, state, close } = await setUp();
    await put({ ...state, version: 1, entries: 99 });
    await saveReplay(components, 3);
    expect(await load()).toMatchObject({ value: { entries: 3, version: state.version } });
    await close();
  });
});

describe('saved state', () => {
  it('is restored as it was saved', async () => {
    const { components, close } = await setUp();
    const run = { seen: 1 };
    expect((await components.store.snapshots.load('run'))?.value).toBeUndefined();
    expect(await restoreSnapshot(components, componentOptions({}))).toBeUndefined();
    await saveSnapshot(components, run, new Map());
    expect((await components.store.snapshots.load('run'))?.value).toEqual(run);
    const restored = await restoreSnapshot(components, componentOptions({}));
    expect(restored?.entries).toBe(components.ledger.length);
    expect(components.ledger.length).toBeGreaterThan(0);
    const { library } = restored ?? {};
    const again = snapshotOf({ ...components, ...restored?.components, experience: { library } } as typeof components);
    expect(JSON.stringify(again)).toBe(JSON.stringify(snapshotOf(components)));
    await close();
  });

  it.for<[string, (state: Record<string, Json>) => Json]>([
    ['of a ledger that is longer than the present one', (state) => ({ ...state, entries: Number(state.entries) + 1 })],
    ['of another version', (state) => ({ ...state, version: Number(state.version) - 1 })],
    ['whose analysis is of another form', (state) => ({ ...state, analyzer: { version: 0 } })],
    ['whose trials cannot be read', (state) => ({ ...state, verifier: { trials: [7] } })],
    ['that is no object', () => 7],
    ['that is empty', () => null],
  ])('is passed over if it is one %s', async ([, change]) => {
    const { components, put, state, close } = await setUp();
    await put(change(state));
    expect(await restoreSnapshot(components, componentOptions({}))).toBeUndefined();
    await put(state);
    expect(await restoreSnapshot(components, componentOptions({}))).toMatchObject({
      entries: components.ledger.length,
    });
    await close();
  });

  it('of a process that saved first stays: its state is as good', async () => {
    const { components, load, put, store, close } = await setUp();
    const { load: loadNow } = store.snapshots;
    // Another process saves between our reading and our saving.
    store.snapshots.load = async (name) => {
      const before = await loadNow(name);
      if (name === 'loop') await store.snapshots.save('loop', 'of another process', before?.version ?? 0);
      return before;
    };
    const versions = new Map<string, number>();
    await saveSnapshot(components, {}, versions);
    store.snapshots.load = loadNow;
    expect(await load()).toEqual({ version: 1, value: 'of another process' });
    expect([...versions]).toEqual([['run', 1]]);
    await saveSnapshot(components, {}, versions);
    expect(await load()).toMatchObject({ version: 2, value: { entries: components.ledger.length } });
    await put('of another process again');
    await saveSnapshot(components, {}, versions);
    expect(await load()).toMatchObject({ version: 4, value: { entries: components.ledger.length } });
    expect([...versions]).toEqual([...Object.entries({ run: 3, loop: 4 })]);
    await close();
  });
});
