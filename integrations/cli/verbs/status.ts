import { Option } from 'commander';
import { loopOptions } from '../config/loop-options.js';
import { type Range, rangeOptions } from '../since.js';
import { mustBeStore } from '../store/check-folder.js';
import { isDatabase } from '../store/database.js';
import { jsonOption, type ReadOptions, storeOption, verb } from '../verb.js';

/** The verb `rsi status`: shows in five lines how the agents do, and whether something needs a person. */
export const status = verb<ReadOptions & Range & { readonly week?: true }>({
  description:
    'Shows in five lines: health, what fails most, what is being tried, what waits for your decision, and what is wrong with the loop. A study of rsi prove adds a line, and so does what rsi worse has found. Ends with exit code 1 if something needs you: a decision waits, cycles fail, or the store has problems. Changes nothing. "rsi" alone does the same in a folder that has records.',
  examples: [
    ['status', 'of ./rsi_data'],
    ['status --week', 'the last 7 days'],
    ['status --json', 'for a program'],
    ['status --store agent_data', 'of another folder'],
  ],
  options: [
    storeOption(),
    ...rangeOptions(),
    new Option('--week', 'the last 7 days: what failed, what it cost, what was proven, one thing to decide').conflicts([
      'since',
      'until',
    ]),
    jsonOption(),
  ],
  run: async (options, _argument, config) => {
    if (!isDatabase(options.store)) await mustBeStore(options.store);
    const { showStatus } = await import('../status/show-status.js');
    return showStatus(options, loopOptions(await config()));
  },
});
