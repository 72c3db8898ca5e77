import { type Command, Option } from 'commander';
import type { FixStatus } from 'rsi-loop';
import { listFixes, renderFixes } from '../fixes/list.js';
import { STATUSES } from '../fixes/status.js';
import { DEFAULT_STORE, withLoop } from '../store/open-loop.js';
import { widthOf } from '../terminal/lines.js';
import { paintFor } from '../terminal/paint.js';
import { plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly status?: FixStatus;
  readonly task?: string;
  readonly json?: true;
}

/** `rsi fixes`: what was proposed, what is on trial, what was proven or taken back. */
export const fixes: Verb = {
  register(program: Command, done) {
    program
      .command('fixes')
      .summary('what was proposed, what is on trial, what was proven or taken back')
      .description('Lists the fixes of a loop: what each would change, how its trial stands, and who decided.')
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .addOption(new Option('--status <status>', 'only fixes with this status').choices(STATUSES))
      .option('--task <task>', 'only fixes of this task')
      .option('--json', 'print one JSON document instead')
      .action(async ({ store, status, task, json }: Options) => {
        done(
          await withLoop(store, 'read', async (loop) => {
            const list = listFixes(loop, { ...(status && { status }), ...(task !== undefined && { task }) });
            const look = { width: widthOf(process.stdout), paint: paintFor(process.stdout) };
            await write(process.stdout, json ? `${plainJson(list)}\n` : renderFixes(list, look));
            return EXIT.done;
          }),
        );
      });
  },
};
