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
});
