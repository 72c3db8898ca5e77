import type { Fix, RSILoop } from 'rsi-loop';
import { LoopError } from 'rsi-loop';
import { renderReview } from '../review/render.js';
import { reviewOf } from '../review/review.js';
import { DEFAULT_STORE, lookAt, type NextCommand } from '../store/next-command.js';
import { reportingErrors, withLoop } from '../store/open-loop.js';
import { whenRebuilt } from '../store/when-rebuilt.js';
import { withWorkspace, workspaceOf } from '../store/workspace.js';
import { counted } from '../terminal/numbers.js';
import { prose } from '../terminal/say.js';
import { plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type ExitCode, examples, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly workspace?: string;
  readonly json?: true;
}

/** The verb `rsi cycle`: runs one cycle over a folder while no loop runs on it. */
export const cycle: Verb = {
  register(program, done) {
    withWorkspace(
      program
        .command('cycle')
        .summary('run one cycle: look for what could be changed')
        .description(
          'Runs one cycle of the loop over what its folder holds and shows what is newly proposed: settings and rules for the agent. For folders on which no loop runs, such as one that rsi report or rsi import filled; a running loop proposes by itself. Nothing that is proposed is tried before somebody says so.',
        )
        .addHelpText(
          'after',
          examples(
            ['cycle', 'what could be changed'],
            ['cycle --workspace .', 'with the lines it would add to AGENTS.md'],
          ),
        )
        .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
        .option('--json', 'print one JSON document instead'),
    ).action(async ({ store, workspace, json }: Options) => {
      const work = whenRebuilt((loop) => run(loop, { store, workspace, ...(json && { json }) }));
      const runOnce = async () => withLoop(store, 'decide', work, { autoFix: false, ...workspaceOf(workspace) });
      done(await reportingErrors(runOnce));
    });
  },
};

async function run(
  loop: RSILoop,
  { store, workspace, json }: Pick<Options, 'store' | 'json'> & { readonly workspace: string | undefined },
): Promise<ExitCode> {
  const look = lookAt(process.stdout, store);
  // Checked before the cycle, which would decide nothing if another process holds the lease.
  const lease = await loop.store.coordination.lease('cycle');
  if (!lease) {
    throw new LoopError(
      'invalid-input',
      `a loop runs on this folder and proposes by itself: ${look.next('review')} shows what`,
    );
  }
  await lease.release();
  const before = new Map(loop.fixes().map((fix) => [fix.id, fix.changedMs]));
  const { patterns, unfinished } = await loop.runCycle();
  if (unfinished !== undefined) throw new LoopError('store-failed', `the cycle was cut short: ${unfinished}`);
  const isNew = ({ id, changedMs }: Fix) => before.get(id) !== changedMs;
  const fresh = loop.fixes({ status: 'proposed' }).filter(isNew);
  const review = reviewOf(loop, fresh);
  const recurring = patterns.filter((pattern) => pattern.recurring).length;
  if (json) {
    await write(process.stdout, `${plainJson({ ...review, format: 'rsi-cycle/1', recurring })}\n`);
    return EXIT.done;
  }
  const text =
    fresh.length > 0
      ? renderReview(review, { ...look, diff: workspace !== undefined })
      : prose(nothing(recurring, loop.fixes().length, look.next), process.stdout);
  await write(process.stdout, text);
  return EXIT.done;
}

function nothing(recurring: number, fixes: number, next: NextCommand): string {
  const why =
    recurring === 0
      ? 'nothing failed three times or more in the last 7 days'
      : `${counted(recurring, 'pattern recurs', 'patterns recur')}, and all that can be proposed for ${recurring === 1 ? 'it' : 'them'} was proposed before`;
  return `Nothing new to propose: ${why}.${fixes > 0 ? ` ${next('review')} shows what waits.` : ''}`;
}
