import { renderExplanation } from '../fixes/describe.js';
import { findFix } from '../fixes/find-fix.js';
import { DEFAULT_STORE, withLoop } from '../store/open-loop.js';
import { widthOf } from '../terminal/lines.js';
import { paintFor } from '../terminal/paint.js';
import { plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly json?: true;
}

/** `rsi explain <id>`: why a fix was proposed, what happened to it, and what its figures mean. */
export const explain: Verb = {
  register(program, done) {
    program
      .command('explain')
      .summary('why a fix was proposed, what happened to it, and what its figures mean')
      .description(
        'Tells everything of one fix: the failures it is for, the change, the trial, each decision, lessons.',
      )
      .argument('<id>', 'the id of the fix, or the beginning of it')
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .option('--json', 'print one JSON document instead')
      .action(async (id: string, { store, json }: Options) => {
        done(
          await withLoop(store, 'read', async (loop) => {
            const explanation = loop.explain(findFix(loop, id).id);
            const look = { width: widthOf(process.stdout), paint: paintFor(process.stdout) };
            const document = { format: 'rsi-explain/1', ...explanation };
            await write(process.stdout, json ? `${plainJson(document)}\n` : renderExplanation(explanation, look));
            return EXIT.done;
          }),
        );
      });
  },
};
