import { type Command, Option } from 'commander';
import type { FixStatus } from 'rsi-loop';
import { listFixes, renderFixes } from '../fixes/list.js';
import { STATUSES, statusWords } from '../fixes/status.js';
import { DEFAULT_STORE, lookAt } from '../store/next-command.js';
import { withLoop } from '../store/open-loop.js';
import { whenRebuilt } from '../store/when-rebuilt.js';
import { plain, plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, examples, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly status?: FixStatus;
  readonly task?: string;
  readonly json?: true;
}

/** The verb `rsi fixes`: lists what was proposed, is on trial, was confirmed or rolled back. */
export const fixes: Verb = {
  register(program: Command, done) {
    program
      .command('fixes')
      .summary('what was proposed, is on trial, was proven or taken back')
      .description('Lists the fixes of a loop: what each would change, how its trial stands, and who decided.')
      .addHelpText(
        'after',
        examples(['fixes', 'all of them'], ['fixes --status trial --task api_call', 'what is on trial for one task']),
      )
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .addOption(new Option('--status <status>', 'only fixes with this status').choices(STATUSES))
      .option('--task <task>', 'only fixes of this task')
      .option('--json', 'print one JSON document instead')
      .action(async ({ store, status, task, json }: Options) => {
        done(
          await withLoop(
            store,
            'read',
            whenRebuilt(async (loop) => {
              const list = listFixes(loop, { ...(status && { status }), ...(task !== undefined && { task }) });
              const isFiltered = status !== undefined || task !== undefined;
              const none = isFiltered && list.fixes.length === 0 ? noneWords(status, task) : undefined;
              const text = none ?? renderFixes(list, lookAt(process.stdout, store));
              await write(process.stdout, json ? `${plainJson(list)}\n` : text);
              return EXIT.done;
            }),
          ),
        );
      });
  },
};

function noneWords(status: FixStatus | undefined, task: string | undefined): string {
  const which = task === undefined ? 'No fix' : `No fix of ${plain(task)}`;
  return `${which}${status === undefined ? '' : ` is ${statusWords(status)}`}.\n`;
}
