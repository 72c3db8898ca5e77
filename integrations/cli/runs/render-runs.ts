import type { RunState, TaskNode } from 'rsi-loop/orchestrate';
import { type KeptRun, urgentFirst } from '../../reports/kept-runs.js';
import { counted, duration, moment, whole } from '../../reports/words/numbers.js';
import type { Look } from '../terminal/look.js';
import type { Report } from '../terminal/output.js';
import { labelled, paragraph, table } from '../terminal/page.js';
import { plain } from '../terminal/terminal-text.js';

/** Most tasks that are shown; `--json` has all. */
const MAX_SHOWN = 40;

export function listReport(runs: readonly KeptRun[], folder: string, look: Look): Report {
  const document = { format: 'rsi-runs/1', folder, runs: runs.map(summaryOf) };
  if (runs.length === 0) {
    const text = `no run is kept in ${plain(folder)}: orchestrate(loop, { folder: '${plain(folder)}', ... }) keeps them`;
    return { document, text: `${paragraph(text, look).join('\n')}\n` };
  }
  const heads = [{ head: 'run' }, { head: 'state' }, { head: 'done', align: 'right' as const }, { head: 'changed' }];
  const rows = runs.map(({ id, status, state, changedMs }) => ({
    cells: [id, status, `${whole(state.counts.done)} of ${whole(state.tasks.size)}`, moment(changedMs)],
    ...(status === 'failed' && { style: 'red' as const }),
  }));
  return { document, text: `${table(heads, rows, look).join('\n')}\n` };
}

/** Shows a run and its tasks: those that failed first, then those in progress, then the others in the order of the plan. */
export function runReport(run: KeptRun, look: Look): Report {
  const { id, state, status, beganMs, changedMs } = run;
  const { why } = state;
  const tasks = urgentFirst(state);
  const shown = tasks.slice(0, MAX_SHOWN);
  const left = tasks.length - shown.length;
  const canGoOn = status === 'stopped';
  const rows = shown.map((task) => ({
    cells: [plain(task.id), task.status, taskWords(task)],
    ...(task.status === 'failed' && { style: 'red' as const }),
  }));
  const lines = [
    ...paragraph(`${id}  ${progressOf(state)}`, look, 0, 'bold'),
    ...labelled('state', why === undefined ? status : `${status}: ${plain(why)}`, look),
    ...labelled('time', `${moment(beganMs)}, ${duration(changedMs - beganMs)}`, look),
    ...(canGoOn ? labelled('next', look.next(`runs continue ${id} --module <file>`), look) : []),
    '',
    ...(rows.length === 0 ? [] : table([{ head: 'task', max: 30 }, { head: 'state' }, { head: '' }], rows, look)),
    ...(left > 0 ? paragraph(`... and ${counted(left, 'task')} more: --json shows all`, look) : []),
    '',
  ];
  const all = [...state.tasks.values()].map(taskOf);
  return { document: { format: 'rsi-run/1', ...summaryOf(run), tasks: all }, text: lines.join('\n') };
}

/** Returns `12 of 50 tasks done, 4 running, 1 failed`. */
export function progressOf({ counts, tasks }: RunState): string {
  const others = (['running', 'failed', 'skipped', 'cancelled', 'replaced'] as const).flatMap((status) =>
    counts[status] > 0 ? [`${whole(counts[status])} ${status}`] : [],
  );
  return [`${whole(counts.done)} of ${counted(tasks.size, 'task')} done`, ...others].join(', ');
}

function summaryOf({ id, state, status, beganMs, changedMs }: KeptRun) {
  const { name, why, counts, tasks } = state;
  return { id, name, status, why, tasks: tasks.size, counts, beganMs, changedMs };
}

function taskOf({ id, spec, status, attempts, parent, result, error, beganMs, endedMs }: TaskNode) {
  const { after = [] } = spec;
  const does = 'goal' in spec ? { goal: spec.goal } : { worker: spec.worker };
  return { id, ...does, after, status, attempts, parent, result, error, beganMs, endedMs };
}

function taskWords({ spec, attempts, error, beganMs, endedMs }: TaskNode): string {
  if (error !== undefined) return plain(error);
  const tries = attempts > 1 ? `, ${attempts} attempts` : '';
  const took = beganMs !== undefined && endedMs !== undefined ? `, ${duration(endedMs - beganMs)}` : '';
  return `${plain('goal' in spec ? spec.goal : spec.worker)}${took}${tries}`;
}
