import {
  type LedgerEntry,
  localize,
  MemoryStore,
  type MemoryStoreOptions,
  type Outcome,
  type OutcomeId,
  RSILoop,
  type RSILoopOptions,
} from 'rsi-loop';
import { MemoryWorkspace } from 'rsi-loop/kit';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { judgedParts } from '../../src/judge/judged-parts.js';

const T0 = Date.UTC(2026, 0, 5);
const FROZEN: LedgerEntry = { kind: 'frozen', atMs: T0, by: 'ada', reason: 'incident' };

/** A store that counts what is asked of it. */
class CountingStore extends MemoryStore {
  heads = 0;
  saves: string[] = [];
  leases = 0;
  constructor(options: MemoryStoreOptions) {
    super(options);
    const { ledger, snapshots, coordination } = this;
    const head = ledger.head.bind(ledger);
    ledger.head = () => {
      this.heads++;
      return head();
    };
    const { save } = snapshots;
    Object.assign(snapshots, {
      save: (...args: Parameters<typeof save>) => {
        this.saves.push(args[0]);
        return save(...args);
      },
    });
    const { lease } = coordination;
    coordination.lease = (name) => {
      this.leases++;
      return lease(name);
    };
  }

  /** Writes an entry as another process does. */
  async byOther(entry: LedgerEntry): Promise<void> {
    await this.ledger.append([entry], await this.ledger.head());
  }
}

function world(options: RSILoopOptions & { store?: CountingStore } = {}) {
  const clock = new ManualClock(T0);
  const store = options.store ?? new CountingStore({ clock });
  const loop = new RSILoop({ clock, random: () => 0.5, ...options, store });
  const problems: string[] = [];
  loop.on('problem', ({ where, message }) => problems.push(`${where}: ${message}`));
  const fail = (count: number, task = 'api_call') => {
    for (let index = 0; index < count; index++) {
      loop.observer.recordSimple(task, { success: false, error: 'connect ECONNRESET' });
    }
  };
  return { clock, store, loop, problems, fail };
}

/** Lets promises settle, and then this much time pass, until the work has ended. */
async function within<Value>(clock: ManualClock, work: Promise<Value>, everyMs = 1_000): Promise<Value> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  for (let count = 0; count < 2_000 && !isDone; count++) await clock.advance(everyMs);
  return work;
}

/** A store with a history that is too long to be replayed before the loop is ready. */
async function withLongHistory() {
  const clock = new ManualClock(T0);
  const store = new CountingStore({ clock });
  const before = new RSILoop({ clock, store });
  for (let index = 0; index < 25_000; index++) before.observer.recordSimple('api_call', { success: true });
  await before.runCycle();
  const { journal, ledger, coordination } = store;
  const { snapshots } = new MemoryStore({ clock });
  const copy = { journal, ledger, coordination, snapshots };
  return { clock, store: copy };
}

describe('a cycle', () => {
  it('waits for the one before, so that no two decide at the same time', async () => {
    const { loop, store } = world();
    await loop.ready();
    const order: string[] = [];
    const { writers } = store.coordination;
    store.coordination.writers = async () => {
      order.push('begins');
      await new Promise(setImmediate);
      order.push('reads');
      return writers();
    };
    await Promise.all([loop.runCycle(), loop.runCycle()]);
    const perCycle = order.length / 2;
    expect(order.slice(0, perCycle)).toEqual(order.slice(perCycle));
    expect(order.join()).not.toContain('begins,begins');
    await loop.close();
  });

  it('that fails does not stop later ones, and says why', async () => {
    const { loop, store, problems } = world();
    await loop.ready();
    const { writers } = store.coordination;
    store.coordination.writers = () => Promise.reject(new Error('disk gone'));
    expect(await loop.runCycle()).toMatchObject({ unfinished: 'disk gone' });
    expect(problems.join()).toContain('cycle: disk gone; this cycle was cut short');
    store.coordination.writers = writers;
    expect(await loop.runCycle()).not.toHaveProperty('unfinished');
    await loop.close();
  });

  it('that only reads and fails is reported as it is: it decides nothing that could be cut short', async () => {
    const { loop, store, problems } = world();
    await loop.ready();
    store.ledger.head = () => Promise.reject(new Error('disk gone'));
    expect(await loop.refresh()).toMatchObject({ unfinished: 'disk gone', verdicts: [] });
    expect(problems).toEqual(['cycle: disk gone']);
    await loop.close();
  });

  it('saves a snapshot after 100,000 records, so that a restart reads at most these again', async () => {
    const { loop, store } = world();
    await loop.ready();
    await loop.runCycle();
    expect(store.saves).toEqual([]);
    for (let index = 0; index < 100_000; index++) loop.observer.recordSimple('api_call', { success: true });
    await loop.runCycle();
    expect(store.saves).toEqual(['loop', 'run']);
    await loop.runCycle();
    expect(store.saves).toHaveLength(2);
    await loop.close();
  });

  it('of a process that does not lead decides nothing and writes nothing', async () => {
    const { loop, store, fail } = world();
    await loop.ready();
    const lease = await store.coordination.lease('cycle');
    fail(40);
    const { length } = await store.ledger.head();
    expect(await loop.runCycle()).toMatchObject({ patterns: [], fixes: [], verdicts: [] });
    await lease?.release();
    expect((await store.ledger.head()).length).toBe(length);
    expect((await loop.runCycle()).patterns).toHaveLength(1);
    await loop.close();
  });

  it('reports processes that run without a heartbeat; one that only reads does not look', async () => {
    const { loop, store, problems, clock } = world();
    await loop.ready();
    const silent = { writer: 'w2', alive: true, watermarkMs: T0 - 90_000 };
    store.coordination.writers = async () => [silent, { writer: 'memory', alive: true, watermarkMs: clock.now() }];
    await loop.refresh();
    expect(problems).toEqual([]);
    await loop.runCycle();
    expect(problems.join()).toContain('process w2 runs but shows no sign of life');
    await loop.close();
  });

  it('that only reads takes no lead', async () => {
    const { loop, store } = world();
    await loop.refresh();
    expect(store.leases).toBe(0);
    await loop.runCycle();
    expect(store.leases).toBe(1);
    await loop.close();
  });
});

describe('records between cycles', () => {
  it('are applied once 10,000 of them wait, so that the next cycle is short', async () => {
    const { loop, store } = world();
    await loop.ready();
    for (let index = 0; index < 9_999; index++) loop.observer.recordSimple('api_call', { success: true });
    await new Promise(setImmediate);
    expect((await store.ledger.head()).length).toBe(0);
    loop.observer.recordSimple('api_call', { success: true });
    await expect.poll(async () => (await store.ledger.head()).length).toBe(1);
    await expect.poll(() => judgedParts(loop).analyzer.tasks(T0)[0]?.outcomes).toBe(10_000);
    await loop.close();
  });

  it('are left to the process that leads', async () => {
    const { loop, store } = world();
    await loop.ready();
    await store.coordination.lease('cycle');
    for (let index = 0; index < 10_000; index++) loop.observer.recordSimple('api_call', { success: true });
    await loop.runCycle();
    expect((await store.ledger.head()).length).toBe(0);
    await loop.close();
  });
});

describe('decisions of other processes', () => {
  it('are read when tasks start, at most once a second', async () => {
    const { loop, store, clock } = world();
    await loop.ready();
    store.heads = 0;
    for (let index = 0; index < 5; index++) loop.begin('api_call').end({ success: true });
    await new Promise(setImmediate);
    expect(store.heads).toBe(1);
    await store.byOther(FROZEN);
    await clock.advance(999);
    loop.begin('api_call').end({ success: true });
    await new Promise(setImmediate);
    expect(loop.frozen()).toBeUndefined();
    await clock.advance(1);
    loop.begin('api_call').end({ success: true });
    await expect.poll(() => loop.frozen()).toMatchObject({ by: 'ada' });
    await loop.close();
  });

  it('are read too if the clock was set back', async () => {
    const { loop, store, clock } = world();
    await loop.ready();
    loop.begin('api_call').end({ success: true });
    await new Promise(setImmediate);
    await store.byOther(FROZEN);
    clock.set(T0 - 3_600_000);
    loop.begin('api_call').end({ success: true });
    await expect.poll(() => loop.frozen()).toMatchObject({ by: 'ada' });
    await loop.close();
  });

  it('that cannot be read are reported', async () => {
    const { loop, store, problems } = world();
    await loop.ready();
    store.ledger.head = () => Promise.reject(new Error('disk gone'));
    loop.begin('api_call').end({ success: true });
    await expect.poll(() => problems).toEqual(['ledger: disk gone']);
    await loop.close();
  });
});

describe('a decision', () => {
  it('that the store does not save within a minute fails, with the way to find out', async () => {
    const { loop, store, clock } = world();
    await loop.ready();
    store.ledger.head = () => new Promise(() => {});
    const frozen = expect(loop.unfreeze({ by: 'ada' })).rejects.toMatchObject({
      code: 'store-failed',
      message: 'the store gave no answer within 60 s: look whether it was decided with loop.fixes(), and try again',
    });
    await clock.advance(59_999);
    await clock.advance(1);
    await frozen;
    await within(clock, loop.close());
  });
});

describe('a store that keeps no erasures', () => {
  it('is named in the refusal', async () => {
    const { journal, ledger, snapshots, coordination } = new MemoryStore();
    const loop = new RSILoop({ store: { journal, ledger, snapshots, coordination } });
    await expect(loop.erase({ session: 's' })).rejects.toThrow(
      'this store cannot erase records: it has no erase(); delete them where they are kept',
    );
    await loop.close();
  });
});

describe('an erasure', () => {
  const failIn = (loop: RSILoop, session: string, count: number) => {
    for (let index = 0; index < count; index++) {
      loop.observer.recordSimple('api_call', { success: false, error: 'connect ECONNRESET', session });
    }
  };

  it('is forgotten immediately by this loop, and by others with their next cycle', async () => {
    const { loop, store, clock } = world();
    const other = new RSILoop({ store, clock });
    failIn(loop, 'ann', 4);
    failIn(loop, 'bob', 3);
    await loop.runCycle();
    await other.refresh();
    expect(await loop.erase({ session: 'ann' }, { dryRun: true })).toMatchObject({ records: 4 });
    expect(loop.patterns()[0]?.count).toBe(7);
    expect(await loop.erase({ session: 'ann' })).toMatchObject({ records: 4 });
    expect(loop.patterns()[0]?.count).toBe(3);
    expect((await other.refresh()).patterns[0]?.count).toBe(3);
    await Promise.all([loop.close(), other.close()]);
  });

  it('also holds for an outcome with an erased id that is sent again', async () => {
    const { loop } = world();
    const dropped: string[] = [];
    loop.on('outcomes-dropped', ({ reason }) => dropped.push(reason));
    const send = (id: string) => loop.observer.record({ id, task: 'api_call', success: true, session: 'ann' });
    send('call-1');
    await loop.erase({ session: 'ann' });
    send('call-1');
    expect(dropped).toEqual(['erased before']);
    send('call-2');
    expect(dropped).toHaveLength(1);
    await loop.close();
  });
});

describe('a long history', () => {
  it('leaves health and patterns unknown until it is read, and decisions wait for it', async () => {
    const { clock, store } = await withLongHistory();
    const entries: LedgerEntry[] = [];
    for await (const { entry } of store.ledger.read()) entries.push(entry);
    expect(entries).not.toEqual([]);
    const loop = new RSILoop({ clock, store });
    await loop.ready();
    expect(loop.rebuilding()).toMatchObject({ of: expect.any(Number) });
    expect([loop.health().known, loop.patterns()]).toEqual([false, []]);
    await loop.rebuilt();
    expect(loop.rebuilding()).toBeUndefined();
    expect(loop.health().known).toBe(true);
    await loop.close();
  });

  it('is named to a person whose decision waits for it for a minute', async () => {
    const { clock, store } = await withLongHistory();
    const loop = new RSILoop({ clock, store });
    store.journal.read = () => ({
      next: () => new Promise(() => {}),
      return: async () => ({ done: true, value: undefined }),
      [Symbol.asyncIterator]() {
        return this;
      },
    });
    await loop.ready();
    const decided = loop.apply('fix-1', { by: 'ada' });
    const refused = expect(decided).rejects.toThrow(
      /^0 of 25000 stored records have been read again: try again when all are read$/,
    );
    await clock.advance(60_000);
    await refused;
    await within(clock, loop.close());
  });

  it('can be left by closing the loop: a cycle that waits for it ends with the reason', async () => {
    const { clock, store } = await withLongHistory();
    const loop = new RSILoop({ clock, store });
    await loop.ready();
    const cycle = loop.runCycle();
    const rebuilt = loop.rebuilt();
    rebuilt.catch(() => {});
    await loop.close();
    expect((await cycle).unfinished).toBe('the loop was closed while it read stored records again');
    await expect(rebuilt).rejects.toMatchObject({
      ...{
        code: 'closed',
        message: expect.stringMatching(/^the loop was closed: \d+ of \d+ stored records have been/),
      },
    });
  });
});

describe('a rule that a person applies', () => {
  async function withRule() {
    const workspace = new MemoryWorkspace({ 'AGENTS.md': '# Notes' });
    const { loop, store, clock } = world({ workspace });
    await loop.ready();
    for (let index = 0; index < 10; index++) {
      const session = `a${index}`;
      loop.observer.recordFailure({ task: 'report', issues: ['incomplete_task'], severity: 'high', session });
      loop.begin('report', { session }).end({ success: true });
      await clock.advance(60_000);
    }
    await loop.runCycle();
    const fix = loop.fixes({ kind: 'rule' })[0];
    if (!fix) throw new Error('no rule was proposed');
    const isWritten = async () => (await workspace.read(`${fix.change.file}.md`)).text?.includes(fix.change.text);
    return { loop, store, fix, isWritten };
  }

  it('is in its file immediately, and out of it immediately after a rollback', async () => {
    const { loop, fix, isWritten } = await withRule();
    expect(await isWritten()).toBe(false);
    expect(await loop.apply(fix.id, { by: 'ada' })).toMatchObject({ written: { path: 'AGENTS.md' } });
    expect(await isWritten()).toBe(true);
    await loop.rollback(fix.id, { by: 'ada' });
    expect(await isWritten()).toBe(false);
    await loop.close();
  });

  it('is left to the process that leads', async () => {
    const { loop, store, fix, isWritten } = await withRule();
    const follower = new RSILoop({ store, clock: new ManualClock(T0), workspace: new MemoryWorkspace({}) });
    await follower.ready();
    expect(await follower.apply(fix.id, { by: 'ada' })).not.toHaveProperty('written');
    expect(await isWritten()).toBe(false);
    await loop.runCycle();
    expect(await isWritten()).toBe(true);
    await Promise.all([loop.close(), follower.close()]);
  });
});

describe('closing', () => {
  it('refuses further work, but answers what is known', async () => {
    const { loop } = world();
    await loop.close();
    expect(() => loop.start()).toThrow('the loop is closed: make a new one');
    await expect(loop.runCycle()).rejects.toMatchObject({ code: 'closed' });
    await expect(loop.unfreeze()).rejects.toMatchObject({ code: 'closed' });
    expect(loop.fixes()).toEqual([]);
  });

  it('applies and saves the remaining records, and leaves the lead to another process', async () => {
    const { loop, store, fail } = world();
    await loop.runCycle();
    fail(5);
    const closed: string[] = [];
    const close = store.close.bind(store);
    store.close = async () => {
      closed.push(...store.saves, (await store.coordination.lease('cycle')) ? 'lead is free' : 'lead is taken');
      return close();
    };
    await loop.close();
    expect(closed).toEqual(['loop', 'run', 'lead is free']);
    const entries: LedgerEntry[] = [];
    for await (const { entry } of store.ledger.read()) entries.push(entry);
    expect(entries.at(-1)).toMatchObject({ kind: 'cycle', read: { memory: 5 } });
  });

  it('of a process that never led writes nothing', async () => {
    const { loop, store, fail } = world();
    await loop.ready();
    fail(5);
    await loop.close();
    expect([store.saves, store.leases, (await store.ledger.head()).length]).toEqual([[], 0, 0]);
  });

  it('reports a store that fails to save, and releases the lead', async () => {
    const { loop, store, problems } = world();
    await loop.runCycle();
    store.snapshots.save = () => Promise.reject(new Error('disk full'));
    let isFree = false;
    const close = store.close.bind(store);
    store.close = async () => {
      isFree = (await store.coordination.lease('cycle')) !== undefined;
      return close();
    };
    await loop.close();
    expect(problems).toEqual(['store: disk full']);
    expect(isFree).toBe(true);
  });

  it('ends though a source and the running cycle hang, and says what is lost', async () => {
    const { loop, store, problems, clock } = world();
    await loop.ready();
    loop.sources.attach({ name: 'hanging', attach: () => () => new Promise(() => {}) });
    store.coordination.writers = () => new Promise(() => {});
    void loop.runCycle();
    await new Promise(setImmediate);
    const closing = loop.close();
    await within(clock, closing);
    expect(problems).toEqual([
      'close: a source did not end within 10 s: what it has not sent is not recorded',
      'close: the running cycle did not end within 10 s: the next process reads its records again',
    ]);
  });

  it('lets sources send until they have stopped', async () => {
    const { loop, store } = world();
    await loop.ready();
    loop.sources.attach({
      name: 'last words',
      attach: () => async () => void loop.observer.recordSimple('last', { success: true }),
    });
    await loop.close();
    expect(store.journal.all()).toMatchObject([{ outcome: { task: 'last' } }]);
  });

  it('stops to try a store that could not be read', async () => {
    const { loop, store, clock } = world();
    store.ledger.head = () => Promise.reject(new Error('disk gone'));
    await loop.ready();
    expect(clock.pending).toBeGreaterThan(0);
    await loop.close();
    await clock.advance(10_000);
    expect(clock.pending).toBe(0);
  });
});

describe('questions that load the judge', () => {
  it('find where outcomes fail, without a loop', async () => {
    const outcomes = Array.from({ length: 120 }, (_, index): Outcome => {
      const [model, success] = index < 20 ? ['haiku', index % 4 === 0] : ['opus', true];
      return {
        id: `o${index}` as OutcomeId,
        source: 'app',
        task: 'a',
        atMs: T0,
        durationMs: 1,
        success,
        model,
        issues: success ? [] : ['timeout'],
      };
    });
    expect(await localize(outcomes)).toMatchObject({ kind: 'causes', causes: [{ where: { model: 'haiku' }, of: 20 }] });
  });
});
