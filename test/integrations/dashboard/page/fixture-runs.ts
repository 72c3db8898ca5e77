import type { RunRow, RunsView, RunView, TaskRow } from '../../../../integrations/dashboard/run-views.js';
import { HOUR_MS, NOW_MS, type Recorded } from './fixture-fixes.js';

const NONE = { waiting: 0, running: 0, done: 0, failed: 0, skipped: 0, cancelled: 0, replaced: 0 };

function rows(recorded: Recorded): readonly RunRow[] {
  const of = { name: recorded('orchestrate'), tasks: 5, beganMs: NOW_MS - 2 * HOUR_MS, changedMs: NOW_MS - HOUR_MS };
  return [
    {
      ...of,
      id: 'nightly',
      status: 'running',
      isOpen: true,
      counts: { ...NONE, done: 1, running: 2, failed: 1, skipped: 1 },
    },
    {
      ...of,
      id: 'stopped',
      status: 'stopped',
      isOpen: true,
      why: recorded('SIGTERM: the machine restarts'),
      counts: { ...NONE, done: 2, waiting: 3 },
    },
    { ...of, id: 'over', status: 'done', isOpen: false, counts: { ...NONE, done: 5 } },
  ];
}

function tasks(recorded: Recorded): readonly TaskRow[] {
  const of = { depth: 0, worker: recorded('build'), after: [], attempts: 1, beganMs: NOW_MS - HOUR_MS };
  const ended = { ...of, endedMs: NOW_MS - HOUR_MS + 4_000 };
  return [
    { ...ended, id: 'test', status: 'failed', attempts: 3, reason: recorded('Error: 3 of 120 tests failed') },
    { ...of, id: 'deploy', status: 'running', after: ['test', 'compile'] },
    { ...of, id: 'docs', status: 'running' },
    { ...ended, id: 'compile', status: 'done' },
    {
      ...of,
      id: 'announce',
      status: 'skipped',
      after: ['test'],
      reason: recorded('test did not succeed'),
      attempts: 0,
    },
  ];
}

export function runsView(recorded: Recorded): RunsView {
  return { folder: recorded('./rsi_runs'), runs: rows(recorded) };
}

/** A run. The server knows the query; this fixture always shows the task `deploy` too. */
export function runView(recorded: Recorded, id: string): RunView | undefined {
  const row = rows(recorded).find((one) => one.id === id);
  const all = tasks(recorded);
  const deploy = all.find((one) => one.id === 'deploy');
  return (
    row && {
      row,
      tasks: all,
      omitted: 0,
      ...(deploy && {
        task: { row: deploy, dependents: ['announce'], result: recorded('{ "url": "https://example.com" }') },
      }),
    }
  );
}
