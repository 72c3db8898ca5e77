import { policyReport, renderPolicy } from '../policy/table.js';
import { DEFAULT_STORE, lookAt } from '../store/next-command.js';
import { withLoop } from '../store/open-loop.js';
import { plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, examples, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly json?: true;
}

/** The verb `rsi policy [task]`: shows every setting, its value, its origin, and the bounds for fixes. */
export const policy: Verb = {
  register(program, done) {
    program
      .command('policy')
      .summary('settings: value, who set it, how far a fix may move it')
      .description('Prints every setting of a loop in one table: its value, the layer it comes from, and its bounds.')
      .addHelpText('after', examples(['policy', 'the settings of every task'], ['policy api_call', 'those of one']))
      .argument('[task]', 'only what holds for this task')
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .option('--json', 'print one JSON document instead')
      .action(async (task: string | undefined, { store, json }: Options) => {
        done(
          await withLoop(store, 'read', async (loop) => {
            const report = policyReport(loop.policyTable(), task);
            const look = lookAt(process.stdout, store);
            await write(process.stdout, json ? `${plainJson(report)}\n` : renderPolicy(report, look));
            return EXIT.done;
          }),
        );
      });
  },
};
