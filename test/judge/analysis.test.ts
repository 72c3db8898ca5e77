import { describe, expect, it } from 'vitest';
import type { FixId } from '../../src/contract/ids.js';
import type { Cursor } from '../../src/contract/journal.js';
import type { JournalRecord } from '../../src/contract/journal-record.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import type { Trial } from '../../src/contract/trial.js';
import { Commits, EntryApplier } from '../../src/judge/commits.js';
import type { Components } from '../../src/judge/components.js';
import type { Replay } from '../../src/judge/replay.js';
import { EMPTY_LEDGER, type LedgerState } from '../../src/ledger/reduce.js';
import { LayeredMap } from '../../src/lib/layered-map.js';

/** Components that note what is applied to them, over a journal of numbered records. */
class World {
  nowMs = 0;
  /** Numbers of the records that were applied, and the times to which trials were advanced. */
  readonly applied: (number | string)[] = [];
  readonly trials: string[] = [];
  readonly saves: (number | 'all')[] = [];
  readonly reports: string[] = [];
  readonly progress: string[] = [];
  /** Ranges that were read from the journal. */
  readonly reads: string[] = [];
  storeFault: string | undefined;
  /** Called when trials advance: after the records of a cycle were applied. */
  onAdvance: () => void = () => {};
  onSave: () => void | Promise<void> = () => {};
  readonly commits: Commits;
  /** Effects of decisions, by the number of their entry. */
  readonly #decisions = new Map<number, () => void>();

  constructor(entries = 0) {
    const components = {
      clock: { monotonic: () => this.nowMs },
      events: { emit: ({ records, of }: { records: number; of: number }) => this.progress.push(`${records} of ${of}`) },
      report: ({ where, message }: { where: string; message: string }) => this.reports.push(`${where}: ${message}`),
      store: { journal: { read: (after: Cursor, upTo: Cursor) => this.#read(after, upTo) } },
      experience: { library: { absorb: () => {} } },
      health: { settle: () => {} },
      models: { absorb: () => {} },
      analyzer: { absorb: () => {} },
      prompts: {},
      verifier: {
        absorb: (records: readonly JournalRecord[]) => this.applied.push(...records.map(numberOf)),
        advance: (atMs: number, watermarkMs: number) => {
          this.applied.push(`${atMs}/${watermarkMs}`);
          this.onAdvance();
        },
        open: ({ fixId }: Trial) => this.trials.push(`open ${fixId}`),
        close: (fixId: FixId) => this.trials.push(`close ${fixId}`),
      },
    } as unknown as Components; // the parts that a replay uses
    const save = async (upTo?: number) => {
      this.saves.push(upTo ?? 'all');
      await this.onSave();
    };
    const applier = new EntryApplier(components, (_, step) => this.#decisions.get(step.entries)?.());
    this.commits = new Commits({ components, entries, save }, applier);
  }

  get replay(): Replay {
    return this.commits.replay;
  }

  async *#read(after: Cursor = {}, upTo: Cursor = {}) {
    if (this.storeFault !== undefined) throw new Error(this.storeFault);
    const [from, to] = [after.w ?? 0, upTo.w ?? 0];
    this.reads.push(`${from}-${to}`);
    for (let position = from; position < to; position++) yield { writer: 'w', position, record: recordOf(position) };
  }

  /** Takes entry number `entries`: a cycle that read the records from `from` up to `to`. */
  take(entries: number, from: number, to: number, decide = () => {}, batch?: readonly JournalRecord[]): Promise<void> {
    const entry: LedgerEntry = { kind: 'cycle', atMs: entries, by: 'auto', read: { w: to }, watermarkMs: to };
    const before: LedgerState = { ...EMPTY_LEDGER, read: new LayeredMap<string, number>().with('w', from) };
    this.#decisions.set(entries, decide);
    return this.commits.commit({
      ...{ entry, before, after: before, entries },
      ...(batch && { batch: { records: batch, read: { w: to }, more: false } }),
    });
  }

  move(entries: number, parts: Partial<Extract<LedgerEntry, { kind: 'fix-moved' }>>): Promise<void> {
    const fixId = 'fix-1' as FixId;
    const entry: LedgerEntry = { kind: 'fix-moved', atMs: 1, by: 'auto', fixId, to: 'trial', reason: 'it', ...parts };
    return this.commits.commit({ entry, before: EMPTY_LEDGER, after: EMPTY_LEDGER, entries });
  }
}

const recordOf = (position: number): JournalRecord =>
  ({ kind: 'start', start: { id: `s${position}`, atMs: position } }) as unknown as JournalRecord; // passed on as it is
const numberOf = (record: JournalRecord) => (record.kind === 'start' ? record.start.atMs : -1);
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('an entry of a running loop', () => {
  it('is applied at once: its records, then time, then its decision', async () => {
    const world = new World();
    await world.replay.begin();
    await world.take(1, 0, 3, () => world.applied.push('decided'));
    expect(world.applied).toEqual([0, 1, 2, '1/3', 'decided']);
    expect(world.reads).toEqual(['0-3']);
  });

  it('uses the records that this process has just read', async () => {
    const world = new World();
    await world.replay.begin();
    await world.take(1, 0, 3, undefined, [recordOf(7)]);
    expect([world.applied, world.reads]).toEqual([[7, '1/3'], []]);
  });

  it('opens a trial, and closes it once no task is drawn for it', async () => {
    const world = new World();
    await world.replay.begin();
    const trial = { fixId: 'fix-1' } as Trial;
    await world.move(1, { trial });
    await world.move(2, { to: 'confirmed', trial });
    await world.move(3, { to: 'reopened' });
    await world.move(4, { to: 'rolled-back' });
    expect(world.trials).toEqual(['open fix-1', 'open fix-1', 'close fix-1']);
    expect([world.reads, world.applied]).toEqual([[], []]);
  });

  it('that the state knows already has only its decision applied', async () => {
    const world = new World(2);
    await world.replay.begin();
    const decided: number[] = [];
    for (const entries of [1, 2, 3]) await world.take(entries, 0, 1, () => decided.push(entries));
    expect([world.applied, decided]).toEqual([
      [0, '3/1'],
      [1, 2, 3],
    ]);
    await world.take(3, 0, 1, () => decided.push(3));
    expect([world.applied.length, decided]).toEqual([2, [1, 2, 3, 3]]);
  });
});

describe('a fault', () => {
  it('of the store leaves nothing behind: the entry is applied by the next attempt', async () => {
    const world = new World();
    await world.replay.begin();
    world.storeFault = 'disk gone';
    await expect(world.take(1, 0, 2)).rejects.toThrow('disk gone');
    expect([world.applied, world.commits.isTorn]).toEqual([[], false]);
    world.storeFault = undefined;
    await world.take(1, 0, 2);
    expect(world.applied).toEqual([0, 1, '1/2']);
  });

  it('in the middle of an entry stops every later one, so that none is applied twice', async () => {
    for (const where of ['analysis', 'decision']) {
      const world = new World();
      await world.replay.begin();
      const fault = () => {
        throw new Error('boom');
      };
      if (where === 'analysis') world.onAdvance = fault;
      await expect(world.take(1, 0, 1, where === 'decision' ? fault : undefined)).rejects.toThrow('boom');
      expect(world.commits.isTorn).toBe(true);
      await expect(world.take(1, 0, 1)).rejects.toThrow('an entry was applied only in part');
      expect(world.applied).toEqual([0, '1/1']);
    }
  });

  it('in a decision while the history waits stops the replay', async () => {
    const world = new World();
    const fault = () => {
      throw new Error('boom');
    };
    await expect(world.take(1, 0, 1, fault)).rejects.toThrow('boom');
    expect(world.commits.isTorn).toBe(true);
    await expect(world.take(2, 1, 2)).rejects.toThrow('only in part');
    await world.replay.begin();
    expect(world.applied).toEqual([]);
  });
});

describe('a short history', () => {
  it('waits until it begins, decisions apart, and is then applied before the loop is ready', async () => {
    const world = new World();
    await world.take(1, 0, 2, () => world.applied.push('decided'));
    await world.move(2, { trial: { fixId: 'fix-1' } as Trial });
    await world.take(3, 2, 3);
    expect([world.applied, world.trials]).toEqual([['decided'], []]);
    expect(world.replay.progress).toEqual({ records: 0, of: 3 });
    await world.replay.begin();
    expect(world.applied).toEqual(['decided', 0, 1, '1/2', 2, '3/3']);
    expect(world.trials).toEqual(['open fix-1']);
    expect(world.replay.progress).toBeUndefined();
    expect([world.reads, world.saves, world.progress]).toEqual([['0-3'], [], []]);
    await world.replay.finish();
    expect(world.saves).toEqual([]);
  });

  it('may hold 10,000 records, of which each entry counts for 25', async () => {
    for (const records of [9_975, 9_976]) {
      const world = new World();
      await world.take(1, 0, records);
      await world.replay.begin();
      expect(world.applied.length > 0, `${records} records`).toBe(records === 9_975);
      await world.replay.finish();
      expect(world.applied).toHaveLength(records + 1);
    }
  });

  it('has no progress if there is none', async () => {
    const world = new World();
    expect(world.replay.progress).toBeUndefined();
    await world.replay.begin();
    expect(world.replay.progress).toBeUndefined();
  });
});

describe('a long history', () => {
  it('is applied in the background, in order, with new entries at its end', async () => {
    const world = new World();
    await world.take(1, 0, 6_000);
    await world.take(2, 6_000, 12_000);
    await world.replay.begin();
    expect(world.replay.progress).toEqual({ records: 6_000, of: 12_000 });
    await world.take(3, 12_000, 12_003, () => world.applied.push('decided'));
    await world.replay.finish();
    const decided = world.applied.indexOf('decided');
    world.applied.splice(decided, 1);
    expect(world.applied).toEqual([
      ...[...numbers(0, 6_000), '1/6000', ...numbers(6_000, 12_000), '2/12000'],
      ...[...numbers(12_000, 12_003), '3/12003'],
    ]);
    expect(decided).toBeLessThan(12_000);
    expect(world.replay.progress).toBeUndefined();
    await world.replay.saved();
    expect(world.saves).toEqual(['all']);
    expect(world.progress).toEqual(['6000 of 12000', '12003 of 12003']);
  });

  it('is read in pieces of 10,000 records, or of one entry if that has more', async () => {
    const world = new World();
    const ends = [4_000, 10_000, 12_000, 30_000, 30_010, 30_020];
    for (const [index, end] of ends.entries()) await world.take(index + 1, ends[index - 1] ?? 0, end);
    await world.replay.begin();
    await world.replay.finish();
    expect(world.reads).toEqual(['0-10000', '10000-12000', '12000-30000', '30000-30020']);
    expect(world.applied).toHaveLength(30_020 + ends.length);
  });

  it('is reported every second and saved every ten, and less often if saving takes long', async () => {
    const world = new World();
    world.onAdvance = () => {
      world.nowMs += 500;
    };
    await world.take(1, 0, 20_000);
    for (let entries = 2; entries <= 60; entries++) await world.take(entries, 19_998 + entries, 19_999 + entries);
    await world.replay.begin();
    await world.replay.finish();
    expect(world.saves).toEqual([20, 40, 60, 'all']);
    expect(world.progress.slice(0, 3)).toEqual(['0 of 20059', '20001 of 20059', '20003 of 20059']);
    expect(world.progress.at(-1)).toBe('20059 of 20059');
    expect(world.progress).toHaveLength(31);
  });

  it('is ready before its state is saved, which can be waited for', async () => {
    const world = new World();
    let release = () => {};
    world.onSave = () =>
      new Promise<void>((resolve) => {
        release = resolve;
      });
    await world.take(1, 0, 20_000);
    await world.replay.begin();
    await world.replay.finish();
    const seen: string[] = [];
    const saved = world.replay.saved().then(() => seen.push('saved'));
    await new Promise(setImmediate);
    seen.push('released');
    release();
    await saved;
    expect(seen).toEqual(['released', 'saved']);
  });

  it('goes on if a state cannot be saved', async () => {
    const world = new World();
    world.onSave = () => {
      throw new Error('disk full');
    };
    await world.take(1, 0, 20_000);
    await world.replay.begin();
    await world.replay.finish();
    await world.replay.saved();
    expect([world.saves, world.reports, world.applied.length]).toEqual([['all'], [], 20_001]);
  });

  it('is saved less often if saving takes long: for a tenth of the time at most', async () => {
    const world = new World();
    world.onAdvance = () => {
      world.nowMs += 1_000;
    };
    world.onSave = () => {
      world.nowMs += 2_000;
    };
    await world.take(1, 0, 20_000);
    for (let entries = 2; entries <= 60; entries++) await world.take(entries, 19_998 + entries, 19_999 + entries);
    await world.replay.begin();
    await world.replay.finish();
    await world.replay.saved();
    expect(world.saves).toEqual([10, 30, 50, 'all']);
  });

  it('stops after the current entry when the loop closes, and is not saved', async () => {
    const world = new World();
    for (const entries of [1, 2, 3]) await world.take(entries, 6_000 * (entries - 1), 6_000 * entries);
    world.onAdvance = () => {
      if (world.applied.length > 6_001) world.replay.stop();
    };
    await world.replay.begin();
    await world.replay.finish();
    expect(world.applied.at(-1)).toBe('2/12000');
    expect(world.replay.progress).toEqual({ records: 12_000, of: 18_000 });
    expect([world.saves, world.progress.length]).toEqual([[], 1]);
  });

  it('goes on from where the store failed, and says so', async () => {
    const world = new World();
    await world.take(1, 0, 20_000);
    await world.take(2, 20_000, 20_001);
    world.storeFault = 'disk gone';
    await world.replay.begin();
    await expect(world.replay.finish()).rejects.toThrow('disk gone');
    expect(world.reports).toEqual(['store: disk gone; the next cycle reads on from there']);
    world.storeFault = undefined;
    await world.replay.finish();
    expect(world.applied).toHaveLength(20_003);
    expect(world.commits.isTorn).toBe(false);
  });

  it('that fails in the middle of an entry is not continued', async () => {
    const world = new World();
    await world.take(1, 0, 20_000);
    world.onAdvance = () => {
      throw new Error('boom');
    };
    await world.replay.begin();
    await expect(world.replay.finish()).rejects.toThrow('boom');
    world.onAdvance = () => {};
    await expect(world.replay.finish()).rejects.toThrow('only in part');
    expect(world.applied).toHaveLength(20_001);
  });
});
