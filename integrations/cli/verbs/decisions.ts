import { Option } from 'commander';
import { type Answer, describeFix, type Fix, LoopError, type RSILoop } from 'rsi-loop';
import { counted } from '../../reports/words/numbers.js';
import { loopOptions } from '../config/loop-options.js';
import { EXIT } from '../exit.js';
import { commandsFor, findFix } from '../fixes/find-fix.js';
import { paintStatus, statusWords } from '../fixes/status-words.js';
import { whenRebuilt, withLoop } from '../store/open-loop.js';
import { userName } from '../store/user-name.js';
import { workspaceOf, workspaceOption } from '../store/workspace.js';
import type { Example } from '../terminal/examples.js';
import { type NextCommand, nextCommand, paintFor } from '../terminal/look.js';
import { print, prose, type Report } from '../terminal/output.js';
import { plain } from '../terminal/terminal-text.js';
import { jsonOption, storeOption, type Verb, verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly by?: string;
  readonly reason?: string;
  readonly workspace?: string;
  readonly no?: true;
  readonly json?: true;
}

/** Everything that a decision needs. `argument` is the id of a fix or the name of a task; empty if there is none. */
interface Asked {
  readonly loop: RSILoop;
  readonly answer: Answer;
  readonly argument: string;
  readonly no: boolean;
  readonly next: NextCommand;
}

interface Decision {
  readonly description: string;
  readonly examples: readonly Example[];
  readonly options?: readonly Option[];
  /** True if the decision depends on stored records and not only on earlier decisions. */
  readonly rebuilt?: true;
  decide(asked: Asked): Promise<Report>;
}

export const approve = decision({
  description:
    'Approves a fix. A proposed fix is tried on a random part of the work, from the next cycle of the loop on. It is kept only if it is proven to help. If the trial of a fix was inconclusive, approving keeps the fix.',
  examples: [['approve 1371 --reason "worth a try"', 'the beginning of an id is enough']],
  decide: onFix(
    'approve',
    (loop, id, answer) => loop.approve(id, answer),
    (fix, loop) => {
      const { status, needs } = fix;
      if (status === 'applied-unverified') return 'it applies to every task';
      const { approved } = describeFix(loop, fix);
      if (approved !== undefined) return plain(approved);
      if (loop.frozen()) return 'its trial begins once the loop is unfrozen';
      if (loop.paused()) return 'its trial begins once trials are resumed';
      return `its trial begins with the next cycle of the loop${needs === undefined ? '' : `; first ${plain(needs)}`}`;
    },
  ),
});

export const apply = decision({
  description:
    'Applies a proposed fix to all tasks without evidence that it helps; its status becomes applied-unverified. A rule is written into its file. Later, rsi explain compares the fall of failures since then with how far they fell in earlier periods. To have the fix proven instead, use rsi approve.',
  examples: [
    ['apply 1371 --reason "obviously right"', 'applies to every task now'],
    ['apply 1371 --workspace .', 'also writes a rule into AGENTS.md'],
  ],
  options: [workspaceOption()],
  rebuilt: true,
  decide: onFix(
    'apply',
    (loop, id, answer) => loop.apply(id, answer),
    (fix, loop) => plain(describeFix(loop, fix).inForce),
  ),
});

export const reject = decision({
  description:
    'Rejects a fix. It is not proposed again for the same failures unless they change materially. The reason is recorded as a lesson.',
  examples: [['reject 1371 --reason "tried before"', 'the reason is recorded']],
  decide: onFix(
    'reject',
    (loop, id, { by, reason = 'no reason given' }) => loop.reject(id, { by, reason }),
    (fix, loop) =>
      fix.status === 'rejected' ? 'it is not proposed again for the same failures' : rolledBackWords(fix, loop),
  ),
});

export const rollback = decision({
  description: 'Rolls back a fix, even a proven one. Tasks that begin now use the earlier settings again.',
  examples: [['rollback 1371', 'restores the earlier settings']],
  options: [workspaceOption()],
  decide: onFix('rollback', (loop, id, answer) => loop.rollback(id, answer), rolledBackWords),
});

export const reconsider = decision({
  description:
    'Takes back a rejection or a rollback by a person: the fix is proposed again. A fix that its trial rejected stays rejected. The ledger keeps both steps.',
  examples: [['reconsider 1371 --reason "rejected by mistake"', 'proposes it again']],
  decide: onFix(
    'reconsider',
    (loop, id, answer) => loop.reconsider(id, answer),
    () => 'it waits for a decision again; a safe one is tried with the next cycle of the loop',
  ),
});

export const repeatable = decision({
  description:
    'Answers whether tasks of this name may run twice. Without an answer the loop repeats a task only if its own code says so. The answer is kept in the ledger; the newest one counts.',
  examples: [
    ['repeatable fetch_page --reason "it only reads"', 'fixes that retry it can be tried'],
    ['repeatable send_invoice --no', 'nothing retries it'],
  ],
  options: [new Option('--no', 'it may not: fixes that retry it are withdrawn or rolled back')],
  rebuilt: true,
  decide: async ({ loop, argument: task, no, answer }) => {
    await (no ? loop.forbidRepeat(task, answer) : loop.allowRepeat(task, answer));
    const known = loop.patterns().some((pattern) => pattern.task === task);
    const unseen = known ? '' : ' (no failure of a task with this name is known here: check its spelling)';
    const effect = no
      ? 'may not run twice: no fix repeats it, not even a proven one'
      : `may run twice: fixes that retry it can be tried from the next cycle on${unseen}`;
    return {
      text: `${plain(task)} ${effect}`,
      document: { format: 'rsi-repeatable/1', task, mayRepeat: !no, by: answer.by },
    };
  },
});

export const freeze = decision({
  description:
    'Ends every running trial, rolls its fix back, and starts no other until rsi unfreeze. The evidence is kept, but a new trial begins at zero; rsi pause keeps trials as they are instead. Confirmed fixes stay. Processes that run tasks notice within about a second.',
  examples: [['freeze --reason "release today"', 'no trials until unfreeze']],
  decide: async ({ loop, answer, next }) => {
    const running = loop.fixes({ status: 'trial' });
    await loop.freeze(answer);
    const rolledBack = `${counted(running.length, 'running trial')} ${running.length === 1 ? 'was' : 'were'} rolled back`;
    const names = running.map(({ id, task, issue }) => `${plain(id)} ${plain(task)} · ${plain(issue)}`).join(', ');
    const trials = running.length === 0 ? 'no trial was running' : `${rolledBack} (${names})`;
    return frozen(loop, `frozen: ${trials}, none starts until ${next('unfreeze')}`);
  },
});

export const unfreeze = decision({
  description: 'Ends a freeze. The loop proposes rolled-back trials again while their failures continue.',
  examples: [['unfreeze', 'trials may start again']],
  decide: async ({ loop, answer }) => {
    if (!loop.frozen()) return frozen(loop, 'not frozen: nothing to do');
    await loop.unfreeze(answer);
    return frozen(loop, 'unfrozen: trials may start again with the next cycle of the loop');
  },
});

export const pause = decision({
  description:
    'Pauses trials: none starts, and running trials draw no arms until rsi resume. Tasks run as without the fixes on trial and do not count, so trials keep their evidence. Deadlines do not move. Confirmed fixes stay.',
  examples: [['pause --reason "release today"', 'trials keep their evidence']],
  decide: async ({ loop, answer, next }) => {
    await loop.pause(answer);
    const running = counted(loop.fixes({ status: 'trial' }).length, 'running trial');
    return paused(loop, `paused: ${running} kept with all evidence, none starts until ${next('resume')}`);
  },
});

export const resume = decision({
  description: 'Ends a pause. Running trials continue with the evidence that they had.',
  examples: [['resume', 'trials continue']],
  decide: async ({ loop, answer }) => {
    if (!loop.paused()) return paused(loop, 'not paused: nothing to do');
    await loop.resume(answer);
    return paused(loop, 'resumed: trials continue');
  },
});

function paused(loop: RSILoop, text: string): Report {
  return { text, document: { format: 'rsi-pause/1', paused: loop.paused() ?? null } };
}

function frozen(loop: RSILoop, text: string): Report {
  return { text, document: { format: 'rsi-freeze/1', frozen: loop.frozen() ?? null } };
}

function rolledBackWords(fix: Fix, loop: RSILoop): string {
  return plain(describeFix(loop, fix).rolledBack);
}

/** Creates a decision on one fix. `effect` describes what happens now. */
function onFix(
  verbName: string,
  act: (loop: RSILoop, id: string, answer: Answer) => Promise<Fix>,
  effect: (fix: Fix, loop: RSILoop) => string,
): Decision['decide'] {
  return async ({ loop, argument, answer, next }) => {
    const before = findFix(loop, argument, next);
    const fix = await act(loop, before.id, answer).catch((cause: unknown) => {
      if (!LoopError.is(cause) || cause.code !== 'illegal-step') throw cause;
      throw new LoopError('illegal-step', `cannot ${verbName} ${before.id}, ${insteadWords(before, next)}`, { cause });
    });
    const status = paintStatus(fix.status, fix.status, paintFor(process.stdout));
    return {
      text: `${plain(fix.id)} is ${status} now: ${effect(fix, loop)}`,
      document: { format: 'rsi-decision/1', fix },
    };
  };
}

/** Names the steps that the fix allows, as commands. */
function insteadWords(fix: Fix, next: NextCommand): string {
  const commands = commandsFor(fix, next).map(([command, does]) => `"${command}" ${does}`);
  const wait = fix.status === 'trial' && fix.verdict === undefined ? 'wait for its verdict; ' : '';
  const instead = commands.length === 0 ? 'no decision is possible any more' : `${wait}${commands.join('; ')}`;
  return `which is ${statusWords(fix.status)}: ${instead}`;
}

function decision({ decide, rebuilt, options = [], ...words }: Decision): Verb {
  return verb<Options, string | undefined>({
    ...words,
    options: [
      storeOption(),
      new Option('--by <name>', 'who decides (default: the user of the system)'),
      new Option('--reason <text>', 'why; recorded permanently in the ledger'),
      ...options,
      jsonOption(),
    ],
    run: async ({ store, by = userName(), reason, workspace, no = false, json }, argument = '', config) => {
      if (by.trim() === '') throw new LoopError('invalid-input', '--by is empty: say who decides');
      const answer = { by, ...(reason !== undefined && { reason }) };
      const work = async (loop: RSILoop) => {
        if (rebuilt) await whenRebuilt(loop);
        const { text, document } = await decide({ loop, answer, argument, no, next: nextCommand(store) });
        await print({ text: prose(text), document }, json);
        return EXIT.done;
      };
      return withLoop(store, 'decide', work, { ...loopOptions(await config()), ...workspaceOf(workspace) });
    },
  });
}
