import { Option } from 'commander';
import { exportOutcomes, rootCauses } from 'rsi-loop';
import { NewestEvents, renderEvents } from '../root-causes/events.js';
import { renderCauses } from '../root-causes/render-root-causes.js';
import { periodOf, type Range, rangeOptions } from '../since.js';
import { numberOption, readVerb } from '../verb.js';

interface Options extends Range {
  readonly days: number;
  readonly events?: true;
}

/** The verb `rsi root-causes`: counts why things failed recently. */
export const rootCausesVerb = readVerb<Options>({
  description:
    'Counts the failures of the last days of the data by cause: reasoning_error, knowledge_gap, tool_failure, instruction_ambiguity, context_loss, overconfidence, or undetermined if neither a rule nor a model found one. Calls no model and changes nothing.',
  examples: [
    ['root-causes', 'the last 7 days'],
    ['root-causes --days 30', 'the last 30'],
    ['root-causes --events', 'each failure'],
  ],
  options: [
    numberOption('--days <number>', 'how far back', { min: 1, max: 3_650 }).default(7),
    ...rangeOptions(),
    new Option('--events', 'the newest failures as a table: when, task, issue, cause, message'),
  ],
  read: async (loop, { days, events, ...range }, _, look) => {
    const causes = await rootCauses(loop, { days, ...periodOf(range) });
    const document = { format: 'rsi-root-causes/1', days, ...causes };
    if (!events) return { document, text: renderCauses(causes, look) };
    const newest = new NewestEvents(causes);
    for await (const outcome of exportOutcomes(loop, causes)) newest.add(outcome);
    return { document: { ...document, events: newest.all }, text: renderEvents(newest, look) };
  },
});
