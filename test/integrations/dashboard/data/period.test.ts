import { MemoryStore, RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';
import { readChosenTime } from '../../../../integrations/dashboard/time-range.js';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 10, 12);
let clock: ManualClock;
let loop: RSILoop;
let data: DashboardData;

beforeEach(() => {
  clock = new ManualClock(NOW);
  loop = new RSILoop({ store: new MemoryStore(), clock, autoFix: false });
  data = new DashboardData({ loop, store: 'memory', clock });
});
afterEach(async () => {
  await data.close();
  await loop.close();
});

interface Recorded {
  readonly daysAgo: number;
  readonly error?: string;
  readonly session: string;
  readonly model?: string;
}

function record({ daysAgo, error, session, model = 'sonnet' }: Recorded): void {
  loop.observer.recordSimple('read_page', {
    success: error === undefined,
    ...(error !== undefined && { error }),
    atMs: NOW - daysAgo * DAY_MS,
    session,
    model,
    context: { project: 'shop' },
  });
}

/** Six sessions of each time: two of them fail. Failures of last year have another message. */
async function recordTwoTimes(): Promise<void> {
  for (let number = 0; number < 6; number++) {
    const fails = number < 2;
    record({
      daysAgo: 200,
      session: `old-${number}`,
      model: 'haiku',
      ...(fails && { error: 'the page has no text' }),
    });
    record({ daysAgo: 1, session: `new-${number}`, ...(fails && { error: 'connect ECONNRESET 10.0.0.1' }) });
  }
  await loop.runCycle();
}

describe('the period of the dashboard', () => {
  it('covers the newest days, and all records or a few days of last year once they are chosen', async () => {
    await recordTwoTimes();
    const messages = async (range?: string) =>
      (await data.view('patterns', { range }))?.patterns.map(({ template }) => template).sort();
    expect(await messages()).toEqual(['connect ECONNRESET <*>']);
    expect(await messages('all')).toEqual(['connect ECONNRESET <*>', 'the page has no text']);
    expect(await messages('2025-11-20..2025-11-24')).toEqual(['the page has no text']);
    expect(await messages('30d')).toEqual(['connect ECONNRESET <*>']);

    const [old] = (await data.view('patterns', { range: '2025-11-20..2025-11-24' }))?.patterns ?? [];
    const shown = await data.view('pattern', { range: '2025-11-20..2025-11-24', id: old?.id });
    expect(shown?.sessions.map(({ id }) => id)).toEqual(['old-1', 'old-0']);
    expect(shown?.occurrences.reduce((sum, count) => sum + count, 0)).toBe(2);
    const overview = await data.view('overview', { range: 'all' });
    expect(overview).toMatchObject({ patterns: 2, health: { known: true } });
    const sessions = await data.view('sessions', { range: '30d' });
    expect(sessions?.found).toBe(6);
  });

  it('shows records that arrive while a period is chosen', async () => {
    await recordTwoTimes();
    await data.view('patterns', { range: 'all' });
    record({ daysAgo: 0, session: 'newest', error: 'quota of 500 used up' });
    await loop.runCycle();
    await data.refresh();
    const view = await data.view('patterns', { range: 'all' });
    expect(view?.patterns.map(({ template }) => template)).toContain('quota of <*> used up');
  });

  it('leaves decisions and trials of other times out of the ledger and the trials', async () => {
    await recordTwoTimes();
    await loop.freeze({ by: 'ann', reason: 'a look' });
    const kinds = async (range?: string) => (await data.view('ledger', { range }))?.entries.map(({ kind }) => kind);
    expect(await kinds()).toContain('frozen');
    expect(await kinds('30d')).toContain('frozen');
    expect(await kinds('2025-11-20..2025-11-24')).toEqual([]);
    expect((await data.view('trials', { range: '2025-11-20..2025-11-24' }))?.trials).toEqual([]);
    await expect(data.view('ledger', { range: 'yesterday' })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('says what to give if the address states no time', async () => {
    await recordTwoTimes();
    await expect(data.view('patterns', { range: 'yesterday' })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('30d, all, or two days'),
    });
    for (const text of ['', '0d', '99999d', '2026-02-30x..', '2026-02-02..2026-02-01', 'all ']) {
      expect(readChosenTime(text), text).toBeUndefined();
    }
  });

  it('says for each pattern in which sessions, models and repositories it is', async () => {
    await recordTwoTimes();
    const view = await data.view('patterns', { range: 'all' });
    expect(view?.sessions).toBe(12);
    expect(view?.all).toMatchObject({
      model: [
        ['haiku', 6],
        ['sonnet', 6],
      ],
      repository: [['shop', 12]],
    });
    const old = view?.patterns.find(({ template }) => template === 'the page has no text');
    expect(old).toMatchObject({ sessions: 2, facets: { model: [['haiku', 2]], repository: [['shop', 2]] } });
  });
});
