import { Option } from 'commander';
import type { FixStatus } from 'rsi-loop';
import { STATUSES, statusWords } from '../fixes/status.js';
import { renderReview } from '../review/render.js';
import { fixesToReview, reviewOf } from '../review/review.js';
import { DEFAULT_STORE, lookAt } from '../store/next-command.js';
import { withLoop } from '../store/open-loop.js';
import { whenRebuilt } from '../store/when-rebuilt.js';
import { plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, examples, type Verb } from '../verb.js';

/** Name of the default filter: fixes that wait for a person. */
const PENDING = 'pending';

interface Options {
  readonly store: string;
  readonly status?: FixStatus | typeof PENDING;
  readonly json?: true;
}

/** The verb `rsi review`: shows what waits for a person, with everything needed to decide. */
export const review: Verb = {
  register(program, done) {
    program
      .command('review')
      .summary('what waits for a decision, and the commands to decide')
      .description(
        'Shows each fix that a person can decide on now: the change, why, what failed and how often, what it would take to prove it, and the commands to approve, apply or reject it. Changes nothing.',
      )
      .addHelpText('after', examples(['review', 'what waits for you'], ['review --status trial', 'what is on trial']))
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .addOption(
        new Option('--status <status>', 'fixes with this status instead; pending: what waits for you').choices([
          ...STATUSES,
          PENDING,
        ]),
      )
      .option('--json', 'print one JSON document instead')
      .action(async ({ store, json, ...options }: Options) => {
        const status = options.status === PENDING ? undefined : options.status;
        done(
          await withLoop(
            store,
            'read',
            whenRebuilt(async (loop) => {
              const found = reviewOf(loop, fixesToReview(loop, status));
              const look = lookAt(process.stdout, store);
              const none = status !== undefined && found.fixes.length === 0;
              const text = none ? `No fix is ${statusWords(status)}.\n` : renderReview(found, look);
              await write(process.stdout, json ? `${plainJson(found)}\n` : text);
              return EXIT.done;
            }),
          ),
        );
      });
  },
};
