import { type Fix, LoopError, type RSILoop } from 'rsi-loop';
import { periods } from 'rsi-loop/kit';
import { reviewOf } from '../../reports/review.js';
import { day } from '../../reports/words/numbers.js';
import { loopOptions } from '../config/loop-options.js';
import { EXIT } from '../exit.js';
import { nothingNew } from '../fixes/nothing-new.js';
import { renderReview } from '../fixes/render-review.js';
import { modelOption } from '../models/configured-model.js';
import { whenRebuilt, withLoop } from '../store/open-loop.js';
import { workspaceOf, workspaceOption } from '../store/workspace.js';
import { type Look, lookAt } from '../terminal/look.js';
import { print, prose, type Report } from '../terminal/output.js';
import { jsonOption, type ReadOptions, storeOption, verb } from '../verb.js';

interface Options extends ReadOptions {
  readonly workspace?: string;
}

/** The verb `rsi cycle`: runs one cycle over a folder while no loop runs on it. */
export const cycle = verb<Options>({
  description:
    'Runs one cycle of the loop over the records in its folder and shows the new proposals: settings, and rules for the agent. Use it for folders on which no loop runs, such as one that rsi record or rsi import filled; a running loop proposes on its own. A proposal is tried only after a person approves it.',
  examples: [
    ['cycle', 'show what could be changed'],
    ['cycle --workspace .', 'with the lines it would add to AGENTS.md'],
  ],
  options: [storeOption(), workspaceOption(), jsonOption()],
  run: async ({ store, workspace, json }, _argument, config) => {
    const configuration = await config();
    const work = async (loop: RSILoop) => {
      await whenRebuilt(loop);
      const look = { ...lookAt(process.stdout, store), diff: workspace !== undefined };
      await print(await propose(loop, look), json);
      return EXIT.done;
    };
    return withLoop(store, 'decide', work, {
      ...loopOptions(configuration),
      ...(await modelOption(configuration, store)),
      autoFix: false,
      ...workspaceOf(workspace),
    });
  },
});

async function propose(loop: RSILoop, look: Look & { readonly diff: boolean }): Promise<Report> {
  // Checked before the cycle, which would decide nothing if another process holds the lease.
  const lease = await loop.store.coordination.lease('cycle');
  if (!lease) {
    const instead = `${look.next('review')} shows its proposals`;
    throw new LoopError('invalid-input', `a loop runs on this folder and proposes on its own: ${instead}`);
  }
  await lease.release();
  const before = new Map(loop.fixes().map((fix) => [fix.id, fix.changedMs]));
  const { patterns, unfinished } = await loop.runCycle();
  if (unfinished !== undefined) throw new LoopError('store-failed', `the cycle was cut short: ${unfinished}`);
  const isNew = ({ id, changedMs }: Fix) => before.get(id) !== changedMs;
  const fresh = loop.fixes({ status: 'proposed' }).filter(isNew);
  const review = await reviewOf(loop, fresh);
  const recurring = patterns.filter((pattern) => pattern.recurring).length;
  const { sinceMs, untilMs } = await periods.readPeriod(loop);
  const days = `${day(sinceMs)} to ${day(untilMs)}`;
  return {
    document: { ...review, format: 'rsi-cycle/1', recurring, sinceMs, untilMs },
    text:
      fresh.length > 0
        ? `${renderReview(review, look)}\n${prose(`Read the records of ${days}.`)}`
        : prose(nothingNew({ patterns, days, fixes: loop.fixes() }, look)),
  };
}
