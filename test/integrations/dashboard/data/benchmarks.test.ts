import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { BenchHistory, baselineId, comparisonId, FileRuns, race, Suite } from 'rsi-loop/bench';
import { FileLog, type ImprovementStep, iterate } from 'rsi-loop/improve';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchFolder } from '../../../../integrations/dashboard/data/bench-source.js';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';
import type { DashboardEvent } from '../../../../integrations/dashboard/views.js';
import { ManualClock } from '../../../../src/testing/manual-clock.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-benchmarks-'));
const RIGHT = { prompts: { system: 'with cents' } };
const PROBLEMS = Array.from({ length: 12 }, (_, index) => ({
  id: `invoice ${index}`,
  input: index,
  split: index % 2 === 0 ? ('open' as const) : ('held-out' as const),
}));
/** Solves half of the problems, and all of them with the right prompt; one never. */
const suite = new Suite('amounts', {
  problems: PROBLEMS,
  run: ({ input }, { prompts }) => {
    if (input === 5) throw new Error('no such file');
    return Number(prompts.system?.includes('cents') ?? Number(input) % 4 < 2);
  },
  score: Number,
  clock: new ManualClock(1_000),
});

describe('benchmarks and improvements of a folder', () => {
  const loop = new RSILoop();
  const data = new DashboardData({ loop, store: 'memory', bench: benchFolder(folder) });
  const history = new BenchHistory(folder);
  const runs = new FileRuns(folder);
  const log = new FileLog<ImprovementStep>(folder);
  beforeAll(async () => {
    await loop.ready();
    const start = { suite: suite.name, atMs: 5 };
    await history.start({
      ...start,
      seed: 1,
      action: 'baseline',
      candidates: [],
      runs: baselineId(suite, { seed: 1 }),
    });
    const { score } = await suite.baseline({ seed: 1, runs });
    await history.end({ seed: 1, atMs: 6, score });
    const candidates = [{ name: 'cents', ...RIGHT }];
    const id = comparisonId(suite, candidates, { seed: 2 });
    await history.start({ ...start, seed: 2, action: 'compare', candidates, runs: id });
    await history.end({ seed: 2, atMs: 7, comparisons: await race(suite, candidates, { seed: 2, runs }) });
    await history.start({ ...start, seed: 3, action: 'baseline', candidates: [], runs: '../secret' });
    const propose = () => [
      { variant: { name: 'cents', ...RIGHT }, hypothesis: 'cents are missing', expectedGain: 0.4 },
    ];
    await iterate(suite, { propose, rounds: 1, draftSteps: 1, runs, log });
    await Promise.all([history.close(), runs.close(), log.close()]);
  });
  afterAll(async () => {
    await data.close();
    await loop.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('counts a version that waits until a person decides, and writes an approved one for the agent', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'rsi-benchmarks-'));
    cpSync(folder, copy, { recursive: true });
    const file = join(copy, 'approved.json');
    const own = new DashboardData({ loop, store: 'memory', bench: benchFolder(copy, file) });
    const waits = async () => (await own.view('status'))?.versionsWaiting;
    expect(await waits()).toBe(1);
    const versionId = (await own.view('benchmarks'))?.improvements[0]?.waiting?.version ?? '';
    await own.decide({ verb: 'reject-version', versionId, by: 'ada', reason: 'too long' });
    expect(await waits()).toBe(0);
    expect(existsSync(file)).toBe(false);
    await own.decide({ verb: 'approve-version', versionId, by: 'ada' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: versionId, by: 'ada', ...RIGHT });
    expect((await own.view('benchmarks'))?.improvements[0]?.waiting).toBeUndefined();
    await expect(own.decide({ verb: 'approve-version', versionId: 'none', by: 'ada' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    await own.close();
    rmSync(copy, { recursive: true });
  });

  it('lists them, newest first, with results and who waits for a person', async () => {
    const view = await data.view('benchmarks');
    expect(view?.folder).toBe(folder);
    expect(view?.benchmarks.map(({ id, isDone }) => [id, isDone])).toEqual([
      ['3', false],
      ['2', true],
      ['1', true],
    ]);
    expect(view?.benchmarks[1]?.results).toMatchObject([{ candidate: 'cents', kind: 'better' }]);
    expect(view?.benchmarks[2]?.score?.of).toBe(36);
    const [improvement] = view?.improvements ?? [];
    expect(improvement).toMatchObject({ suite: 'amounts', rounds: 1, kept: 1, versions: 2, ended: 'rounds' });
    expect(improvement?.scores).toEqual({ before: 0.5, best: 1 });
    expect(improvement?.waiting).toEqual({ version: expect.stringMatching(/^[0-9a-f]{12}$/), changesFiles: false });
  });

  it('shows the score of each version on each problem, the last error, and what a candidate changes', async () => {
    const view = await data.view('benchmark', { id: '2' });
    expect(view?.versions).toEqual(['as it is', 'cents']);
    expect(view?.changes).toEqual([
      { candidate: 'cents', change: [{ name: 'text system', before: null, after: 'with cents' }] },
    ]);
    const rows = new Map(view?.problems.map((row) => [row.id, row]));
    expect(rows.get('invoice 2')?.scores.map((one) => one?.score)).toEqual([0, 1]);
    expect(rows.get('invoice 5')).toMatchObject({ error: 'Error: no such file' });
    expect(view?.problems[0]?.scores[0]?.score).toBe(0);
    const baseline = await data.view('benchmark', { id: '1' });
    expect(baseline?.problems).toHaveLength(12);
    expect(baseline?.means).toMatchObject([{ runs: 36 }]);
  });

  it('shows rounds with expected and measured gain, the archive as a tree, and one version', async () => {
    const [row] = (await data.view('benchmarks'))?.improvements ?? [];
    const view = await data.view('improvement', { id: row?.id });
    expect(view?.rounds).toMatchObject([{ round: 1, expected: 0.4, isKept: true, result: { kind: 'better' } }]);
    expect(view?.archive.map(({ depth, name }) => [depth, name])).toEqual([
      [0, 'as it is'],
      [1, 'cents'],
    ]);
    expect(view?.version).toMatchObject({ row: { name: 'cents' }, hypotheses: [{ expectedGain: 0.4 }] });
    const first = view?.archive[0]?.id;
    const asked = await data.view('improvement', { id: row?.id, version: first });
    expect(asked?.version).toMatchObject({ row: { name: 'as it is' }, change: [] });
  });

  it('finds nothing under an unknown id, and reads no file outside of the folder', async () => {
    for (const id of ['9', '', '../1']) {
      expect(await data.view('benchmark', { id })).toBeUndefined();
      expect(await data.view('improvement', { id })).toBeUndefined();
    }
    await expect(data.view('benchmark', { id: '3' })).rejects.toThrow('"../secret" is not the name of a file');
  });

  it('says that there are new results', async () => {
    const other = mkdtempSync(join(tmpdir(), 'rsi-benchmarks-'));
    const own = new DashboardData({ loop, store: 'memory', bench: benchFolder(other) });
    const events: DashboardEvent[] = [];
    own.onEvent((event) => {
      if (event.kind === 'changed' && event.views.includes('benchmarks')) events.push(event);
    });
    await own.refresh();
    events.length = 0;
    await own.refresh();
    expect(events).toEqual([]);
    const added = new BenchHistory(other);
    await added.start({ suite: 'amounts', atMs: 9, seed: 4, action: 'run', candidates: [], runs: 'abc' });
    await added.close();
    await own.refresh();
    expect(events).toEqual([{ kind: 'changed', views: ['benchmarks'] }]);
    await own.close();
    rmSync(other, { recursive: true });
  });

  it('are absent from a dashboard without a folder', async () => {
    const bare = new DashboardData({ loop, store: 'memory' });
    expect(await bare.view('benchmarks')).toEqual({ benchmarks: [], improvements: [] });
    expect(await bare.view('benchmark', { id: '1' })).toBeUndefined();
    await bare.close();
  });
});
