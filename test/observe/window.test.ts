import { describe, expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { JournalRecord } from '../../src/contract/journal-record.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { seededRandom } from '../../src/lib/random.js';
import { OutcomeWindow } from '../../src/observe/window.js';

function outcome(index: number, success: boolean, task = 't'): JournalRecord {
  const fields = { task, success, atMs: index, source: 'generic', issues: [] };
  return { kind: 'outcome', outcome: { id: `o-${index}` as OutcomeId, ...fields } };
}

const outcomesOf = (records: readonly JournalRecord[]): Outcome[] =>
  records.flatMap((record) => (record.kind === 'outcome' ? [record.outcome] : []));
const weightOf = (outcomes: readonly Outcome[]) => outcomes.reduce((sum, { weight }) => sum + (weight ?? 1), 0);

describe('OutcomeWindow', () => {
  it('gives back everything as it was while it is not full', () => {
    const window = new OutcomeWindow({ maxQueued: 100, random: seededRandom(1) });
    const records = Array.from({ length: 100 }, (_, index) => outcome(index, index % 2 === 0));
    for (const record of records) window.push(record, false);
    expect(window.drain()).toEqual(records);
    expect(window.counts).toEqual({ queued: 0, dropped: 0 });
  });

  it('holds no more than its bound, and counts and reports what it lets go', () => {
    let reported = 0;
    const onDropped = (count: number) => {
      reported += count;
    };
    const window = new OutcomeWindow({ maxQueued: 100, random: seededRandom(2), onDropped });
    for (let index = 0; index < 10_000; index++) window.push(outcome(index, index % 3 !== 0), false);
    expect(window.counts.queued).toBeLessThanOrEqual(100);
    expect(window.counts.queued + window.counts.dropped).toBe(10_000);
    window.drain();
    expect(reported).toBe(window.counts.dropped);
  });

  it('lets successes go before failures', () => {
    const window = new OutcomeWindow({ maxQueued: 100, random: seededRandom(3) });
    for (let index = 0; index < 400; index++) window.push(outcome(index, index % 10 !== 0), false);
    const failures = outcomesOf(window.drain()).filter(({ success }) => !success);
    expect(failures).toHaveLength(40);
    expect(failures.every(({ weight }) => weight === undefined)).toBe(true);
  });

  it('never lets go of a start or of what a trial waits for', () => {
    const window = new OutcomeWindow({ maxQueued: 16, random: seededRandom(4) });
    for (let index = 0; index < 500; index++) window.push(outcome(index, true), index % 5 === 0);
    const trial = outcomesOf(window.drain()).filter(({ atMs }) => atMs % 5 === 0);
    expect(trial).toHaveLength(100);
    expect(trial.every(({ weight }) => weight === undefined)).toBe(true);
  });

  it('keeps failure rates unbiased, for every task and however often it thins', () => {
    const rounds = 200;
    const mean = { rare: 0, often: 0, tasks: 0 };
    for (let round = 0; round < rounds; round++) {
      const random = seededRandom(1000 + round);
      const window = new OutcomeWindow({ maxQueued: 64, random: seededRandom(round) });
      let rare = 0;
      for (let index = 0; index < 2_000; index++) {
        const isRare = random() < 0.2;
        const fails = random() < (isRare ? 0.3 : 0.6);
        if (isRare) rare++;
        window.push(outcome(index, !fails, isRare ? 'rare' : 'often'), false);
      }
      const kept = outcomesOf(window.drain());
      mean.tasks += weightOf(kept) / 2_000 / rounds;
      mean.rare += weightOf(kept.filter(({ task, success }) => task === 'rare' && !success)) / (0.06 * 2_000) / rounds;
      mean.often += weightOf(kept.filter(({ task, success }) => task === 'often' && success)) / (0.32 * 2_000) / rounds;
      expect(rare).toBeGreaterThan(0);
    }
    // Ratios of the weighted to the true counts: one, within about four standard errors.
    expect(mean.tasks).toBeCloseTo(1, 1);
    expect(mean.rare).toBeGreaterThan(0.9);
    expect(mean.rare).toBeLessThan(1.1);
    expect(mean.often).toBeGreaterThan(0.9);
    expect(mean.often).toBeLessThan(1.1);
  });

  /** Draws 0, 0.5, 0, 0.5 …: of two neighbours the first stays, of two new ones the first too. */
  function alternating() {
    let draws = 0;
    return () => (draws++ % 2) / 2;
  }

  it('drops the second of each two successes when it is full, then every second new one, each with its weight', () => {
    const reports: unknown[][] = [];
    const window = new OutcomeWindow({
      maxQueued: 16,
      random: () => 0,
      onDropped: (...report) => reports.push(report),
    });
    for (let index = 0; index < 16; index++) window.push(outcome(index, true), false);
    expect([window.counts, reports]).toEqual([{ queued: 16, dropped: 0 }, []]);
    window.push(outcome(16, true), false);
    expect(window.counts).toEqual({ queued: 9, dropped: 8 });
    const why = 'more than 16 outcomes were waiting: some were sampled out, the others weigh more';
    expect(reports).toEqual([[8, why]]);
    const kept = outcomesOf(window.drain());
    expect(kept.map(({ atMs }) => atMs)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16]);
    expect(kept.every(({ weight }) => weight === 2)).toBe(true);
    expect(window.counts).toEqual({ queued: 0, dropped: 8 });
    window.push(outcome(17, true), false);
    expect(outcomesOf(window.drain())[0]).not.toHaveProperty('weight');
  });

  it('drops every second new success after that, and reports each once', () => {
    const reported: number[] = [];
    const onDropped = (count: number) => void reported.push(count);
    const window = new OutcomeWindow({ maxQueued: 16, random: alternating(), onDropped });
    for (let index = 0; index < 17; index++) window.push(outcome(index, true), false);
    const { queued } = window.counts;
    for (let index = 0; index < 4; index++) window.push(outcome(20 + index, true), false);
    expect(window.counts.queued).toBe(queued + 2);
    window.drain();
    expect(reported.reduce((sum, count) => sum + count)).toBe(window.counts.dropped);
    window.drain();
    expect(reported).toHaveLength(2);
  });

  it('keeps the weight that an outcome came with, and multiplies it', () => {
    const window = new OutcomeWindow({ maxQueued: 16, random: () => 0 });
    for (let index = 0; index < 17; index++) {
      const { outcome: one } = outcome(index, true) as Extract<JournalRecord, { kind: 'outcome' }>;
      window.push({ kind: 'outcome', outcome: { ...one, weight: 3 } }, false);
    }
    expect(outcomesOf(window.drain()).map(({ weight }) => weight)).toEqual(Array(9).fill(6));
  });

  it('samples failures too, and only them, if nearly all outcomes are failures', () => {
    const window = new OutcomeWindow({ maxQueued: 16, random: () => 0 });
    for (let index = 0; index < 17; index++) window.push(outcome(index, index === 3), false);
    const kept = outcomesOf(window.drain());
    expect(kept.filter(({ success }) => success)).toMatchObject([{ atMs: 3, weight: 2 }]);
    expect(kept.filter(({ success }) => !success).map(({ weight }) => weight)).toEqual(Array(9).fill(2));
  });

  it('thins successes again and again before it thins a failure', () => {
    const window = new OutcomeWindow({ maxQueued: 64, random: () => 0 });
    for (let index = 0; index < 36; index++) window.push(outcome(index, false), false);
    for (let index = 36; index < 65; index++) window.push(outcome(index, true), false);
    const kept = outcomesOf(window.drain());
    expect(kept.filter(({ success }) => !success).map(({ weight }) => weight)).toEqual(Array(36).fill(undefined));
    expect(kept.filter(({ success }) => success).map(({ weight }) => weight)).toEqual(Array(8).fill(4));
  });

  it('drops a last one without a neighbour half of the time', () => {
    const last = (drawn: number) => {
      const window = new OutcomeWindow({ maxQueued: 16, random: () => drawn });
      window.push(outcome(0, true), false);
      for (let index = 1; index < 17; index++) window.push(outcome(index, false), false);
      return outcomesOf(window.drain()).filter(({ success }) => success).length;
    };
    expect([last(0), last(0.49), last(0.5), last(0.99)]).toEqual([1, 1, 0, 0]);
  });

  it('holds at least 16, and 100,000 by default', () => {
    const tiny = new OutcomeWindow({ maxQueued: 1, random: () => 0 });
    for (let index = 0; index < 16; index++) tiny.push(outcome(index, true), false);
    expect(tiny.counts).toEqual({ queued: 16, dropped: 0 });
    const usual = new OutcomeWindow({ random: () => 0 });
    for (let index = 0; index < 100_000; index++) usual.push(outcome(index, true), false);
    expect(usual.counts.dropped).toBe(0);
    usual.push(outcome(100_000, true), false);
    expect(usual.counts.dropped).toBe(50_000);
  });

  it('never drops or weighs a start', () => {
    const window = new OutcomeWindow({ maxQueued: 16, random: () => 0.99 });
    const start = { kind: 'start', start: { id: 's' as OutcomeId } } as JournalRecord; // the window reads its kind alone
    for (let index = 0; index < 100; index++) window.push(index % 4 === 0 ? start : outcome(index, true), false);
    expect(window.drain().filter(({ kind }) => kind === 'start')).toEqual(Array(25).fill(start));
  });
});
