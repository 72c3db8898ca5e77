import { MemoryStore, type Outcome, RSILoop, rootCauses } from 'rsi-loop';
import { Analyzer, periods, ranking } from 'rsi-loop/kit';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, makeFailure, makeOutcome } from '../analyze/make-outcome.js';

/** The newest record of these logs is four months old. */
const NOW = Date.UTC(2026, 5, 1);
const NEWEST = Date.UTC(2026, 1, 1);

function logs(): Outcome[] {
  const at = (daysAgo: number, index: number) => ({ atMs: NEWEST - daysAgo * DAY - index * HOUR });
  return [
    ...Array.from({ length: 9 }, (_, index) => makeFailure('timeout', 'timed out', at(30, index))),
    ...Array.from({ length: 4 }, (_, index) => makeFailure('network', 'connect ECONNREFUSED', at(1, index))),
    ...Array.from({ length: 6 }, (_, index) => makeOutcome(at(0, index))),
  ];
}

async function imported(outcomes: readonly Outcome[] = logs()) {
  const clock = new ManualClock(NOW);
  const store = new MemoryStore({ clock });
  store.journal.append(outcomes.map((outcome) => ({ kind: 'outcome', outcome })));
  await store.journal.flush();
  return { store, open: (options = {}) => new RSILoop({ store, clock, ...options }) };
}

describe('logs that are months old', () => {
  it('show the same failures before a cycle has read them and after', async () => {
    const { open } = await imported();
    const loop = open();
    const before = await periods.readPeriod(loop);
    expect(before).toMatchObject({ untilMs: NEWEST, sinceMs: NEWEST - 7 * DAY, unread: 19 });
    expect(before.patterns.map(({ issue, count, rate }) => [issue, count, rate.of])).toEqual([['network', 4, 10]]);
    expect(before.health).toMatchObject({ known: true });
    expect(loop.patterns()).toEqual([]); // reading has counted nothing

    const report = await loop.runCycle();
    const after = await periods.readPeriod(loop);
    expect(after.patterns).toEqual(before.patterns);
    expect(after).toMatchObject({ unread: 0, untilMs: NEWEST });
    expect(after.health.score).toBeCloseTo(before.health.score, 12);
    expect(report.patterns.map(({ id }) => id)).toEqual(before.patterns.map(({ id }) => id));
    await loop.close();
  });

  it('can be read over any range', async () => {
    const { open } = await imported();
    const loop = open();
    await loop.runCycle();
    const all = await periods.readPeriod(loop, { sinceMs: NEWEST - 60 * DAY });
    expect(all.patterns.map(({ issue, count }) => [issue, count])).toEqual([
      ['timeout', 9],
      ['network', 4],
    ]);
    const early = await periods.readPeriod(loop, { sinceMs: NEWEST - 60 * DAY, untilMs: NEWEST - 20 * DAY });
    expect(early.patterns.map(({ issue }) => issue)).toEqual(['timeout']);
    expect(early.health.score).toBe(0);
    await expect(periods.readPeriod(loop, { sinceMs: NOW, untilMs: NEWEST })).rejects.toThrow('ends before it begins');
    const causes = await rootCauses(loop);
    expect(causes).toMatchObject({ untilMs: NEWEST, count: 4 });
    await loop.close();
  });

  it('are read over a longer window after a cycle with a shorter one', async () => {
    const { open } = await imported();
    const loop = open();
    await loop.runCycle();
    await loop.close();
    const wider = open({ windowMs: 60 * DAY });
    await wider.ready();
    await wider.rebuilt();
    expect(wider.patterns().map(({ issue, count }) => [issue, count])).toEqual([
      ['timeout', 9],
      ['network', 4],
    ]);
    await wider.close();
  });

  it('keep their window although one record is dated in the future', async () => {
    const { open } = await imported([...logs(), makeOutcome({ task: 'other', atMs: NOW + 90 * DAY })]);
    const loop = open();
    const { patterns, untilMs } = await periods.readPeriod(loop);
    expect(untilMs).toBe(NEWEST);
    expect(patterns.map(({ issue }) => issue)).toEqual(['network']);
    await loop.close();
  });
});

describe('rankPatterns', () => {
  it('puts no slow success above work that failed, however much time it cost', () => {
    const analyzer = new Analyzer();
    const at = (index: number) => ({ atMs: NEWEST - 10 * DAY + index * (HOUR / 10) });
    for (let index = 0; index < 2_000; index++) {
      const durationMs = index < 1_000 ? 1_000 : 3_600_000;
      analyzer.absorb([makeOutcome({ ...at(index), durationMs })]);
    }
    for (const index of [1_997, 1_998, 1_999]) analyzer.absorb([makeFailure('network', 'refused', at(index))]);
    const patterns = analyzer.patterns(NEWEST);
    expect(patterns.map(({ kind }) => kind)).toEqual(['failure', 'slow']);
    expect(patterns[1]?.impact.score).toBeGreaterThan(100 * (patterns[0]?.impact.score ?? 0));
    expect(ranking.rankPatterns([...patterns].reverse())).toEqual(patterns);
  });
});
