import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JournalRecord, MemoryStore, type MemoryStoreOptions, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readyParts } from '../../src/judge/judged-parts.js';
import { saveSnapshot } from '../../src/judge/snapshot.js';
import { networkError, World } from '../scenarios/world.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-loop-state-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function workOnTrial(): Promise<World> {
  const world = new World({ store: new FileStore(folder) });
  await world.loop.ready();
  // Few tasks of the trial, so that luck (ids differ from run to run) cannot decide it already.
  await world.work(66, () => (world.happens(0.2) ? networkError() : undefined));
  await world.loop.runCycle();
  return world;
}

describe('what a loop knows', () => {
  it('is the same after a start from saved state and after a start from the logs alone', async () => {
    const first = await workOnTrial();
    await first.loop.close();
    const startMs = first.clock.now();

    const saved = new World({ store: new FileStore(folder) }, { startMs });
    await saved.loop.ready();
    const [fix] = saved.loop.fixes();
    const fromState = [saved.loop.patterns(), saved.loop.fixes(), saved.loop.explain(fix?.id ?? '').figures];
    await saved.loop.close();

    rmSync(join(folder, 'state'), { recursive: true });
    const replayed = new World({ store: new FileStore(folder) }, { startMs });
    await replayed.loop.ready();
    const fromLogs = [replayed.loop.patterns(), replayed.loop.fixes(), replayed.loop.explain(fix?.id ?? '').figures];
    await replayed.loop.close();
    expect(JSON.stringify(fromState)).toBe(JSON.stringify(fromLogs));
    expect(fix).toMatchObject({ status: 'trial' });
  });
});

describe('saving what a loop knows', () => {
  it('reads what was saved before only to learn that another process saved since', async () => {
    let loads = 0;
    const memory = new MemoryStore();
    const snapshots: MemoryStore['snapshots'] = {
      ...memory.snapshots,
      load: (name) => {
        loads++;
        return memory.snapshots.load(name);
      },
    };
    const store = { ...memory, snapshots };
    const world = new World({ store });
    const components = await readyParts(world.loop);
    const versions = new Map<string, number>();
    await saveSnapshot(components, {}, versions);
    loads = 0;
    await saveSnapshot(components, {}, versions);
    expect(loads).toBe(0);
    await store.snapshots.save('loop', 'of another process', 2);
    await saveSnapshot(components, {}, versions);
    expect(loads).toBe(1);
    expect(await store.snapshots.load('loop')).toMatchObject({ version: 4, value: { entries: 0 } });
    await world.loop.close();
  });
});

describe('saved state of another version', () => {
  it('is passed over: everything is read from the logs', async () => {
    const first = await workOnTrial();
    const fixes = first.loop.fixes();
    const saved = await first.loop.store.snapshots.load('loop');
    await first.loop.close();
    expect(saved).toBeUndefined();

    const store = new FileStore(folder);
    const state = await store.snapshots.load('loop');
    await store.snapshots.save(
      'loop',
      { ...(state?.value as object), analyzer: { version: 1 }, verifier: 7 },
      state?.version ?? 0,
    );
    await store.close();
    const second = new World({ store: new FileStore(folder) }, { startMs: first.clock.now() });
    const problems: string[] = [];
    second.loop.on('problem', ({ message }) => problems.push(message));
    await second.loop.ready();
    expect(second.loop.fixes()).toEqual(fixes);
    expect(problems).toEqual([]);
    await second.loop.close();
  });
});

/** A store that says it cannot keep up, until the test lets it. */
class SlowStore extends MemoryStore {
  isSlow = true;
  readonly taken: JournalRecord[] = [];

  constructor(options: MemoryStoreOptions) {
    super(options);
    Object.defineProperty(this.journal, 'queued', { get: () => (this.isSlow ? 1_000_000 : 0) });
    const append = this.journal.append.bind(this.journal);
    this.journal.append = (records) => {
      this.taken.push(...records);
      append(records);
    };
  }
}

describe('a store that cannot keep up', () => {
  it('is not flooded: outcomes wait, are sampled out with their weight, and come when it can again', async () => {
    const store = new SlowStore({ maxRecords: 400_000 });
    const loop = new RSILoop({ store });
    let dropped = 0;
    loop.on('outcomes-dropped', ({ count }) => {
      dropped += count;
    });
    const recorded = 150_000;
    for (let call = 0; call < recorded; call++) {
      loop.observer.recordSimple('call', {
        success: call % 10 !== 0,
        ...(call % 10 === 0 && { error: 'socket hang up' }),
      });
    }
    expect(store.taken).toEqual([]);
    store.isSlow = false;
    await loop.flush();
    const outcomes = store.taken.flatMap((record) => (record.kind === 'outcome' ? [record.outcome] : []));
    expect(outcomes.length + dropped).toBe(recorded);
    expect(outcomes.length).toBeLessThan(recorded);
    expect(outcomes.filter(({ success }) => !success)).toHaveLength(recorded / 10);
    const weighed = outcomes.reduce((sum, { weight = 1 }) => sum + weight, 0);
    expect(Math.abs(weighed - recorded) / recorded).toBeLessThan(0.02);
    await loop.close();
  });
});
