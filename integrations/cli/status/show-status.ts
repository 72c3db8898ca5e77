import { resolve } from 'node:path';
import type { RSILoop, RSILoopOptions } from 'rsi-loop';
import { readStatus } from '../../reports/status.js';
import { readStudies } from '../../reports/studies.js';
import { readWeek } from '../../reports/week.js';
import { EXIT, type ExitCode } from '../exit.js';
import { periodOf, type Range } from '../since.js';
import { isDatabase } from '../store/database.js';
import { whenRebuilt, withLoop } from '../store/open-loop.js';
import { lookAt } from '../terminal/look.js';
import { print } from '../terminal/output.js';
import type { ReadOptions } from '../verb.js';
import { recentlyWorse } from '../worse/recently-worse.js';
import { renderStatus } from './render-status.js';
import { renderWeek } from './render-week.js';

/** Prints the status of a store that exists. `rsi status` loads this file, and the loop with it, after that check. */
export async function showStatus(
  { store, json, week, ...range }: ReadOptions & Range & { readonly week?: true },
  options: Omit<RSILoopOptions, 'store'>,
): Promise<ExitCode> {
  const work = async (loop: RSILoop, problems: readonly string[]) => {
    await whenRebuilt(loop);
    const studies = isDatabase(store) ? [] : await readStudies(resolve(store));
    const worse = isDatabase(store) ? [] : recentlyWorse(resolve(store), Date.now());
    if (week) {
      const document = await readWeek(loop, { nowMs: Date.now(), studies, worse });
      await print({ document, text: renderWeek(document, lookAt(process.stdout, store)) }, json);
      return EXIT.done;
    }
    const document = await readStatus(loop, { problems, studies, worse, ...periodOf(range) });
    await print({ document, text: renderStatus(document, Date.now(), lookAt(process.stdout, store)) }, json);
    return document.attention ? EXIT.attention : EXIT.done;
  };
  return withLoop(store, 'read', work, options);
}
