import { resolve } from 'node:path';
import type { RSILoop } from 'rsi-loop';
import { readStatus } from '../../reports/status.js';
import { readStudies } from '../../reports/studies.js';
import { loopOptions } from '../config/loop-options.js';
import { EXIT } from '../exit.js';
import { periodOf, type Range, rangeOptions } from '../since.js';
import { renderStatus } from '../status/render-status.js';
import { isDatabase } from '../store/database.js';
import { whenRebuilt, withLoop } from '../store/open-loop.js';
import { lookAt } from '../terminal/look.js';
import { print } from '../terminal/output.js';
import { jsonOption, type ReadOptions, storeOption, verb } from '../verb.js';

/** The verb `rsi status`: shows in five lines how the agents do, and whether something needs a person. */
export const status = verb<ReadOptions & Range>({
  description:
    'Shows in five lines: health, what fails most, what is being tried, what waits for your decision, and what is wrong with the loop. A study of rsi prove adds a line. Ends with exit code 1 if something needs you: a decision waits, cycles fail, or the store has problems. Changes nothing. "rsi" alone does the same in a folder that has records.',
  examples: [
    ['status', 'of ./rsi_data'],
    ['status --json', 'for a program'],
    ['status --store agent_data', 'of another folder'],
  ],
  options: [storeOption(), ...rangeOptions(), jsonOption()],
  run: async ({ store, json, ...range }, _argument, config) => {
    const work = async (loop: RSILoop, problems: readonly string[]) => {
      await whenRebuilt(loop);
      const studies = isDatabase(store) ? [] : await readStudies(resolve(store));
      const document = await readStatus(loop, { problems, studies, ...periodOf(range) });
      await print({ document, text: renderStatus(document, Date.now(), lookAt(process.stdout, store)) }, json);
      return document.attention ? EXIT.attention : EXIT.done;
    };
    return withLoop(store, 'read', work, loopOptions(await config()));
  },
});
