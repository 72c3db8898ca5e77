import type { Fix, RSILoop } from 'rsi-loop';
import { LoopError } from 'rsi-loop';
import { listFixes } from '../fixes/list.js';
import { renderReview } from '../review/render.js';
import { reviewOf } from '../review/review.js';
import { DEFAULT_STORE, withLoop } from '../store/open-loop.js';
import { withWorkspace, workspaceOf } from '../store/workspace.js';
import { widthOf } from '../terminal/lines.js';
import { counted } from '../terminal/numbers.js';
import { paintFor } from '../terminal/paint.js';
import { plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type ExitCode, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly workspace?: string;
  readonly json?: true;
}

/** `rsi propose`: one turn of the loop over what its folder holds, where no loop runs on it. */
export const propose: Verb = {
  register(program, done) {
    withWorkspace(
      program
        .command('propose')
        .summary('look at what failed again and again, and propose what could be changed')
        .description(
          'Takes one turn of the loop over what its folder holds and shows what is newly proposed: settings and rules for the agent. For folders on which no loop runs, such as one that rsi log or rsi import filled; a running loop proposes by itself. Nothing that is proposed is tried before somebody says so.',
        )
        .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
        .option('--json', 'print one JSON document instead'),
    ).action(async ({ store, workspace, json }: Options) => {
      const options = { autoFix: false, ...workspaceOf(workspace) };
      done(await withLoop(store, 'decide', (loop) => run(loop, { json: json === true, workspace }), options));
    });
  },
};

async function run(
  loop: RSILoop,
  { json, workspace }: { readonly json: boolean; readonly workspace: string | undefined },
): Promise<ExitCode> {
  // Asked before the turn, which would go without deciding where another process does.
  const lease = await loop.store.lease('cycle');
  if (!lease) {
    throw new LoopError('invalid-input', 'a loop runs on this folder: it proposes by itself, see rsi review');
  }
  await lease.release();
  const before = new Map(loop.fixes().map((fix) => [fix.id, fix.changedMs]));
  const { patterns, unfinished } = await loop.runCycle();
  if (unfinished !== undefined) throw new LoopError('store-failed', `the turn was cut short: ${unfinished}`);
  const isNew = ({ id, changedMs }: Fix) => before.get(id) !== changedMs;
  const fresh = loop.fixes({ status: 'proposed' }).filter(isNew);
  const review = reviewOf(loop, fresh);
  const recurring = patterns.filter((pattern) => pattern.recurring).length;
  if (json) {
    await write(process.stdout, `${plainJson({ ...review, format: 'rsi-propose/1', recurring })}\n`);
    return EXIT.done;
  }
  const look = { width: widthOf(process.stdout), paint: paintFor(process.stdout), diff: workspace !== undefined };
  if (fresh.length > 0) await write(process.stdout, renderReview(review, look));
  else await write(process.stdout, `${nothing(recurring, listFixes(loop, {}).fixes.length)}\n`);
  return EXIT.done;
}

function nothing(recurring: number, fixes: number): string {
  const why =
    recurring === 0
      ? 'nothing failed three times or more within 7 days'
      : `${counted(recurring, 'pattern recurs', 'patterns recur')}, and all that can be proposed for ${recurring === 1 ? 'it' : 'them'} was proposed before`;
  return `Nothing new to propose: ${why}.${fixes > 0 ? ' rsi review shows what waits.' : ''}`;
}
