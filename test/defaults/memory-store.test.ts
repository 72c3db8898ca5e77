import { type JournalRecord, LoopError, MemoryStore, type OutcomeId } from 'rsi-loop';
import { describe, expect, it } from 'vitest';

const outcome = (number: number, session?: string): JournalRecord => ({
  kind: 'outcome',
  outcome: {
    id: `o${number}` as OutcomeId,
    task: 'api_call',
    success: true,
    atMs: number,
    source: 'generic',
    issues: [],
    ...(session === undefined ? {} : { session }),
  },
});

async function positions(store: MemoryStore, after?: number): Promise<number[]> {
  const found: number[] = [];
  const cursor = after === undefined ? {} : { [store.journal.writer]: after };
  for await (const stored of store.journal.read(cursor)) {
    const id = stored.record.kind === 'outcome' ? stored.record.outcome.id : '';
    expect(id).toBe(`o${stored.position}`);
    found.push(stored.position);
  }
  return found;
}

describe('MemoryStore', () => {
  it('drops the oldest records past its bound and keeps the positions of the others', async () => {
    const store = new MemoryStore({ maxRecords: 3 });
    for (let number = 0; number < 8; number++) store.journal.append([outcome(number)]);
    expect(await positions(store)).toEqual([5, 6, 7]);
    expect(await positions(store, 2)).toEqual([5, 6, 7]);
    expect(await positions(store, 6)).toEqual([6, 7]);
    expect(await positions(store, 8)).toEqual([]);
  });

  it('goes on at the oldest record left when those the reader wanted were pushed out meanwhile', async () => {
    const store = new MemoryStore({ maxRecords: 4 });
    store.journal.append([0, 1, 2, 3].map((number) => outcome(number)));
    const found: number[] = [];
    for await (const stored of store.journal.read()) {
      found.push(stored.position);
      if (found.length === 1) store.journal.append([4, 5].map((number) => outcome(number)));
    }
    expect(found).toEqual([0, 2, 3]);
  });

  it('leaves a hole where a record was erased', async () => {
    const store = new MemoryStore();
    store.journal.append([outcome(0, 'a'), outcome(1, 'b'), outcome(2, 'a'), outcome(3)]);
    expect((await store.erase({ session: 'a' })).records).toBe(2);
    expect(await positions(store)).toEqual([1, 3]);
  });

  it('counts what comes after close() and tells it to every listener, whatever the first one does', async () => {
    const store = new MemoryStore();
    const told: unknown[] = [];
    store.onProblem(() => {
      throw new Error('a listener of the host');
    });
    store.onProblem((problem) => told.push(problem));
    await store.close();
    store.journal.append([outcome(0), outcome(1)]);
    expect(told).toEqual([{ kind: 'dropped', count: 2, message: '2 records came after close()' }]);
  });

  it('refuses a bound that makes no sense', () => {
    for (const maxRecords of [0, -1, 1.5, Number.NaN]) {
      expect(() => new MemoryStore({ maxRecords })).toThrow(LoopError);
    }
  });
});
