import { resolve } from 'node:path';
import { checkStore } from 'rsi-loop/node';
import { version } from '../../../package.json';
import { renderChecks } from '../doctor/render.js';
import { EXIT } from '../exit.js';
import { mustBeStore } from '../store/check-folder.js';
import { lookAt } from '../terminal/look.js';
import { print } from '../terminal/output.js';
import { jsonOption, type ReadOptions, storeOption, verb } from '../verb.js';

/** The verb `rsi doctor`: checks the folder of a loop and says what to do about problems. */
export const doctor = verb<ReadOptions>({
  description:
    'Checks the folder of a loop: rights, space, formats, the chain of the ledger, damaged records, lease, clocks, versions. Changes nothing. Ends with exit code 1 if something needs attention.',
  examples: [
    ['doctor', './rsi_data'],
    ['doctor --store /var/lib/agent/rsi_data', 'another folder'],
  ],
  options: [storeOption(), jsonOption()],
  run: async ({ store, json }) => {
    await mustBeStore(store, { evenUnmarked: true });
    const folder = resolve(store);
    const checks = await checkStore(folder, { version });
    const document = { format: 'rsi-doctor/1', folder, checks };
    await print({ document, text: renderChecks(folder, checks, lookAt(process.stdout, store)) }, json);
    return checks.every(({ ok }) => ok) ? EXIT.done : EXIT.attention;
  },
});
