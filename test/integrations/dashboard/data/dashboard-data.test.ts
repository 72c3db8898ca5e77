import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { MemoryStore, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';
import { checkLoop } from '../../../../integrations/dashboard/data/store-checks.js';
import type { DashboardEvent } from '../../../../integrations/dashboard/views.js';

const HOUR_MS = 3_600_000;
let clock: ManualClock;
let loop: RSILoop;
let data: DashboardData;

beforeEach(() => {
  clock = new ManualClock();
  loop = new RSILoop({ clock, autoFix: false });
  data = new DashboardData({ loop, store: 'memory', clock });
});
afterEach(async () => {
  await data.close();
  await loop.close();
});

async function call(times: number, error?: string): Promise<void> {
  for (let count = 0; count < times; count++) {
    await clock.advance(HOUR_MS / 10);
    const failed = error !== undefined && count % 3 === 0;
    await loop
      .run('api_call', () => (failed ? Promise.reject(new Error(error)) : Promise.resolve('ok')), {
        idempotent: true,
        models: ['sonnet'],
      })
      .catch(() => undefined);
  }
}

describe('the dashboard of an empty store', () => {
  it('has every view, with nothing in it', async () => {
    expect(await data.view('overview')).toMatchObject({
      health: { known: false },
      confirmedSince: 0,
      worst: [],
      patterns: 0,
      trials: [],
      waiting: [],
      timeline: { failures: [] },
    });
    expect(await data.view('patterns')).toMatchObject({ patterns: [] });
    expect(await data.view('pattern', { id: 'none' })).toBeUndefined();
    expect(await data.view('sessions')).toEqual({ sessions: [], found: 0, searched: 0 });
    expect(await data.view('session', { id: 'none' })).toBeUndefined();
    expect(await data.view('trials')).toMatchObject({ trials: [], alpha: { budget: 0.05, opened: 0, next: 0.025 } });
    expect(await data.view('review')).toEqual({ waiting: [], blocked: [], remarks: [], decided: [] });
    expect(await data.view('models')).toMatchObject({ rows: [] });
    expect((await data.view('settings'))?.settings.length).toBeGreaterThan(5);
    expect(await data.view('ledger')).toMatchObject({ entries: [], chain: { state: 'intact' } });
    expect(await data.view('status')).toMatchObject({
      store: 'memory',
      durability: 'memory',
      simulated: false,
      waiting: 0,
      problems: [],
    });
    await expect(data.view('fix', { id: 'none' })).rejects.toMatchObject({ code: 'unknown-fix' });
  });
});

describe('the dashboard of a large store', () => {
  it('answers with the overview before it reads the newest outcomes', async () => {
    await call(30, 'connect ECONNRESET');
    await loop.runCycle();
    const { journal } = loop.store;
    const read = journal.read.bind(journal);
    let isAnswered = false;
    const readings: boolean[] = [];
    vi.spyOn(journal, 'read').mockImplementation((after, upTo) => {
      if (upTo !== undefined) readings.push(isAnswered);
      return read(after, upTo);
    });
    await Promise.all([
      data.view('status'),
      data.view('overview').then(() => {
        isAnswered = true;
      }),
    ]);
    await vi.waitFor(() => expect(readings).toEqual([true]));
    expect(await data.view('sessions')).toMatchObject({ searched: 30 });
  });
});

describe('the dashboard of a failing agent', () => {
  it('shows what fails, when, and what waits for a person', async () => {
    await call(240, 'connect ECONNRESET');
    await loop.runCycle();
    const overview = await data.view('overview');
    expect(overview).toMatchObject({
      health: { known: true },
      patterns: 1,
      worst: [{ task: 'api_call', issue: 'network', count: 80 }],
      waiting: [{ kind: 'policy', status: 'proposed', may: ['approve', 'reject', 'apply'] }],
    });
    const sum = (counts: readonly number[] = []) => counts.reduce((total, count) => total + count, 0);
    expect(sum(overview?.timeline.tasks)).toBe(240);
    expect(sum(overview?.timeline.failures[0]?.counts)).toBe(80);
    expect(sum(overview?.worst[0]?.trendLine)).toBeGreaterThan(70);
    expect((await data.view('status'))?.waiting).toBe(1);
  });

  it('counts messages together that differ only by a number that the template leaves open', async () => {
    for (let number = 0; number < 30; number++) {
      const status = number % 3 === 0 ? 500 : 422;
      const error = `erp.post rejected INV-${41_000 + number}: ${status} from tax_service`;
      loop.observer.recordSimple('post', { success: false, error, issues: ['validation'] });
      loop.observer.recordSimple('post', { success: true });
    }
    await loop.runCycle();
    const { patterns = [] } = (await data.view('patterns')) ?? {};
    await data.view('sessions');
    expect(patterns).toMatchObject([{ template: 'erp.post rejected <*> from tax_service', count: 30 }]);
    const view = await data.view('pattern', { id: patterns[0]?.id ?? '' });
    expect(view?.examples).toMatchObject([{ message: expect.stringMatching(/^erp.post rejected INV-41/), count: 30 }]);
  });

  it('takes the decisions of a person', async () => {
    await call(240, 'connect ECONNRESET');
    await loop.runCycle();
    const fixId = (await data.view('review'))?.waiting[0]?.id ?? '';
    await expect(data.decide({ verb: 'reject', fixId, by: 'ada' })).rejects.toMatchObject({ code: 'invalid-input' });
    await expect(data.decide({ verb: 'approve', by: 'ada' })).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await data.decide({ verb: 'approve', fixId, by: 'ada' })).toMatchObject({
      id: fixId,
      status: 'approved',
      may: ['reject', 'apply'],
    });
    const events: DashboardEvent[] = [];
    data.onEvent((event) => events.push(event));
    await loop.runCycle();
    await clock.advance(5_000);
    await data.refresh();
    expect(events).toContainEqual(expect.objectContaining({ kind: 'happened', fixId }));
    expect(events).toContainEqual({ kind: 'changed', views: expect.arrayContaining(['status', 'review', 'trials']) });
    expect(await data.view('trials')).toMatchObject({ trials: [{ fix: { id: fixId }, phase: 'running' }] });
    expect(await data.view('trials', { range: '30d' })).toMatchObject({ trials: [{ fix: { id: fixId } }] });
    await data.decide({ verb: 'freeze', by: 'ada', reason: 'we deploy' });
    await data.refresh();
    expect(await data.view('status')).toMatchObject({ frozen: { by: 'ada', reason: 'we deploy' } });
    expect(await data.view('ledger')).toMatchObject({
      entries: expect.arrayContaining([expect.objectContaining({ kind: 'frozen', by: 'ada', reason: 'we deploy' })]),
    });
  });
});

describe('the store as the dashboard shows it', () => {
  it('is what rsi doctor finds, with advice for what is damaged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-loop-dashboard-'));
    const ofFolder = new RSILoop({ store: new FileStore(folder) });
    ofFolder.observer.recordSimple('api_call', { success: true });
    await ofFolder.runCycle();
    const shown = new DashboardData({ loop: ofFolder, store: folder, folder });
    expect(await shown.view('store')).toMatchObject({
      facts: expect.arrayContaining([{ name: 'ledger', value: '1 entry, an unbroken chain' }]),
      findings: [{ level: 'ok', message: 'Nothing needs attention.' }],
    });
    await shown.close();
    await ofFolder.close();
    writeFileSync(join(folder, 'store.json'), 'not what it was');
    const damaged = await checkLoop(ofFolder, { name: folder });
    expect(damaged.findings).toMatchObject([{ level: 'attention', message: 'format: store.json is damaged' }]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is the folder or the database of the loop, also if it was given by a path or an address', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-loop-dashboard-'));
    const byPath = new RSILoop({ store: folder });
    await byPath.runCycle();
    const shown = new DashboardData({ loop: byPath });
    expect((await shown.view('status'))?.store).toBe(folder);
    expect((await shown.view('store'))?.facts[0]).toEqual({ name: 'store', value: folder });
    await shown.close();
    await byPath.close();
    rmSync(folder, { recursive: true, force: true });
    const { journal, ledger, snapshots, coordination } = new MemoryStore();
    const parts = { journal, ledger, snapshots, coordination };
    const checks = [{ name: 'rights', ok: false, found: 'app may only read', advice: 'grant its role' }];
    const database = new RSILoop({ store: Object.assign(parts, { name: 'a database', check: async () => checks }) });
    const other = new DashboardData({ loop: database });
    expect(await other.view('store')).toEqual({
      facts: [
        { name: 'store', value: 'a database' },
        { name: 'rights', value: 'app may only read' },
      ],
      findings: [{ level: 'attention', message: 'rights: app may only read', advice: 'grant its role' }],
    });
    await other.close();
    await database.close();
  });

  it('is memory without a folder', async () => {
    expect(await data.view('store')).toMatchObject({ facts: [{ name: 'store', value: 'memory' }] });
  });

  it('is named as lost if another version wrote it, with nothing else shown', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-loop-dashboard-'));
    const other = new FileStore(folder);
    await other.ledger.append(
      [{ kind: 'marked', atMs: 1, by: 'ada', what: 'deploy', label: '1' }],
      await other.ledger.head(),
    );
    await other.close();
    const rest = '"format":99,"kind":"store","product":"rsi-loop"}\n';
    writeFileSync(join(folder, 'store.json'), `{"crc":"${crc32(rest.trim()).toString(16).padStart(8, '0')}",${rest}`);
    const ofFolder = new RSILoop({ store: new FileStore(folder) });
    const shown = new DashboardData({ loop: ofFolder, store: folder, folder });
    expect((await shown.view('status'))?.stale).toMatch(/could not be read/);
    expect((await shown.view('status'))?.problems[0]?.message).toMatch(/store/);
    expect((await shown.view('store'))?.findings[0]).toMatchObject({ level: 'attention' });
    expect(await shown.view('overview')).toMatchObject({ patterns: 0 });
    await shown.close();
    await ofFolder.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
