import { renderExplanation } from '../fixes/describe.js';
import { findFix } from '../fixes/find-fix.js';
import { DEFAULT_STORE, lookAt } from '../store/next-command.js';
import { withLoop } from '../store/open-loop.js';
import { whenRebuilt } from '../store/when-rebuilt.js';
import { plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, examples, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly json?: true;
}

/** The verb `rsi explain <id>`: shows why a fix was proposed, its history and the meaning of its figures. */
export const explain: Verb = {
  register(program, done) {
    program
      .command('explain')
      .summary('why a fix was proposed, and what became of it')
      .description(
        'Tells everything of one fix: the failures it is for, the change, the trial, each decision, lessons.',
      )
      .addHelpText('after', examples(['explain 1371', 'the beginning of an id will do']))
      .argument('<id>', 'the id of the fix, or the beginning of it')
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .option('--json', 'print one JSON document instead')
      .action(async (id: string, { store, json }: Options) => {
        done(
          await withLoop(
            store,
            'read',
            whenRebuilt(async (loop) => {
              const look = lookAt(process.stdout, store);
              const explanation = loop.explain(findFix(loop, id, look.next).id);
              const document = { format: 'rsi-explain/1', ...explanation };
              await write(process.stdout, json ? `${plainJson(document)}\n` : renderExplanation(explanation, look));
              return EXIT.done;
            }),
          ),
        );
      });
  },
};
