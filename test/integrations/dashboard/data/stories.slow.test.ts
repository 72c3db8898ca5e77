import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { deciding } from 'rsi-loop/kit';
import { FileStore } from 'rsi-loop/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';
import type { LedgerView } from '../../../../integrations/dashboard/views.js';
import { networkError, World } from '../../../scenarios/world.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-loop-stories-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Ids contain the name of their process, and arms are drawn by id: these are the same in every run. */
const storeOf = (writer: string) => new FileStore(folder, { writer });
const flaky = (world: World) => () => (world.happens(0.25) ? networkError() : undefined);

describe('a dashboard beside a running agent', () => {
  it('shows the proposal, approves it, draws its trial and its verdict, and rolls it back', async () => {
    const agent = new World({ store: storeOf('agent0000000'), autoFix: false });
    await agent.work(60, flaky(agent), { cycleEvery: 30 });
    const beside = new RSILoop({ store: storeOf('viewer000000'), clock: agent.clock });
    const data = new DashboardData({ loop: beside, store: folder, folder, clock: agent.clock });

    const proposed = (await data.view('overview'))?.waiting[0];
    expect(proposed).toMatchObject({
      task: 'api_call',
      title: 'up to 2 more attempts after network',
      status: 'proposed',
      may: ['approve', 'reject', 'apply'],
      wait: { kind: 'decide', sentence: 'Approve it to start a trial, or reject it.' },
    });
    const id = proposed?.id ?? '';
    expect((await data.view('overview'))?.worst[0]?.fix).toEqual({ id, status: 'proposed' });
    await data.decide({ verb: 'approve', fixId: id, by: 'ada', reason: 'Worth a try.' });
    expect(await data.view('status')).toMatchObject({ waiting: 0 });

    await agent.work(40, flaky(agent), { cycleEvery: 8 });
    await data.refresh();
    expect((await data.view('overview'))?.trials).toMatchObject([{ fix: { id }, phase: 'running', unit: 'task' }]);
    const running = await data.view('fix', { id });
    expect(running?.points.length).toBeGreaterThan(2);
    expect(running?.lines).toMatchObject({ harm: 20, noEffect: 10 });
    expect(running?.change).toEqual([{ name: 'retries.network', before: 0, after: 2 }]);

    const isOver = () => agent.loop.fixes()[0]?.verdict !== undefined;
    for (let round = 0; round < 40 && !isOver(); round++) await agent.work(50, flaky(agent), { cycleEvery: 25 });
    await data.refresh();
    expect((await data.view('trials'))?.trials).toMatchObject([
      { fix: { id, may: ['rollback'] }, phase: 'holdout', verdict: { kind: 'confirmed' } },
    ]);
    const proven = await data.view('fix', { id });
    const figures = proven?.row && (await data.view('overview'))?.verdicts[0]?.verdict;
    const atVerdict = figures && 'figures' in figures ? figures.figures : undefined;
    expect(proven?.points.at(-1)?.fix).toEqual({ tasks: atVerdict?.fix.tasks, failures: atVerdict?.fix.failures });
    expect((await data.view('settings'))?.settings).toContainEqual(
      expect.objectContaining({ setting: 'retries.network', value: 2, setBy: expect.objectContaining({ id }) }),
    );

    await data.decide({ verb: 'rollback', fixId: id, by: 'ben', reason: 'We moved to another network.' });
    await agent.loop.runCycle();
    expect(agent.loop.fixes()[0]).toMatchObject({ status: 'rolled-back' });
    expect((await data.view('review'))?.decided[0]).toMatchObject({ id, status: 'rolled-back', may: ['reconsider'] });
    const { entries = [] } = (await data.view('ledger')) ?? {};
    expect(entries[0]).toMatchObject({ by: 'ben', kind: 'fix-rolled-back', reason: 'We moved to another network.' });
    expect((await data.view('ledger', { who: 'ada' }))?.entries).toHaveLength(1);
    expect((await data.view('ledger', { kind: 'fix-confirmed' }))?.entries).toHaveLength(1);
    const paged: number[] = [];
    for (let before: string | undefined = '999999'; before !== undefined; ) {
      const page: LedgerView | undefined = await data.view('ledger', { before, limit: '3' });
      paged.push(...(page?.entries.map(({ position }) => position) ?? []));
      before = page?.next === undefined ? undefined : String(page.next);
    }
    expect(paged).toEqual(entries.map(({ position }) => position));
    await data.close();
    await beside.close();
    await agent.loop.close();
  });

  it('keeps the course of an ended trial for a dashboard that is opened later', async () => {
    const agent = new World({ store: storeOf('agent0000000') });
    await agent.work(400, flaky(agent), { cycleEvery: 5 });
    const [fix] = agent.loop.fixes();
    await agent.loop.rollback(fix?.id ?? '', { by: 'ada' });
    await agent.loop.runCycle();
    const course = agent.loop.verifier.course(fix?.id as never);
    expect(course.length).toBeGreaterThan(2);
    await agent.loop.close();
    const later = new RSILoop({ store: storeOf('viewer000000'), clock: agent.clock });
    const data = new DashboardData({ loop: later, store: folder, clock: agent.clock });
    expect((await data.view('fix', { id: fix?.id ?? '' }))?.points).toEqual(course);
    expect(await data.view('status')).toMatchObject({ hasUnread: false });
    await data.close();
    await later.close();
  });
});

describe('the decisions offered', () => {
  it('are those that the ledger allows', async () => {
    const agent = new World({ autoFix: false });
    await agent.work(60, flaky(agent), { cycleEvery: 30 });
    const seen: string[] = [];
    const look = () => {
      const [fix] = agent.loop.fixes();
      if (fix) seen.push(`${fix.status}: ${deciding.legalDecisions(fix).join(' ')}`);
      return fix?.id ?? '';
    };
    await agent.loop.approve(look(), { by: 'ada' });
    look();
    await agent.loop.runCycle();
    await agent.loop.rollback(look(), { by: 'ada' });
    look();
    expect(seen).toEqual([
      'proposed: approve reject apply',
      'approved: reject apply',
      'trial: rollback',
      'rolled-back: reconsider',
    ]);
    await agent.loop.close();
  });
});

describe('hostile texts', () => {
  it('reach the views as they were recorded, and never change a view', async () => {
    const texts = [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      'javascript:alert(1)',
      '\u202Eevil\u202C',
      '__proto__',
      '{{7*7}} #{7*7}',
      'x'.repeat(100_000),
    ];
    const agent = new World();
    const data = new DashboardData({ loop: agent.loop, store: 'memory', clock: agent.clock });
    for (const text of texts) {
      for (let count = 0; count < 4; count++) {
        agent.loop.observer.recordSimple(text, { success: false, error: text, session: text, model: text, tool: text });
      }
    }
    await agent.loop.runCycle();
    const { patterns = [] } = (await data.view('patterns')) ?? {};
    expect(patterns).toHaveLength(texts.length);
    const { sessions = [] } = (await data.view('sessions')) ?? {};
    expect(sessions).toHaveLength(texts.length);
    expect(sessions.map(({ id }) => id)).toEqual(expect.arrayContaining(texts.slice(0, 3)));
    for (const { id } of patterns) {
      const view = await data.view('pattern', { id });
      expect(view?.sessions).toHaveLength(1);
      expect(view?.examples).toHaveLength(1);
    }
    for (const { id, calls } of sessions) {
      expect(calls).toBe(4);
      expect(Object.keys((await data.view('session', { id }))?.patterns ?? {})).toHaveLength(4);
    }
    expect(JSON.stringify(await data.view('models')).length).toBeLessThan(100_000);
    expect((await data.view('sessions', { q: texts[0] }))?.found).toBe(1);
    await data.close();
    await agent.loop.close();
  });
});
