import { describe, expect, it } from 'vitest';
import type { WriterState } from '../../src/contract/coordination.js';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Cursor } from '../../src/contract/journal.js';
import type { JournalRecord } from '../../src/contract/journal-record.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import { MemoryStore } from '../../src/defaults/memory-store.js';
import type { Components } from '../../src/judge/components.js';
import { observe, readWatermark } from '../../src/judge/observe.js';
import type { Batch } from '../../src/ledger/batch.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const record = (id: string): JournalRecord => ({
  kind: 'outcome',
  outcome: { id: id as OutcomeId, task: 'api_call', source: 'generic', success: true, atMs: 1, issues: [] },
});

/** A loop whose trials are due or not, and the cycles that it wrote. */
function world({ isDue = false } = {}) {
  const clock = new ManualClock(5_000);
  const store = new MemoryStore({ clock });
  const cycles: { entry: LedgerEntry; batch: Batch | undefined }[] = [];
  const ledger = new Ledger(store.ledger, {
    commit: ({ entry, batch }) => void (entry.kind === 'cycle' && cycles.push({ entry, batch })),
  });
  const asked: [number, number][] = [];
  const verifier = {
    isDue: (atMs: number, watermarkMs: number) => {
      asked.push([atMs, watermarkMs]);
      // A trial that is due is advanced by the cycle, and then it is not due any more.
      return isDue && cycles.length === 0;
    },
  };
  const components = { clock, store, ledger, verifier } as unknown as Components; // the parts that are used
  const writer = store.journal.writer;
  const append = (...ids: readonly string[]) => store.journal.append(ids.map(record));
  return { clock, store, ledger, components, cycles, asked, writer, append };
}

describe('the records since the last cycle', () => {
  it('are read once, and the ledger says up to where and at which time', async () => {
    const { components, cycles, writer, append } = world();
    append('a', 'b');
    await observe(components, 4_000);
    expect(cycles).toMatchObject([
      { entry: { kind: 'cycle', atMs: 5_000, by: writer, read: { [writer]: 2 }, watermarkMs: 4_000 } },
    ]);
    expect(cycles[0]?.batch?.records).toHaveLength(2);
    await observe(components, 4_000);
    expect(cycles).toHaveLength(1);
    append('c');
    await observe(components, 4_500);
    expect(cycles[1]).toMatchObject({ entry: { read: { [writer]: 3 } }, batch: { records: [record('c')] } });
  });

  it('are not read twice if another process read them first', async () => {
    const { components, cycles, store, writer, append } = world();
    append('a', 'b');
    const other = new Ledger(store.ledger);
    const { append: write } = components.ledger;
    // The other process appends its cycle between the reading and the writing of this one.
    components.ledger.append = async (...args) => {
      components.ledger.append = write;
      const read: Cursor = { [writer]: 1 };
      await other.append(() => [{ kind: 'cycle', atMs: 1, by: 'other', read, watermarkMs: 1 }]);
      return write.apply(components.ledger, args);
    };
    await observe(components, 4_000);
    expect(cycles.map(({ entry }) => 'by' in entry && entry.by)).toEqual(['other', writer]);
    expect(cycles[1]?.batch?.records).toEqual([record('b')]);
  });

  it('let trials wait for the rest if there are too many for one batch', async () => {
    const { components, cycles, append } = world();
    append(...Array.from({ length: 50_001 }, (_, index) => `o${index}`));
    await observe(components, 4_000);
    expect(
      cycles.map(({ entry, batch }) => [entry.kind === 'cycle' && entry.watermarkMs, batch?.records.length]),
    ).toEqual([
      [0, 50_000],
      [4_000, 1],
    ]);
  });
});

describe('a cycle without new records', () => {
  it('is written if time alone completes something in a trial', async () => {
    const { components, cycles, asked } = world({ isDue: true });
    await observe(components, 4_000);
    expect(cycles).toMatchObject([{ entry: { read: {}, watermarkMs: 4_000 } }]);
    expect(asked[0]).toEqual([5_000, 4_000]);
  });

  it('is not written if nothing is due, or if only records are asked for', async () => {
    const idle = world();
    await observe(idle.components, 4_000);
    expect(idle.cycles).toEqual([]);
    const closing = world({ isDue: true });
    await observe(closing.components, 4_000, { onlyRecords: true });
    expect(closing.cycles).toEqual([]);
  });
});

it('trials count up to the oldest heartbeat of the living processes, and never ahead of the own clock', async () => {
  const { components, store } = world();
  const watermark = (...writers: readonly WriterState[]) => {
    store.coordination.writers = async () => writers;
    return readWatermark(components);
  };
  const seen = (watermarkMs: number, alive = true) => ({ writer: `w${watermarkMs}`, alive, watermarkMs });
  expect(await watermark(seen(4_000), seen(3_000), seen(1_000, false))).toBe(3_000);
  expect(await watermark(seen(9_000))).toBe(5_000);
  expect(await watermark()).toBe(5_000);
});
