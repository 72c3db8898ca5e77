import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { type OrchestrateOptions, orchestrate, type TaskSpec } from 'rsi-loop/orchestrate';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';
import { runFolderPlace } from '../../../../integrations/dashboard/data/run-folder-place.js';
import { VERBS } from '../../../../integrations/dashboard/page/decide/verbs.js';
import { KeptRuns } from '../../../../integrations/reports/kept-runs.js';

let folder: string;
let clock: ManualClock;
let loop: RSILoop;
let data: DashboardData;
let begun: string[];
/** Lets the task that waits for a word end. */
let say: () => void;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-run-dialogs-'));
  clock = new ManualClock(1_000);
  loop = new RSILoop({ clock });
  data = new DashboardData({ loop, store: 'memory', clock, runs: new KeptRuns(runFolderPlace(folder)) });
  begun = [];
});
afterEach(async () => {
  await data.close();
  await loop.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Begins a run, and returns it with its options when the task `long` is in progress. It ends when it is stopped. */
async function inProgress(
  tasks: readonly TaskSpec[],
  more: Pick<OrchestrateOptions, 'plan' | 'concurrency' | 'signal' | 'graceMs'> = {},
) {
  let reached: () => void = () => undefined;
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const options: OrchestrateOptions = {
    ...{ id: 'nightly', folder, tasks, ...more },
    workers: {
      read: ({ id }) => {
        begun.push(id);
        return { pages: 3 };
      },
      'wait for a word': () =>
        new Promise((resolve) => {
          say = () => resolve('said');
        }),
      wait: ({ id, signal }) => {
        begun.push(id);
        reached();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    },
  };
  const run = orchestrate(loop, options);
  await isReached;
  return { run, options };
}

const view = async (task?: string) => data.view('run', { id: 'nightly', ...(task !== undefined && { task }) });
const statuses = async () => Object.fromEntries((await view())?.tasks.map(({ id, status }) => [id, status]) ?? []);

describe('what a dialog says becomes true', () => {
  it('of Cancel the run: tasks in progress stop, no other begins, results stay, and it cannot be resumed', async () => {
    expect(VERBS['cancel-run'].effect).toBe(
      'Tasks in progress are stopped, and no other task begins. A cancelled run cannot be resumed. Results so far are kept.',
    );
    expect(VERBS['cancel-run'].done).toBe('Cancelled. A process that has the run ends it within a second.');
    const tasks = [
      { id: 'first', worker: 'read' },
      { id: 'long', worker: 'wait' },
      { id: 'next', worker: 'read' },
    ];
    const { run, options } = await inProgress(tasks, { concurrency: 1 });
    expect((await view())?.row.status).toBe('running');
    await data.decide({ verb: 'cancel-run', runId: 'nightly', by: 'ada', reason: 'old data' });
    await clock.advance(1_000);
    expect((await run).status).toBe('cancelled');
    expect((await orchestrate(loop, options)).status).toBe('cancelled');
    expect(begun).toEqual(['first', 'long']);
    expect(await statuses()).toEqual({ first: 'done', long: 'cancelled', next: 'cancelled' });
    expect((await view())?.row).toMatchObject({ status: 'cancelled', why: 'cancelled by ada: old data' });
    expect((await view('first'))?.task?.result).toContain('"pages":3');
  });

  it('of Cancel the task: it and its parts end, tasks after it are skipped, and the others go on', async () => {
    expect(VERBS['cancel-task'].effect).toBe(
      'The task and its parts end, and tasks that come after it are skipped. The others go on.',
    );
    expect(VERBS['cancel-task'].done).toBe('Cancelled. The task ends within a second, or when the run is resumed.');
    const tasks = [
      { id: 'whole', goal: 'read all' },
      { id: 'after', worker: 'read', after: ['whole'] },
      { id: 'other', worker: 'wait for a word' },
      { id: 'last', worker: 'read', after: ['other'] },
    ];
    const plan = () => [
      { id: 'long', worker: 'wait' },
      { id: 'part', worker: 'read', after: ['long'] },
    ];
    const { run } = await inProgress(tasks, { plan });
    await data.decide({ verb: 'cancel-task', runId: 'nightly', taskId: 'whole', by: 'ada', reason: 'too much' });
    await clock.advance(1_000);
    await expect.poll(async () => (await statuses()).whole).toBe('cancelled');
    say();
    await run;
    expect(await statuses()).toEqual({
      ...{ whole: 'cancelled', 'whole/long': 'cancelled', 'whole/part': 'cancelled', after: 'skipped' },
      ...{ other: 'done', last: 'done' },
    });
    expect((await view('whole'))?.task?.row.reason).toBe('cancelled by ada: too much');
  });

  it('of Cancel the task, in a run that no process has: it ends when the run is resumed', async () => {
    const stop = new AbortController();
    const tasks = [{ id: 'long', worker: 'wait' }];
    const { run, options } = await inProgress(tasks, { signal: stop.signal, graceMs: 0 });
    stop.abort(new Error('enough'));
    expect((await run).status).toBe('stopped');
    await data.decide({ verb: 'cancel-task', runId: 'nightly', taskId: 'long', by: 'ada' });
    expect((await view())?.row.status).toBe('stopped');
    const { signal: _, ...again } = options;
    expect((await orchestrate(loop, again)).status).toBe('cancelled');
    expect(begun).toEqual(['long']);
    expect(await statuses()).toEqual({ long: 'cancelled' });
  });
});
