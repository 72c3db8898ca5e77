import { describe, expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Cursor, Journal, StoredRecord } from '../../src/contract/journal.js';
import type { JournalRecord } from '../../src/contract/journal-record.js';
import { readBatch, readBatches } from '../../src/ledger/batch.js';

const outcome = (id: string, atMs: number): JournalRecord => ({
  kind: 'outcome',
  outcome: { id: id as OutcomeId, task: 'ask', source: 'generic', success: true, atMs, issues: [] },
});

const start = (id: string, atMs: number): JournalRecord => ({
  kind: 'start',
  start: {
    ...{ id: id as OutcomeId, task: 'ask', atMs, deadlineMs: atMs + 9, scope: { task: 'ask' }, arms: [] },
    ...{ writer: 'w', counter: 0 },
  },
});

const names = (records: readonly JournalRecord[]) =>
  records.map((record) => (record.kind === 'start' ? `${record.start.id} begins` : record.outcome.id));

/** Journal of these records by writer, of which the first positions were lost to retention. */
function journalOf(writers: Record<string, readonly JournalRecord[]>, first = 0): Pick<Journal, 'read'> {
  return {
    async *read(after: Cursor = {}, upTo?: Cursor): AsyncGenerator<StoredRecord> {
      for (const [writer, records] of Object.entries(writers)) {
        const end = upTo ? (upTo[writer] ?? 0) : Number.POSITIVE_INFINITY;
        for (const [index, record] of records.entries()) {
          const position = first + index;
          if (position >= (after[writer] ?? 0) && position < end) yield { writer, position, record };
        }
      }
    },
  };
}

describe('a batch of records', () => {
  const journal = journalOf({
    a: [outcome('a1', 10), outcome('a2', 30), outcome('a3', 50)],
    b: [outcome('b1', 20), outcome('b2', 40)],
  });

  it('is in the order of time, across the processes that wrote them', async () => {
    const batch = await readBatch(journal, {});
    expect(names(batch.records)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
    expect(batch).toMatchObject({ read: { a: 3, b: 2 }, more: false });
  });

  it('begins after the cursor, and says how far it read', async () => {
    const batch = await readBatch(journal, { a: 2, b: 1 });
    expect(names(batch.records)).toEqual(['b2', 'a3']);
    expect(batch.read).toEqual({ a: 3, b: 2 });
    expect(await readBatch(journal, batch.read)).toEqual({ records: [], read: {}, more: false });
  });

  it('ends where it ended the first time when it is read again', async () => {
    const upTo = { a: 1, b: 1, c: 7 };
    const batch = await readBatch(journal, {}, upTo);
    expect(names(batch.records)).toEqual(['a1', 'b1']);
    expect(batch.read).toEqual(upTo);
  });

  it('has one order for records of one moment, wherever each was written', async () => {
    const same = [outcome('m', 5), outcome('k', 5), start('m', 5), outcome('l', 5)];
    const expected = ['k', 'l', 'm begins', 'm'];
    expect(names((await readBatch(journalOf({ a: same }), {})).records)).toEqual(expected);
    const apart = Object.fromEntries(same.map((record, index) => [`w${index}`, [record]]));
    expect(names((await readBatch(journalOf(apart), {})).records)).toEqual(expected);
    const reversed = [...same].reverse();
    expect(names((await readBatch(journalOf({ a: reversed }), {})).records)).toEqual(expected);
  });

  it('keeps the order of writing between equal records', async () => {
    const [first, second] = [outcome('m', 5), outcome('m', 5)];
    const { records } = await readBatch(journalOf({ a: [outcome('z', 9), first, second] }), {});
    expect(records[0]).toBe(first);
    expect(records[1]).toBe(second);
  });

  it('holds at most 50,000 records and says that there are more, except in a replay', async () => {
    const many = Array.from({ length: 50_001 }, (_, index) => outcome(`o${index}`, index));
    const full = await readBatch(journalOf({ a: many.slice(0, 50_000) }), {});
    expect([full.records.length, full.more]).toEqual([50_000, false]);
    const cut = await readBatch(journalOf({ a: many }), {});
    expect([cut.records.length, cut.more, cut.read]).toEqual([50_000, true, { a: 50_000 }]);
    const rest = await readBatch(journalOf({ a: many }), cut.read);
    expect([names(rest.records), rest.more]).toEqual([['o50000'], false]);
    const replayed = await readBatch(journalOf({ a: many }), {}, { a: 50_001 });
    expect([replayed.records.length, replayed.more]).toEqual([50_001, false]);
  });

  it('lets other work of the process go on while it is read', async () => {
    const journalOfMany = journalOf({ a: Array.from({ length: 1_000 }, (_, index) => outcome(`o${index}`, index)) });
    for (const read of [
      () => readBatch(journalOfMany, {}),
      () => readBatches(journalOfMany, [{ after: {}, upTo: { a: 1_000 } }]),
    ]) {
      let count = 0;
      let done = false;
      const others = () => {
        count++;
        if (!done) setImmediate(others);
      };
      setImmediate(others);
      await read();
      done = true;
      expect(count).toBeGreaterThanOrEqual(3);
      // Not at each record: that would cost more than the reading.
      expect(count).toBeLessThan(50);
    }
  });
});

describe('batches of consecutive cycles', () => {
  it.each([0, 2])('are the same as those read one by one, with %i records lost before the first', async (lost) => {
    const journal = journalOf(
      {
        a: [outcome('a1', 30), outcome('a2', 10), outcome('a3', 50), outcome('a4', 51)],
        b: [outcome('b1', 20), outcome('b2', 40), outcome('b3', 45)],
        c: [outcome('c1', 5)],
      },
      lost,
    );
    const cursors: readonly Cursor[] = [{ a: 1 }, { a: 3, b: 3 }, { a: 3, b: 3 }, { a: 5, b: 5, c: 3 }];
    const spans = cursors.slice(1).map((upTo, index) => ({ after: cursors[index] ?? {}, upTo }));
    const apart = await Promise.all(
      spans.map(async ({ after, upTo }) => (await readBatch(journal, after, upTo)).records),
    );
    expect((await readBatches(journal, spans)).map(names)).toEqual(apart.map(names));
  });

  it('leave out records that none of the cycles read', async () => {
    const journal = journalOf({ a: [outcome('a1', 1), outcome('a2', 2), outcome('a3', 3), outcome('a4', 4)] });
    const spans = [
      { after: { a: 0 }, upTo: { a: 1 } },
      { after: { a: 2 }, upTo: { a: 3 } },
    ];
    expect((await readBatches(journal, spans)).map(names)).toEqual([['a1'], ['a3']]);
    expect(await readBatches(journal, [])).toEqual([]);
  });
});
