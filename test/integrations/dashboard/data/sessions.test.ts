import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';
import { RecentOutcomes } from '../../../../integrations/dashboard/data/recent-outcomes.js';
import { tailOf } from '../../../../integrations/dashboard/data/tail.js';

let folder: string;
let loop: RSILoop;
let data: DashboardData;
const clock = new ManualClock();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-loop-sessions-'));
  loop = new RSILoop({ store: new FileStore(folder, { clock }), clock, autoFix: false });
  data = new DashboardData({ loop, store: folder, clock });
});
afterEach(async () => {
  await data.close();
  await loop.close();
  rmSync(folder, { recursive: true, force: true });
});

function record(session: string | undefined, error?: string, more: Record<string, unknown> = {}): void {
  clock.set(clock.now() + 1_000);
  loop.observer.recordSimple('post_invoice', {
    success: error === undefined,
    ...(error !== undefined && { error }),
    ...(session !== undefined && { session }),
    model: 'sonnet',
    tool: 'erp.post',
    durationMs: 400,
    tokens: { input: 100, output: 20 },
    ...more,
  });
}

describe('the sessions of the dashboard', () => {
  it('shows from a pattern the sessions it happened in, and from a session its patterns', async () => {
    for (let number = 0; number < 30; number++) {
      record(`run-${number}`);
      record(`run-${number}`, number % 3 === 0 ? `connect ECONNRESET 10.0.0.${number}` : undefined);
    }
    record(undefined, 'connect ECONNRESET 10.0.0.99');
    await loop.runCycle();
    const pattern = (await data.view('patterns'))?.patterns[0];
    await data.view('sessions');
    const shown = await data.view('pattern', { id: pattern?.id ?? '' });
    expect(shown).toMatchObject({ pattern: { count: 11 }, searched: 61 });
    expect(shown?.sessions.map(({ id }) => id)).toEqual(
      Array.from({ length: 10 }, (_, index) => `run-${27 - 3 * index}`),
    );
    expect(shown?.outcomes).toMatchObject([{ error: { message: 'connect ECONNRESET 10.0.0.99' } }]);
    expect(shown?.examples).toMatchObject([{ count: 11 }]);
    expect(shown?.occurrences.reduce((sum, count) => sum + count, 0)).toBe(11);

    const session = await data.view('session', { id: 'run-27' });
    expect(session).toMatchObject({
      session: { calls: 2, failures: 1, tokens: 240, models: ['sonnet'], lastFailure: { issue: 'network' } },
      omitted: 0,
    });
    expect(Object.values(session?.patterns ?? {})).toEqual([pattern?.id]);
    expect(await data.view('session', { id: 'run-1' })).toMatchObject({ patterns: {} });
  });

  it('finds sessions by pattern, task, model, tool and words', async () => {
    for (let number = 0; number < 5; number++) record(`run-${number}`, number < 2 ? 'connect ECONNRESET' : undefined);
    record('other', undefined, { tool: 'mail.send', agent: 'Postbote' });
    await loop.runCycle();
    const id = (await data.view('patterns'))?.patterns[0]?.id ?? '';
    const ids = async (params: Record<string, string>) => {
      const view = await data.view('sessions', params);
      expect(view?.searched).toBe(6);
      return view?.sessions.map((session) => session.id);
    };
    expect(await ids({})).toEqual(['other', 'run-4', 'run-3', 'run-2', 'run-1', 'run-0']);
    expect(await ids({ pattern: id })).toEqual(['run-1', 'run-0']);
    expect(await ids({ pattern: 'none' })).toEqual([]);
    expect(await ids({ tool: 'mail.send' })).toEqual(['other']);
    expect(await ids({ q: 'POSTBOTE' })).toEqual(['other']);
    expect(await ids({ q: 'econnreset' })).toEqual(['run-1', 'run-0']);
    expect(await ids({ model: 'sonnet', task: 'post_invoice', limit: '2' })).toEqual(['other', 'run-4']);
    await expect(data.view('sessions', { limit: '-1' })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('follows what cycles count, and forgets what was erased', async () => {
    record('first');
    await loop.runCycle();
    expect(await data.view('sessions')).toMatchObject({ found: 1 });
    record('second');
    await loop.runCycle();
    await data.refresh();
    expect(await data.view('sessions')).toMatchObject({ found: 2 });
    await loop.erase({ session: 'first' });
    await data.refresh();
    await data.refresh();
    expect((await data.view('sessions'))?.sessions.map(({ id }) => id)).toEqual(['second']);
  });

  it('keeps the newest outcomes and drops sessions with none of them', async () => {
    const recent = new RecentOutcomes(loop, { limit: 100 });
    for (let number = 0; number < 1_000; number++) record(`run-${number}`, number % 2 === 0 ? 'timed out' : undefined);
    await loop.runCycle();
    await recent.follow();
    expect([recent.size, recent.sessions.size]).toEqual([100, 100]);
    for (let number = 0; number < 250; number++) record('long');
    await loop.runCycle();
    await recent.follow();
    expect([recent.size, [...recent.sessions.keys()], recent.ofSession('long').length]).toEqual([100, ['long'], 100]);
    expect(recent.ofIssue('post_invoice', 'timeout')).toEqual([]);
    recent.close();
  });
});

describe('the tail of the journal', () => {
  const alive = (...names: string[]) => names.map((writer) => ({ writer, alive: true, watermarkMs: 0 }));

  it('is read from living processes in equal parts, then from those that ended last', () => {
    expect(tailOf({ a: 1_000 }, alive('a'), 100)).toEqual({ a: 900 });
    expect(tailOf({ a: 1_000, b: 30, c: 500 }, alive('a', 'b', 'c'), 100)).toEqual({ a: 965, b: 0, c: 465 });
    expect(tailOf({ a: 50, b: 30, c: 500 }, alive('b'), 100)).toEqual({ a: 50, b: 0, c: 430 });
    expect(tailOf({ a: 50, b: 30 }, [], 1_000)).toEqual({ a: 0, b: 0 });
    expect(tailOf({}, [], 10)).toEqual({});
  });
});
