import type { TaskNode } from 'rsi-loop/orchestrate';
import { isOpen, type KeptRun, urgentFirst } from '../../reports/kept-runs.js';
import type { RunRow, RunsView, RunView, TaskRow, TaskView } from '../run-views.js';
import { shownText } from './shown-text.js';
import type { DataSource, ViewParams } from './source.js';

const MAX_RUNS = 500;
const MAX_TASKS = 2_000;
const MAX_DEPENDENTS = 200;

export async function runsView({ runs }: DataSource): Promise<RunsView> {
  if (!runs) return { runs: [] };
  return { folder: runs.name, runs: (await runs.list()).slice(0, MAX_RUNS).map(runRow) };
}

export async function runView({ runs }: DataSource, { id = '', task }: ViewParams): Promise<RunView | undefined> {
  const run = await runs?.find(id);
  if (!run) return undefined;
  const nodes = urgentFirst(run.state);
  const asked = task === undefined ? undefined : run.state.tasks.get(task);
  return {
    row: runRow(run),
    tasks: nodes.slice(0, MAX_TASKS).map(taskRow),
    omitted: Math.max(0, nodes.length - MAX_TASKS),
    ...(asked && { task: taskView(asked) }),
  };
}

function runRow(run: KeptRun): RunRow {
  const { id, status, state, beganMs, changedMs } = run;
  const { name, why, counts, tasks } = state;
  return {
    ...{ id, name, status, isOpen: isOpen(run), tasks: tasks.size, counts, beganMs, changedMs },
    ...(why !== undefined && { why: shownText(why) }),
  };
}

function taskRow({ id, depth, spec, status, attempts, error, beganMs, endedMs }: TaskNode): TaskRow {
  const does = 'goal' in spec ? { goal: spec.goal } : { worker: spec.worker };
  return {
    ...{ id, depth, ...does, after: spec.after ?? [], status, attempts },
    ...(error !== undefined && { reason: shownText(error) }),
    ...(beganMs !== undefined && { beganMs }),
    ...(endedMs !== undefined && { endedMs }),
  };
}

function taskView(node: TaskNode): TaskView {
  const { dependents, result } = node;
  return {
    row: taskRow(node),
    dependents: dependents.slice(0, MAX_DEPENDENTS).map(({ id }) => id),
    ...(result !== undefined && { result: shownText(JSON.stringify(result)) }),
  };
}
