import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { orchestrate, RunFolder } from 'rsi-loop/orchestrate';
import { afterAll, describe, expect, it } from 'vitest';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';
import { runFolderPlace } from '../../../../integrations/dashboard/data/run-folder-place.js';
import { readDecision } from '../../../../integrations/dashboard/server/decision.js';
import type { DashboardEvent } from '../../../../integrations/dashboard/views.js';
import { KeptRuns } from '../../../../integrations/reports/kept-runs.js';

const home = mkdtempSync(join(tmpdir(), 'rsi-runs-data-'));
const loop = new RSILoop();
afterAll(async () => {
  await loop.close();
  rmSync(home, { recursive: true, force: true });
});

/** A folder with a run that ended with a failure, and data of a dashboard that shows it. */
async function failedRun(name: string) {
  const folder = join(home, name);
  await orchestrate(loop, {
    ...{ id: 'nightly', folder },
    tasks: [
      { id: 'read', worker: 'read' },
      { id: 'parse', worker: 'parse', after: ['read'] },
      { id: 'report', worker: 'read', after: ['parse'] },
    ],
    workers: {
      read: () => ({ pages: 3, note: 'key sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789' }),
      parse: () => {
        throw new TypeError('no header in line 1');
      },
    },
  });
  return { folder, data: new DashboardData({ loop, store: 'memory', runs: new KeptRuns(runFolderPlace(folder)) }) };
}

describe('runs of a folder', () => {
  it('are shown with their tasks: failed ones first, with reasons, attempts and times, and without secrets', async () => {
    const { data } = await failedRun('shown');
    const [row] = (await data.view('runs'))?.runs ?? [];
    expect(row).toMatchObject({
      id: 'nightly',
      status: 'failed',
      isOpen: false,
      tasks: 3,
      counts: { done: 1, failed: 1 },
    });
    const view = await data.view('run', { id: 'nightly', task: 'read' });
    expect(view?.tasks.map(({ id, status, reason }) => [id, status, reason])).toEqual([
      ['parse', 'failed', 'TypeError: no header in line 1'],
      ['read', 'done', undefined],
      ['report', 'skipped', 'parse did not succeed'],
    ]);
    expect(view?.tasks[0]).toMatchObject({
      worker: 'parse',
      after: ['read'],
      attempts: 1,
      beganMs: expect.any(Number),
    });
    expect(view?.task).toMatchObject({ row: { id: 'read' }, dependents: ['parse'] });
    expect(view?.task?.result).toContain('"pages":3');
    expect(view?.task?.result).not.toContain('sk-ant');
    expect(await data.view('run', { id: 'other' })).toBeUndefined();
    expect((await data.view('run', { id: 'nightly', task: 'other' }))?.task).toBeUndefined();
    await data.close();
  });

  it('that nobody has can be cancelled, once', async () => {
    const { folder, data } = await failedRun('cancelled');
    const store = new RunFolder(folder);
    const task = { id: 'a', worker: 'w' };
    await store.add('killed', { kind: 'started', name: 'n', tasks: [task], atMs: 1 });
    await store.add('killed', { kind: 'began', task: 'a', attempt: 1, atMs: 2 });
    await store.close();
    const events: DashboardEvent[] = [];
    data.onEvent((event) => events.push(event));
    expect((await data.view('run', { id: 'killed' }))?.row).toMatchObject({ status: 'stopped', isOpen: true });
    const cancel = { verb: 'cancel-run', runId: 'killed', by: 'ada', reason: 'old' } as const;
    await data.decide(cancel);
    expect(events).toContainEqual({ kind: 'changed', views: ['runs'] });
    const view = await data.view('run', { id: 'killed' });
    expect(view?.row).toMatchObject({ status: 'cancelled', why: 'cancelled by ada: old', isOpen: false });
    await expect(data.decide(cancel)).rejects.toThrow('run killed has ended (cancelled): there is nothing to cancel');
    await expect(data.decide({ ...cancel, runId: 'none' })).rejects.toThrow('there is no run "none" in');
    await expect(data.decide({ verb: 'cancel-task', runId: 'killed', by: 'ada' })).rejects.toThrow(
      'needs the id of a run',
    );
    await data.close();
  });

  it('do not hide each other: files of other programs are left out', async () => {
    const { folder, data } = await failedRun('beside');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'run-$(rm -rf).jsonl'), 'x\n');
    writeFileSync(join(folder, 'notes.txt'), 'x\n');
    expect((await data.view('runs'))?.runs.map(({ id }) => id)).toEqual(['nightly']);
    await data.close();
  });

  it('are absent from a dashboard without a folder of them', async () => {
    const data = new DashboardData({ loop, store: 'memory' });
    expect(await data.view('runs')).toEqual({ runs: [] });
    await expect(data.decide({ verb: 'cancel-run', runId: 'r', by: 'ada' })).rejects.toThrow('cancel-run needs');
    await data.close();
  });
});

describe('a decision about a run', () => {
  it.each([
    [{ verb: 'cancel-run' }, 'the id of the run is missing: choose what to cancel'],
    [{ verb: 'cancel-run', runId: ' ' }, 'the id of the run is missing'],
    [{ verb: 'cancel-task', runId: 'r' }, 'the id of the task is missing'],
    [{ verb: 'cancel-task', runId: 'r', taskId: 7 }, 'the id of the task is not a text'],
  ])('%j is not one', (body, message) => {
    expect(() => readDecision({ ...body, by: 'ada' })).toThrow(message);
  });

  it('keeps the id of a task as it is', () => {
    expect(readDecision({ verb: 'cancel-task', runId: 'r', taskId: ' a ', by: 'ada' })).toEqual({
      ...{ verb: 'cancel-task', runId: 'r', taskId: ' a ', by: 'ada' },
    });
  });
});
