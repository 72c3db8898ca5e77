import { InvalidArgumentError } from 'commander';
import { exportOutcomes, rootCauses } from 'rsi-loop';
import { NewestEvents, renderEvents } from '../root-causes/events.js';
import { renderCauses } from '../root-causes/render.js';
import { DEFAULT_STORE, lookAt } from '../store/next-command.js';
import { withLoop } from '../store/open-loop.js';
import { plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, examples, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly days: number;
  readonly events?: true;
  readonly json?: true;
}

const DEFAULT_DAYS = 7;

/** The verb `rsi root-causes`: counts why things failed recently. */
export const rootCausesVerb: Verb = {
  register(program, done) {
    program
      .command('root-causes')
      .summary('why things failed lately, counted')
      .description(
        'Counts the failures of the last days by why they happened: reasoning_error, knowledge_gap, tool_failure, instruction_ambiguity, context_loss, overconfidence, or undetermined where neither a rule nor a model says why. Asks nobody and changes nothing.',
      )
      .addHelpText(
        'after',
        examples(
          ['root-causes', 'the last 7 days'],
          ['root-causes --days 30', 'the last 30'],
          ['root-causes --events', 'each failure'],
        ),
      )
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .option('--days <number>', 'how far back', parseDays, DEFAULT_DAYS)
      .option('--events', 'the newest failures as a table: when, task, issue, cause, message')
      .option('--json', 'print one JSON document instead')
      .action(async ({ store, days, events, json }: Options) => {
        done(
          await withLoop(store, 'read', async (loop) => {
            const causes = await rootCauses(loop, { days });
            const look = lookAt(process.stdout, store);
            const newest = new NewestEvents(causes);
            if (events)
              for await (const outcome of exportOutcomes(loop, { sinceMs: causes.sinceMs })) newest.add(outcome);
            const listed = events ? { events: newest.all } : {};
            const document = { format: 'rsi-root-causes/1', days, ...causes, ...listed };
            const text = events ? renderEvents(newest, look) : renderCauses(causes, look);
            await write(process.stdout, json ? `${plainJson(document)}\n` : text);
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
