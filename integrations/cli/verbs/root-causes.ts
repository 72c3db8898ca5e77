import { Option } from 'commander';
import { exportOutcomes, rootCauses } from 'rsi-loop';
import { NewestEvents, renderEvents } from '../root-causes/events.js';
import { renderCauses } from '../root-causes/render.js';
import { numberOption, readVerb } from '../verb.js';

interface Options {
  readonly days: number;
  readonly events?: true;
}

/** The verb `rsi root-causes`: counts why things failed recently. */
export const rootCausesVerb = readVerb<Options>({
  description:
    'Counts the failures of the last days by cause: reasoning_error, knowledge_gap, tool_failure, instruction_ambiguity, context_loss, overconfidence, or undetermined if neither a rule nor a model found one. Calls no model and changes nothing.',
  examples: [
    ['root-causes', 'the last 7 days'],
    ['root-causes --days 30', 'the last 30'],
    ['root-causes --events', 'each failure'],
  ],
  options: [
    numberOption('--days <number>', 'how far back', { min: 1, max: 3_650 }).default(7),
    new Option('--events', 'the newest failures as a table: when, task, issue, cause, message'),
  ],
  read: async (loop, { days, events }, _, look) => {
    const causes = await rootCauses(loop, { days });
    const document = { format: 'rsi-root-causes/1', days, ...causes };
    if (!events) return { document, text: renderCauses(causes, look) };
    const newest = new NewestEvents(causes);
    for await (const outcome of exportOutcomes(loop, { sinceMs: causes.sinceMs })) newest.add(outcome);
    return { document: { ...document, events: newest.all }, text: renderEvents(newest, look) };
  },
});
