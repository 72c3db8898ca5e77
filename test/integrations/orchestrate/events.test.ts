import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { orchestrate, RunFolder, type TaskContext, type TaskSpec } from 'rsi-loop/orchestrate';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runFolderPlace } from '../../../integrations/dashboard/data/run-folder-place.js';
import { KeptRuns } from '../../../integrations/reports/kept-runs.js';

const TASKS: readonly TaskSpec[] = [
  { id: 'build', worker: 'work' },
  { id: 'deploy', worker: 'work', after: ['build'], event: { name: 'approved', withinMs: 3_600_000 } },
  { id: 'report', worker: 'work', after: ['deploy'] },
];

function world() {
  const clock = new ManualClock();
  const loop = new RSILoop({ clock });
  onTestFinished(() => loop.close());
  const calls: string[] = [];
  const work = ({ id, event }: TaskContext) =>
    void calls.push(event === undefined ? id : `${id} ${JSON.stringify(event)}`);
  return { clock, loop, calls, workers: { work } };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-events-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('a task with an event', () => {
  it('begins when the event comes, with its content, and holds no worker meanwhile', async () => {
    const { clock, loop, calls, workers } = world();
    const also = { id: 'other', worker: 'work', after: ['build'] };
    const run = orchestrate(loop, { tasks: [...TASKS, also], workers, concurrency: 1 });
    await clock.advance(60_000);
    expect(calls).toEqual(['build', 'other']);
    await run.emit('approved', { by: 'ada' });
    await run.emit('approved', 'too late');
    expect((await run).status).toBe('done');
    expect(calls).toEqual(['build', 'other', 'deploy {"by":"ada"}', 'report']);
  });

  it('waits on after its process has gone, and takes the event that a person sent meanwhile', async () => {
    const { clock, loop, calls, workers } = world();
    const folder = newFolder();
    const stop = new AbortController();
    const store = new RunFolder(folder);
    const reached = new Promise<void>((resolve) => {
      void orchestrate(loop, {
        ...{ id: 'nightly', tasks: TASKS, workers, store, signal: stop.signal },
        onStep: ({ kind }) => kind === 'done' && resolve(),
      })
        .catch(() => undefined)
        .finally(() => store.close());
    });
    await reached;
    await clock.advance(1);
    stop.abort();
    await expect.poll(() => store.isRunning('nightly')).toBe(false);
    const runs = new KeptRuns(runFolderPlace(folder));
    await runs.send({ id: 'nightly', event: 'approved', body: true, by: 'ada' });
    const { status } = await orchestrate(loop, { id: 'nightly', folder, workers });
    expect([status, calls]).toEqual(['done', ['build', 'deploy true', 'report']]);
    await expect(runs.send({ id: 'nightly', event: 'approved', body: 1, by: 'ada' })).rejects.toThrow(
      'has ended (done)',
    );
  });

  it('fails when its event does not come in time, also over two processes', async () => {
    const { clock, loop, calls, workers } = world();
    const run = orchestrate(loop, { tasks: TASKS, workers });
    await clock.advance(3_599_000);
    expect(calls).toEqual(['build']);
    await clock.advance(2_000);
    const { status, tasks } = await run;
    expect(status).toBe('failed');
    expect(tasks.get('deploy')?.error).toContain('the event "approved" did not come within 3600000 ms');
    expect(tasks.get('report')?.status).toBe('skipped');
  });

  it('ends when it is cancelled, and a wrong event is named', async () => {
    const { clock, loop, workers } = world();
    const run = orchestrate(loop, { tasks: TASKS, workers });
    await clock.advance(10);
    await run.cancel({ task: 'deploy', by: 'ada', reason: 'not today' });
    expect((await run).status).toBe('cancelled');
    const wrong = { id: 'a', worker: 'work', event: { name: '' } };
    await expect(orchestrate(loop, { tasks: [wrong], workers })).rejects.toThrow('event of task "a"');
  });
});
