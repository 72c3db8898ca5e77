import { Option } from 'commander';
import { type Json, LoopError } from 'rsi-loop';
import { runFolderPlace } from '../../dashboard/data/run-folder-place.js';
import { KeptRuns } from '../../reports/kept-runs.js';
import { EXIT, type ExitCode } from '../exit.js';
import { sayRenamed } from '../hints.js';
import { continueRun } from '../runs/continue-run.js';
import { findRun } from '../runs/find-run.js';
import { listReport, runReport } from '../runs/render-runs.js';
import { userName } from '../store/user-name.js';
import { lookAt } from '../terminal/look.js';
import { print, prose } from '../terminal/output.js';
import { plain } from '../terminal/terminal-text.js';
import { jsonOption, verb } from '../verb.js';

interface Options {
  readonly folder: string;
  readonly module?: string;
  readonly by?: string;
  readonly reason?: string;
  readonly body?: string;
  readonly json?: true;
}

type Action = (options: Options, names: readonly string[]) => Promise<ExitCode>;

const ACTIONS: Readonly<Record<string, Action>> = {
  list: async ({ folder, json }, names) => {
    mustBeAtMost('list', names, 0);
    await print(listReport(await runsIn(folder).list(), folder, lookAt(process.stdout)), json);
    return EXIT.done;
  },
  show: async (options, names) => {
    mustBeAtMost('show', names, 1);
    return show(options, names[0]);
  },
  continue: async (options, names) => {
    mustBeAtMost('continue', names, 1);
    const { id } = await findRun(runsIn(options.folder), names[0]);
    return work(options, id, false);
  },
  retry: async (options, names) => {
    mustBeAtMost('retry', names, 1);
    const { id, state } = await findRun(runsIn(options.folder), names[0]);
    if (!state.hasEnded) throw new LoopError('illegal-step', `run ${id} has not ended: rsi runs continue ${id}`);
    if (state.counts.failed === 0) throw new LoopError('illegal-step', `no task of run ${id} failed: nothing to retry`);
    return work(options, id, true);
  },
  send,
  cancel: async ({ folder, by = userName(), reason = 'no reason given', json }, names) => {
    mustBeAtMost('cancel', names, 2);
    const runs = runsIn(folder);
    const { id, status } = await findRun(runs, names[0]);
    const [, task] = names;
    const request = await runs.cancel({ id, by, reason, ...(task !== undefined && { task }) });
    const what = task === undefined ? `run ${id}` : `task ${plain(task)} of run ${id}`;
    const isEnded = status === 'stopped' && task === undefined;
    const later = status === 'running' ? ': its process ends it within a second' : ', as soon as the run is continued';
    const document = { format: 'rsi-run-cancelled/1', run: id, ...request };
    await print({ document, text: prose(`${what} is cancelled by ${plain(by)}${isEnded ? '' : later}`) }, json);
    return EXIT.done;
  },
};

/** Sends an event to the tasks of a run that wait for it. */
async function send({ folder, by = userName(), body, json }: Options, names: readonly string[]): Promise<ExitCode> {
  mustBeAtMost('send', names, 2);
  const [, event] = names;
  if (event === undefined) throw new LoopError('invalid-input', 'say which event: rsi runs send <id> <event>');
  const runs = runsIn(folder);
  const { id, status } = await findRun(runs, names[0]);
  const request = await runs.send({ id, event, body: body === undefined ? null : jsonOf(body), by });
  const when =
    status === 'running' ? 'its process takes it within a second' : 'it counts as soon as the run is continued';
  const text = prose(`event ${plain(event)} was sent to run ${id} by ${plain(by)}: ${when}`);
  await print({ document: { format: 'rsi-run-event/1', run: id, ...request }, text }, json);
  return EXIT.done;
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new LoopError('invalid-input', `--body is not JSON: ${plain(text.slice(0, 100))}`);
  }
}

/** The verb `rsi runs`: shows and continues runs of orchestrated tasks. */
export const runsVerb = verb<Options, readonly string[]>({
  description:
    'Shows the runs that orchestrate() keeps in a folder. list shows all of them; show <id> the tasks of one; cancel <id> [task] ends a run or one of its tasks, also in another process; send <id> <event> lets the tasks begin that wait for it; continue <id> --module <file> continues a run that was stopped or killed, with the workers that the file exports (export const workers), and with its plan, budget, concurrency and loop if it exports them. Without a loop, outcomes are not recorded. retry <id> --module <file> runs again what failed in a run that has ended, and what was skipped because of it; what is done is kept. Exit code 1 of continue and retry means that tasks failed or were cancelled.',
  examples: [
    ['runs list', 'the runs of ./rsi_runs'],
    ['runs show nightly', 'the tasks of a run, failed ones first'],
    ['runs continue nightly --module ./workers.mjs', 'continue it after a kill'],
    ['runs retry nightly --module ./workers.mjs', 'run again what failed'],
    ['runs send nightly approved', 'begin the tasks that wait for the event approved'],
    ['runs cancel nightly deploy --reason "wrong branch"', 'end one task, and skip what comes after it'],
  ],
  options: [
    new Option('--folder <folder>', 'where runs are kept').default('./rsi_runs'),
    new Option('--module <file>', 'continue, retry: the file that exports the workers'),
    new Option('--body <json>', 'send: content of the event'),
    new Option('--by <name>', 'cancel, send: who decides (default: the user of this machine)'),
    new Option('--reason <text>', 'cancel: why'),
    jsonOption(),
  ],
  run: async (options, [action = 'list', ...names]) => {
    const present = action === 'resume' ? 'continue' : action;
    if (present !== action) await sayRenamed(`runs ${action}`, `runs ${present}`);
    const run = Object.hasOwn(ACTIONS, present) ? ACTIONS[present] : undefined;
    if (run) return run(options, names);
    throw new LoopError('invalid-input', `there is no "runs ${action}": use ${Object.keys(ACTIONS).join(', ')}`);
  },
});

async function work(options: Options, id: string, retry: boolean): Promise<ExitCode> {
  const { status } = await continueRun(options.folder, id, options.module, retry);
  await show(options, id);
  if (status === 'done') return EXIT.done;
  return status === 'stopped' ? EXIT.interrupted : EXIT.attention;
}

async function show({ folder, json }: Options, id: string | undefined): Promise<ExitCode> {
  await print(runReport(await findRun(runsIn(folder), id), lookAt(process.stdout)), json);
  return EXIT.done;
}

function runsIn(folder: string): KeptRuns {
  return new KeptRuns(runFolderPlace(folder));
}

function mustBeAtMost(action: string, names: readonly string[], most: number): void {
  if (names.length > most)
    throw new LoopError('invalid-input', `"${action}" takes no more words: leave out ${names.slice(most).join(' ')}`);
}
