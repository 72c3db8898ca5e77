import { listRules, renderRules } from '../rules/list.js';
import { DEFAULT_STORE, lookAt } from '../store/next-command.js';
import { withLoop } from '../store/open-loop.js';
import { whenRebuilt } from '../store/when-rebuilt.js';
import { plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, examples, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly all?: true;
  readonly json?: true;
}

/** The verb `rsi rules`: lists the behavioural rules of an agent and their effects. */
export const rules: Verb = {
  register(program, done) {
    program
      .command('rules')
      .summary('behavioural rules: where they stand and what they did')
      .description(
        'Lists the rules that are proposed, on trial or in force: the sentence, the file it stands in, how many tasks failed with it and without it, and its helpful and harmful counters, which halve in 90 days. Of the rules in one file the least useful makes room first.',
      )
      .addHelpText(
        'after',
        examples(['rules', 'in force, on trial, proposed'], ['rules --all', 'also what was refused or taken back']),
      )
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .option('--all', 'also those that were refused or taken back')
      .option('--json', 'print one JSON document instead')
      .action(async ({ store, all, json }: Options) => {
        done(
          await withLoop(
            store,
            'read',
            whenRebuilt(async (loop) => {
              const list = listRules(loop, { all: all === true });
              const look = lookAt(process.stdout, store);
              await write(process.stdout, json ? `${plainJson(list)}\n` : renderRules(list, look));
              return EXIT.done;
            }),
          ),
        );
      });
  },
};
