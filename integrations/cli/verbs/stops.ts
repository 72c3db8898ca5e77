import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { markWrongStop } from 'rsi-loop/oversee';
import { moment } from '../../reports/words/numbers.js';
import { EXIT, type ExitCode } from '../exit.js';
import { findStop, readStops, type Stop } from '../stops/read-stops.js';
import { withLoop } from '../store/open-loop.js';
import { userName } from '../store/user-name.js';
import { type Look, lookAt } from '../terminal/look.js';
import { print, prose } from '../terminal/output.js';
import { paragraph } from '../terminal/page.js';
import { plain } from '../terminal/terminal-text.js';
import { jsonOption, storeOption, verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly by?: string;
  readonly reason?: string;
  readonly json?: true;
}

type Action = (options: Options, id: string | undefined) => Promise<ExitCode>;

const ACTIONS: Readonly<Record<string, Action>> = {
  list: async ({ store, json }) => {
    const stops = await withLoop(store, 'read', readStops);
    const text = stops.length === 0 ? prose('no supervised run was stopped') : listText(stops, lookAt(process.stdout));
    await print({ document: { format: 'rsi-stops/1', stops }, text }, json);
    return EXIT.done;
  },
  wrong: async ({ store, by = userName(), reason, json }, asked) => {
    const stop = await withLoop(store, 'decide', async (loop) => {
      const found = findStop(await readStops(loop), asked);
      if (found.isWrong) throw new LoopError('illegal-step', `the stop ${found.id} is already marked as wrong`);
      await markWrongStop(loop, found, { by, ...(reason !== undefined && { reason }) });
      return found;
    });
    const document = { format: 'rsi-wrong-stop/1', stop: stop.id, by, ...(reason !== undefined && { reason }) };
    const text = `the stop of ${plain(stop.task)} at ${moment(stop.atMs)} is marked as wrong by ${plain(by)}: if such stops recur, the loop tries a higher number`;
    await print({ document, text: prose(text) }, json);
    return EXIT.done;
  },
};

/** The verb `rsi stops`: lists the stops of supervised runs, and marks wrong ones. */
export const stops = verb<Options, readonly string[]>({
  description:
    'Lists the runs of supervise() that were stopped, with the reason. wrong <number> says that a stop for silence, a loop, errors or nothing new was wrong. If wrong stops of a task recur, the loop tries a higher limit on a random part of the runs, and keeps it only if fewer runs fail. Budgets stay.',
  examples: [
    ['stops', 'the newest 200'],
    ['stops wrong 3 --reason "builds take 20 min"', 'the third of the list'],
  ],
  options: [
    storeOption(),
    new Option('--by <name>', 'wrong: who says so (default: the user of this machine)'),
    new Option('--reason <text>', 'wrong: why'),
    jsonOption(),
  ],
  run: async (options, [action = 'list', id, ...more]) => {
    const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (!run) {
      const message = `there is no "stops ${action}": use ${Object.keys(ACTIONS).join(', ')}`;
      throw new LoopError('invalid-input', message);
    }
    if (more.length > 0 || (action === 'list' && id !== undefined))
      throw new LoopError('invalid-input', `"${action}" takes no more words`);
    return run(options, id);
  },
});

function listText(all: readonly Stop[], look: Look): string {
  const lines = all.flatMap(({ id, task, why, message, atMs, isWrong }, index) => [
    ...paragraph(`${index + 1}  ${plain(task)}: ${why}${isWrong ? ', marked as wrong' : ''}`, look, 0, 'bold'),
    ...paragraph(`${moment(atMs)}  ${plain(id)}`, look, 2),
    ...paragraph(plain(message), look, 2),
  ]);
  return `${lines.join('\n')}\n`;
}
