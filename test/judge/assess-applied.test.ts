import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/contract/fix.js';
import type { FixId, OutcomeId } from '../../src/contract/ids.js';
import type { JournalRecord } from '../../src/contract/journal-record.js';
import type { Outcome } from '../../src/contract/outcome.js';
import type { Start } from '../../src/contract/start.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import type { Placebo, Verdict } from '../../src/contract/verdict.js';
import { MemoryStore } from '../../src/defaults/memory-store.js';
import { AppliedFixes } from '../../src/judge/assess-applied.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { someTask } from '../fix/fixtures.js';
import { proposedFix } from '../ledger/fixtures.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** When the fix was applied. */
const T0 = Date.UTC(2026, 5, 1);

const applied = (id = 'a', parts: Partial<Fix> = {}): Fix => ({
  ...proposedFix(id),
  status: 'applied-unverified',
  decision: { kind: 'approved', by: 'ada', atMs: T0 },
  ...parts,
});

/** A loop with these fixes and a journal that the test fills. */
async function world(fixes: readonly Fix[] = [applied()], perDay = 50) {
  const store = new MemoryStore();
  const dropped: string[] = [];
  const onDropped = ({ why }: { why: Error }) => dropped.push(why.message);
  const ledger = new Ledger(store.ledger, { commit: () => {}, dropped: onDropped });
  await ledger.append(() => fixes.map((fix) => ({ kind: 'fix-proposed', atMs: 1, by: 'auto', fix })));
  const problems: string[] = [];
  let aheadMs = 0;
  let reads = 0;
  const { journal } = store;
  const counting = {
    read: (...range: Parameters<typeof journal.read>) => {
      reads++;
      return journal.read(...range);
    },
  };
  const tasks = new Map<string, TaskStatistics>([['api_call', someTask({ perDay })]]);
  const context = {
    ...{ ledger, store: { journal: { ...counting } as unknown as typeof journal } },
    report: ({ message }: { message: string }) => problems.push(message),
    clockWatch: { aheadSince: () => aheadMs },
  };
  const assessor = new AppliedFixes();
  let count = 0;
  return {
    ...{ ledger, problems, dropped, context, journal: context.store.journal },
    reads: () => reads,
    append: (records: readonly JournalRecord[]) => journal.append(records),
    /** Records 40 tasks per day from one moment to another, of which this share fails. */
    work(fromMs: number, toMs: number, rate: number, parts: Partial<Outcome> = {}) {
      for (let atMs = fromMs; atMs < toMs; atMs += DAY_MS / 40) {
        const success = (++count * 0.618) % 1 >= rate;
        const id = `o${count}` as OutcomeId;
        const outcome = { id, atMs, task: 'api_call', source: 'generic', success, issues: [], ...parts };
        journal.append([{ kind: 'outcome', outcome }]);
      }
    },
    /** The clock was set ahead, so that this time did not pass. */
    jumpAhead: (ms: number) => {
      aheadMs += ms;
    },
    assess: (atMs: number, of = tasks) => assessor.assess(context, of, atMs),
    placebo: (id = 'a'): Placebo | undefined => {
      const verdict = ledger.state.fixes.get(id as FixId)?.verdict;
      return verdict?.kind === 'inconclusive' && 'placebo' in verdict ? verdict.placebo : undefined;
    },
  };
}

describe('a fix that was applied without a trial', () => {
  it('waits for its data though the clock jumped ahead', async () => {
    const { work, assess, placebo, jumpAhead } = await world();
    work(T0 - 10 * DAY_MS, T0, 0.5);
    jumpAhead(400 * DAY_MS);
    await assess(T0 + 400 * DAY_MS);
    expect(placebo()).toBeUndefined();
    await assess(T0 + 408 * DAY_MS);
    expect(placebo()).toBeDefined();
  });

  it('is compared with the past once about 50 tasks have run, and stays in force', async () => {
    const { work, assess, placebo, ledger } = await world();
    work(T0 - 10 * DAY_MS, T0, 0.5);
    work(T0, T0 + DAY_MS, 0.1);
    await assess(T0 + DAY_MS - 1);
    expect(placebo()).toBeUndefined();
    await assess(T0 + DAY_MS);
    expect(placebo()?.observed).toBeLessThan(0.4);
    const fix = ledger.state.fixes.get('a' as FixId);
    expect(fix).toMatchObject({ status: 'applied-unverified', verdict: { why: 'not-randomised', atMs: T0 + DAY_MS } });
    expect(ledger.historyOf('a' as FixId).at(-1)).toMatchObject({
      ...{ by: 'auto', atMs: T0 + DAY_MS, reason: 'in force for everybody, so it can only be compared with the past' },
    });
  });

  it('gets one verdict', async () => {
    const { work, assess, ledger, reads } = await world();
    work(T0 - 10 * DAY_MS, T0 + 2 * DAY_MS, 0.5);
    await assess(T0 + DAY_MS);
    const { length } = ledger;
    await assess(T0 + 2 * DAY_MS);
    expect([ledger.length, reads()]).toEqual([length, 1]);
  });

  it('waits an hour at least and a week at most, however many tasks there are', async () => {
    const busy = await world([applied()], 100_000);
    busy.work(T0 - DAY_MS, T0, 0.5);
    await busy.assess(T0 + HOUR_MS - 1);
    expect(busy.reads()).toBe(0);
    await busy.assess(T0 + HOUR_MS);
    expect(busy.reads()).toBe(1);
    for (const perDay of [1, 0]) {
      const quiet = await world([applied()], perDay);
      await quiet.assess(T0 + 7 * DAY_MS - 1);
      expect(quiet.reads()).toBe(0);
      await quiet.assess(T0 + 7 * DAY_MS);
      expect(quiet.placebo()).toEqual({ moments: 0, asFarByItself: 1 });
    }
  });

  it('of a task that was not seen lately waits a week', async () => {
    const { assess, placebo } = await world();
    await assess(T0 + 7 * DAY_MS - 1, new Map());
    expect(placebo()).toBeUndefined();
    await assess(T0 + 7 * DAY_MS, new Map());
    expect(placebo()).toEqual({ moments: 0, asFarByItself: 1 });
  });

  it('with too little data is looked at again after a quarter of the time, because each look reads the journal', async () => {
    const { work, assess, reads, placebo } = await world();
    work(T0 - 2 * DAY_MS, T0, 0.5);
    await assess(T0 + DAY_MS);
    await assess(T0 + 1.25 * DAY_MS - 1);
    expect(reads()).toBe(1);
    await assess(T0 + 1.25 * DAY_MS);
    expect([reads(), placebo()]).toEqual([2, undefined]);
    work(T0, T0 + DAY_MS, 0.5);
    await assess(T0 + 1.5 * DAY_MS);
    expect(placebo()?.observed).toBeCloseTo(1, 0);
  });

  it('is compared without tasks of other names, cancelled ones and those of more than 60 days before', async () => {
    const { work, assess, placebo, problems, append } = await world();
    work(T0 - DAY_MS, T0, 0.5);
    work(T0, T0 + DAY_MS, 0.5);
    append([{ kind: 'start', start: { id: 's', atMs: T0 } as unknown as Start }]);
    const like = { success: false } as const;
    work(T0, T0 + DAY_MS, 1, { ...like, task: 'other' });
    work(T0, T0 + DAY_MS, 1, { ...like, issues: ['cancelled'] });
    await assess(T0 + DAY_MS);
    expect([placebo()?.observed, problems]).toEqual([expect.closeTo(1, 0), []]);
    const old = await world();
    old.work(T0 - 80 * DAY_MS, T0 - 60 * DAY_MS - 1, 0.5);
    old.work(T0 - 2 * DAY_MS, T0 + DAY_MS, 0.5);
    await old.assess(T0 + DAY_MS);
    expect(old.placebo()?.moments).toBe(1);
  });

  it('is compared in the order of time, though two processes wrote the records', async () => {
    const { work, assess, placebo } = await world();
    work(T0, T0 + DAY_MS, 0);
    work(T0 - DAY_MS, T0, 0.5);
    await assess(T0 + DAY_MS);
    expect(placebo()?.observed).toBe(0);
  });
});

describe('a fix that is not compared with the past', () => {
  it('is one that had a trial, has a verdict, waits for a person, or is not in force', async () => {
    const verdict = { kind: 'inconclusive', why: 'deadline', atMs: 5 } as Verdict; // its figures are not read here
    const { assess, reads, ledger } = await world([
      applied('trial', { trial: { fixId: 'trial' } as unknown as NonNullable<Fix['trial']> }),
      applied('verdict', { verdict }),
      applied('waiting', { decision: { kind: 'waiting', sinceMs: T0 } }),
      applied('confirmed', { status: 'confirmed' }),
    ]);
    const { length } = ledger;
    await assess(T0 + 30 * DAY_MS);
    expect([reads(), ledger.length]).toEqual([0, length]);
  });

  it('is one that a person rolled back while the journal was read', async () => {
    const { assess, ledger, journal, context, dropped } = await world();
    const { read } = journal;
    context.store.journal.read = async function* (...range) {
      yield* read(...range);
      await ledger.append(() => [
        { kind: 'fix-moved', atMs: T0, by: 'ada', fixId: 'a' as FixId, to: 'rolled-back', reason: 'no' },
      ]);
    };
    await assess(T0 + 7 * DAY_MS);
    expect(ledger.state.fixes.get('a' as FixId)?.status).toBe('rolled-back');
    expect(ledger.historyOf('a' as FixId)).toHaveLength(2);
    expect(dropped).toEqual([]);
  });

  it('is one whose records cannot be read: that is reported, and the others are compared', async () => {
    const { assess, journal, problems, placebo, context } = await world([applied('a'), applied('b')]);
    const { read } = journal;
    let calls = 0;
    context.store.journal.read = (...range) => {
      if (calls++ === 0) throw new Error('disk gone');
      return read(...range);
    };
    await assess(T0 + 7 * DAY_MS);
    expect(problems).toEqual(['fix a could not be compared with the past: disk gone']);
    expect([placebo('a'), placebo('b')]).toEqual([undefined, { moments: 0, asFarByItself: 1 }]);
  });
});
