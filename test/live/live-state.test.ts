import { type LedgerEntry, LoopError, MemoryStore, type MemoryStoreOptions } from 'rsi-loop';
import type { LedgerLog } from 'rsi-loop/testing';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import type { ChangeKind } from '../../src/contract/change-kind.js';
import type { Fix } from '../../src/contract/fix.js';
import type { Gate } from '../../src/contract/gate.js';
import type { LoopEvent } from '../../src/contract/loop-event.js';
import { Judge } from '../../src/judge/judge.js';
import { createFixedComponents, type FixedComponents } from '../../src/live/fixed-components.js';
import { Live } from '../../src/live/live.js';
import { LiveState } from '../../src/live/live-state.js';
import type { RSILoopOptions } from '../../src/live/options.js';
import { proposedFix } from '../ledger/fixtures.js';

const T0 = Date.UTC(2026, 0, 5);
const outcome = (id: string, success = false) => ({
  ...{ kind: 'outcome' as const },
  outcome: { id, atMs: T0, task: 'api_call', source: 'generic', success, issues: success ? [] : ['network'] } as never,
});
const FROZEN: LedgerEntry = { kind: 'frozen', atMs: T0, by: 'ada', reason: 'incident' };
const APPLIED: LedgerEntry = {
  ...{ kind: 'fix-proposed', atMs: T0, by: 'auto' },
  fix: { ...proposedFix('a'), status: 'proposed' },
};

/** A store whose ledger can be made unreadable, or be replaced by another. */
class FaultyStore extends MemoryStore {
  fault: Error | undefined;
  log: LedgerLog;
  constructor(options: MemoryStoreOptions) {
    super(options);
    this.log = this.ledger;
    const log: LedgerLog = {
      head: async () => {
        if (this.fault) throw this.fault;
        return this.log.head();
      },
      append: (entries, after) => this.log.append(entries, after),
      read: (from, upTo) => this.log.read(from, upTo),
    };
    Object.defineProperty(this, 'ledger', { value: log });
  }
}

/** The live state of one loop on a store that others write to as well. */
function world(store = new FaultyStore({ clock: new ManualClock(T0) }), options: RSILoopOptions = {}) {
  const clock = new ManualClock(T0);
  const events: LoopEvent[] = [];
  const all = { store, clock, random: () => 0.5, ...options };
  const front: FixedComponents = createFixedComponents(all);
  const kinds = ['problem', 'fix-proposed', 'fix-approved', 'pattern-found'] as const;
  for (const kind of kinds) front.events.on(kind, (event) => events.push({ ...event, kind } as LoopEvent));
  const restored: unknown[] = [];
  const executor = {
    saveState: () => ({ saved: 1 }),
    restoreState: (run: unknown) => restored.push(run),
    recheck: () => {},
  };
  const state = new LiveState(front, all);
  const live = new Live({ state, executor: executor as never, loadJudge: async () => judge });
  const judge: Judge = new Judge(live, all);
  const { analysis } = judge;
  return {
    ...{ store, clock, events, front, restored, state, analysis, judge },
    load: () => state.load(analysis),
    reload: () => state.reload(),
    save: () => judge.save(),
    /** Appends entries as another process does. */
    byOther: async (...entries: readonly LedgerEntry[]) => store.ledger.append(entries, await store.ledger.head()),
    problems: () => events.flatMap((event) => (event.kind === 'problem' ? [event.message] : [])),
    /** Reads the records of the journal as a cycle does. */
    cycle: async () => {
      const { ledger } = state.components;
      const { writer } = store.journal;
      const read = { [writer]: store.journal.all().length };
      await ledger.append(() => [{ kind: 'cycle', atMs: T0, by: writer, read, watermarkMs: T0 }]);
    },
    count: () => judge.components.analyzer.patterns(T0)[0]?.count,
  };
}

describe('live state', () => {
  it('is loaded once the decisions and the records behind them have been read', async () => {
    const { state, store, byOther, count, load, analysis } = world();
    store.journal.append([outcome('1'), outcome('2'), outcome('3')]);
    await byOther({ kind: 'cycle', atMs: T0, by: 'w', read: { [store.journal.writer]: 3 }, watermarkMs: T0 }, FROZEN);
    expect([state.isLoaded, count()]).toEqual([false, undefined]);
    await load();
    expect([state.isLoaded, state.isInMemory, analysis.progress, count()]).toEqual([true, false, undefined, 3]);
    expect(state.components.ledger.state.frozen).toMatchObject({ by: 'ada' });
  });

  it('announces decisions made after the start, and not those before it', async () => {
    const { state, events, byOther, load } = world();
    await byOther(APPLIED);
    await load();
    expect(events).toEqual([]);
    await byOther({ ...FROZEN, kind: 'frozen' }, { ...APPLIED, fix: proposedFix('b') });
    await state.components.ledger.follow();
    expect(events).toMatchObject([{ kind: 'fix-proposed', fix: { id: 'b' } }]);
  });

  it('shows each decision to the next task, but keeps the look-up of tasks over cycles that decide nothing', async () => {
    const { state, cycle, byOther, load } = world();
    await load();
    const { active } = state.tasks;
    expect(state.tasks.active).toBe(active);
    await cycle();
    expect(state.tasks.active).toBe(active);
    await byOther(APPLIED);
    await state.components.ledger.follow();
    expect(state.tasks.active).not.toBe(active);
    expect(state.tasks.active.fixes.get(proposedFix('a').id)).toMatchObject({ id: proposedFix('a').id });
  });

  it('restores a snapshot and reads only what came after it', async () => {
    const first = world();
    first.store.journal.append([outcome('1'), outcome('2'), outcome('3')]);
    await first.load();
    await first.cycle();
    await first.save();
    const reads: unknown[] = [];
    const { read } = first.store.journal;
    const second = world(first.store);
    first.store.journal.read = (...range) => {
      reads.push(range);
      return read.apply(first.store.journal, range);
    };
    await second.load();
    expect(second.count()).toBe(3);
    expect(reads).toEqual([]);
    expect(second.restored).toEqual([{ saved: 1 }]);
  });
});

describe('a store that cannot be read at the start', () => {
  it('leaves a loop in memory without trials, which says so', async () => {
    const { state, store, problems, load, reload } = world();
    store.fault = new Error('disk gone');
    await load();
    expect([state.isLoaded, state.isInMemory]).toEqual([true, true]);
    expect(state.components.noTrials).toBe('the store cannot be read');
    expect(state.components.store).not.toBe(store);
    expect(problems()).toEqual([
      'disk gone; the loop continues in memory, without trials, and tries again every 10 seconds: repair the store',
    ]);
    // Decisions can be made and seen in memory.
    await state.components.ledger.append(() => [FROZEN]);
    expect(state.components.ledger.state.frozen).toMatchObject({ by: FROZEN.by, reason: FROZEN.reason });
    await reload();
    expect(state.isInMemory).toBe(true);
  });

  it('gets what was recorded meanwhile once it can be read, and nothing twice', async () => {
    const { state, store, problems, load, reload } = world();
    store.fault = new Error('disk gone');
    await load();
    state.components.store.journal.append([outcome('1'), outcome('2')]);
    store.fault = undefined;
    await reload();
    expect([state.isInMemory, state.isLoaded, state.components.store]).toEqual([false, true, store]);
    expect(store.journal.all()).toEqual([outcome('1'), outcome('2')]);
    expect(problems().at(-1)).toBe('the store can be read again: the 2 records since the start are written to it');
    const { components } = state;
    await reload();
    expect(state.components).toBe(components);
    expect(store.journal.all()).toHaveLength(2);
  });
});

describe('a reload', () => {
  it('does nothing while the content can be trusted', async () => {
    const { state, load, reload } = world();
    await load();
    const { components } = state;
    await reload();
    expect(state.components).toBe(components);
  });

  it('forgets erased records, which the next reload reads without them', async () => {
    const { state, store, count, cycle, byOther, load, reload, save } = world();
    store.journal.append([outcome('1'), outcome('2'), outcome('3')]);
    await load();
    await cycle();
    expect([count(), state.mustForget]).toEqual([3, false]);
    store.journal.remove((record) => record.kind === 'outcome' && record.outcome.id === '1');
    await byOther({ kind: 'erased', atMs: T0, by: 'ada', fields: ['task'], records: 1, changed: [] });
    await state.components.ledger.follow();
    expect(state.mustForget).toBe(true);
    // State that may still contain erased text is not saved.
    await save();
    expect(await store.snapshots.load('loop')).toBeUndefined();
    await reload();
    expect([state.mustForget, count()]).toEqual([false, 2]);
    await save();
    expect(await store.snapshots.load('loop')).toMatchObject({ version: 1 });
  });

  it('does not restore a snapshot from before an erasure', async () => {
    const { store, count, cycle, byOther, load, save } = world();
    store.journal.append([outcome('1'), outcome('2'), outcome('3')]);
    await load();
    await cycle();
    await save();
    store.journal.remove((record) => record.kind === 'outcome' && record.outcome.id === '1');
    await byOther({ kind: 'erased', atMs: T0, by: 'ada', fields: ['task'], records: 1, changed: [] });
    const second = world(store);
    await second.load();
    expect([second.count(), second.state.mustForget]).toEqual([2, false]);
    expect(count()).toBe(3);
  });

  it('reads a ledger that was replaced, and announces recurring patterns again', async () => {
    const { state, store, events, count, load, reload, judge } = world();
    await load();
    await state.components.ledger.append(() => [FROZEN]);
    judge.reports.patterns([{ id: 'p', recurring: true } as never]);
    store.log = new MemoryStore().ledger;
    await expect(state.components.ledger.follow()).rejects.toMatchObject({ code: 'store-replaced' });
    await reload();
    expect(state.components.ledger.state.frozen).toBeUndefined();
    expect(count()).toBeUndefined();
    judge.reports.patterns([{ id: 'p', recurring: true } as never]);
    expect(events.filter(({ kind }) => kind === 'pattern-found')).toHaveLength(2);
  });

  it('that fails lets tasks see no trials, saves nothing, and is repeated by the next cycle', async () => {
    const { state, store, byOther, load, reload, save } = world();
    await load();
    await byOther({ ...APPLIED, fix: { ...proposedFix('a'), status: 'applied-unverified' } });
    await state.components.ledger.follow();
    const { ledger } = state.components;
    await byOther({ kind: 'erased', atMs: T0, by: 'ada', fields: ['task'], records: 1, changed: [] });
    await ledger.follow();
    store.fault = new Error('disk gone');
    await expect(reload()).rejects.toThrow('disk gone');
    expect([state.isLoaded, state.isInMemory, state.components.ledger]).toEqual([false, false, ledger]);
    expect(state.tasks.active.fixes.get(proposedFix('a').id)).toBeUndefined();
    store.fault = undefined;
    await save();
    expect(await store.snapshots.load('loop')).toBeUndefined();
    await reload();
    expect(state.isLoaded).toBe(true);
    expect(state.tasks.active.fixes.get(proposedFix('a').id)).toMatchObject({ id: proposedFix('a').id });
    await save();
    expect(await store.snapshots.load('loop')).toMatchObject({ version: 1 });
  });

  it('withdraws the questions that the loop asked', async () => {
    const signals: AbortSignal[] = [];
    const gate: Gate = {
      decide: (_fix, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    };
    const { state, clock, byOther, load, reload, judge } = world(undefined, { gate });
    await load();
    const asked = judge.components.questions.ask([proposedFix('a')]);
    await clock.advance(50);
    await asked;
    await byOther({ kind: 'erased', atMs: T0, by: 'ada', fields: ['task'], records: 1, changed: [] });
    await state.components.ledger.follow();
    await reload();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('trials of this process', () => {
  it('can be held while there is a reason, which the next task sees', async () => {
    const trial = { fixId: 'a', unit: 'task', scope: { task: 'api_call' }, phase: 'running', share: 0.5, seed: 1 };
    const fix = { ...proposedFix('a'), status: 'trial', trial } as unknown as Fix; // the parts that tasks read
    const { state, byOther, load } = world();
    await load();
    await byOther({ ...APPLIED, fix });
    await state.components.ledger.follow();
    expect(state.tasks.active.trials).toHaveLength(1);
    state.holdTrials('incident (ada)');
    expect([state.components.noTrials, state.tasks.active.trials]).toEqual(['incident (ada)', []]);
    state.holdTrials(undefined);
    expect(state.components).not.toHaveProperty('noTrials');
    expect(state.tasks.active.trials).toHaveLength(1);
  });
});

describe('closing', () => {
  it('ends what kinds of change prepare, and saves no replay any more', async () => {
    let closed = 0;
    const kind = {
      ...{ kind: 'my.kind', propose: () => [], effect: () => ({}), content: () => ({}) },
      describe: () => ({ title: '', undo: '', inForce: '', rolledBack: '' }),
      close: () => closed++,
    } as unknown as ChangeKind; // what it returns is not read
    const { state, load } = world(undefined, { kinds: [kind] });
    await load();
    state.close();
    expect(closed).toBe(1);
  });

  it('ends a background replay: the records that are left are unknown', async () => {
    const { state, store, byOther, load, analysis } = world();
    store.journal.append(Array.from({ length: 25_000 }, (_, index) => outcome(`o${index}`)));
    const { writer } = store.journal;
    for (let read = 5_000; read <= 25_000; read += 5_000) {
      await byOther({ kind: 'cycle', atMs: T0, by: 'w', read: { [writer]: read }, watermarkMs: T0 });
    }
    await load();
    expect(analysis.progress).toMatchObject({ of: 25_000 });
    state.close();
    await analysis.caughtUp();
    await analysis.savedReplay();
    expect(analysis.progress?.records).toBeLessThan(25_000);
    expect(await store.snapshots.load('loop')).toBeUndefined();
  });

  it('is not needed for a replay to end: its state is saved for the next start', async () => {
    const { store, byOther, load, analysis } = world();
    store.journal.append(Array.from({ length: 25_000 }, (_, index) => outcome(`o${index}`)));
    const { writer } = store.journal;
    for (let read = 5_000; read <= 25_000; read += 5_000) {
      await byOther({ kind: 'cycle', atMs: T0, by: 'w', read: { [writer]: read }, watermarkMs: T0 });
    }
    await load();
    await analysis.caughtUp();
    await analysis.savedReplay();
    expect(analysis.progress).toBeUndefined();
    expect(await store.snapshots.load('loop')).toMatchObject({ value: { entries: 5 } });
  });
});

describe('a problem', () => {
  it('is reported with the advice, if there is any', () => {
    const { state, problems } = world();
    state.report('store', new Error('disk full'), 'free some space');
    state.report('store', new Error('disk full'));
    expect(problems()).toEqual(['disk full; free some space', 'disk full']);
  });

  it('of a dropped step is reported once, among the newest thousand', () => {
    const { state, problems } = world();
    const entry = {} as LedgerEntry; // not read here
    const drop = (message: string) => state.dropped({ entry, why: new LoopError('illegal-step', message) });
    drop('first');
    drop('first');
    expect(problems()).toEqual(['first; this step was dropped, the others go on']);
    for (let index = 1; index < 1_000; index++) drop(`step ${index}`);
    drop('first');
    expect(problems()).toHaveLength(1_000);
    drop('one more');
    drop('first');
    expect(
      problems()
        .slice(-2)
        .map((message) => message.split(';')[0]),
    ).toEqual(['one more', 'first']);
  });
});
