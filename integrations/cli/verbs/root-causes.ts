import { InvalidArgumentError } from 'commander';
import { rootCauses } from 'rsi-loop';
import { renderCauses } from '../root-causes/render.js';
import { DEFAULT_STORE, lookAt } from '../store/next-command.js';
import { withLoop } from '../store/open-loop.js';
import { plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, examples, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly days: number;
  readonly json?: true;
}

const DEFAULT_DAYS = 7;

/** `rsi root-causes`: why things failed lately, counted. */
export const rootCausesVerb: Verb = {
  register(program, done) {
    program
      .command('root-causes')
      .summary('why things failed lately, counted')
      .description(
        'Counts the failures of the last days by why they happened: reasoning_error, knowledge_gap, tool_failure, instruction_ambiguity, context_loss, overconfidence, or undetermined where neither a rule nor a model says why. Asks nobody and changes nothing.',
      )
      .addHelpText('after', examples(['root-causes', 'the last 7 days'], ['root-causes --days 30', 'the last 30']))
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .option('--days <number>', 'how far back', parseDays, DEFAULT_DAYS)
      .option('--json', 'print one JSON document instead')
      .action(async ({ store, days, json }: Options) => {
        done(
          await withLoop(store, 'read', async (loop) => {
            const causes = await rootCauses(loop, { days });
            const look = lookAt(process.stdout, store);
            const document = { format: 'rsi-root-causes/1', days, ...causes };
            await write(process.stdout, json ? `${plainJson(document)}\n` : renderCauses(causes, look));
            return EXIT.done;
          }),
        );
      });
  },
};

function parseDays(text: string): number {
  const days = Number(text);
  if (!(days > 0 && days <= 3_650)) throw new InvalidArgumentError('Give a number of days above 0, at most 3650.');
  return days;
}
