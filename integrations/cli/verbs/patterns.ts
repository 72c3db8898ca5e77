import { LoopError } from 'rsi-loop';
import { listPatterns, renderPatterns } from '../patterns/list.js';
import { periodOf, type Range, rangeOptions } from '../since.js';
import { numberOption, readVerb } from '../verb.js';

/** The verb `rsi patterns [pattern]`: lists what fails again and again, with the sessions to look at. */
export const patterns = readVerb<Range & { readonly limit: number }, string | undefined>({
  description:
    'Lists the patterns in the last 7 days of the records of a loop, those with the most impact first, and what became slow or costly after them: how often, the message, the newest sessions and files to look at, the fix for it, and the command to type next. Changes nothing.',
  examples: [
    ['patterns', 'the 10 worst'],
    ['patterns api_call', 'those of one task'],
    ['patterns --since 2025-10-01 --until 2025-11-01', 'in October'],
    ['patterns --json', 'for a program'],
  ],
  options: [numberOption('--limit <count>', 'how many to show', { min: 1, max: 1e6 }).default(10), ...rangeOptions()],
  rebuilt: true,
  read: async (loop, { limit, ...range }, wanted, look) => {
    const document = await listPatterns(loop, { wanted, limit, ...periodOf(range) });
    if (wanted !== undefined && document.found === 0)
      throw new LoopError(
        'invalid-input',
        `no pattern or task ${JSON.stringify(wanted)}: "${look.next('patterns')}" lists them`,
      );
    return { document, text: renderPatterns(document, look) };
  },
});
