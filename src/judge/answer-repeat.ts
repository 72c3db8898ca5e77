import { LoopError } from '../contract/errors.js';
import type { Fix, FixStatus } from '../contract/fix.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { LedgerState } from '../ledger/reduce.js';
import { type RepeatCounts, repeatQuestion } from '../lib/repeat.js';
import type { Answer } from '../live/check-arguments.js';
import type { Components } from './components.js';

/**
 * Records a person's answer on whether tasks of this name may run again after a failure. A no withdraws waiting fixes
 * that would repeat them and rolls back running trials.
 * @throws LoopError `invalid-input` for a yes if the host set `idempotent: false`.
 */
export async function answerRepeat(
  components: Components,
  task: string,
  mayRepeat: boolean,
  answer: Answer,
): Promise<void> {
  const { clock, ledger, repeats } = components;
  if (typeof task !== 'string' || task === '') {
    throw new LoopError(
      'invalid-input',
      'the task has no name: give the name that loop.run or loop.begin is called with',
    );
  }
  await ledger.follow();
  const word = repeats.ofTask(countsOf(components, task));
  if (mayRepeat && word.may === false && word.saidBy !== 'person') {
    throw new LoopError(
      'invalid-input',
      `task ${JSON.stringify(task)} runs with idempotent: false: change that in the program that runs it`,
    );
  }
  const { by, reason = mayRepeat ? `may run again, says ${by}` : `may not run again, says ${by}` } = answer;
  const atMs = clock.now();
  await ledger.append((state) => [
    { kind: 'repeat-answered', atMs, by, task, mayRepeat, reason },
    ...(mayRepeat ? [] : withdrawn(components, state, { task, atMs, by, reason })),
  ]);
}

interface Withdrawal {
  readonly task: string;
  readonly atMs: number;
  readonly by: string;
  readonly reason: string;
}

/**
 * Returns the entries that withdraw fixes. Fixes in force need none: they are not applied to tasks that must not be
 * repeated.
 */
function withdrawn({ repeats, kinds }: Components, { active }: LedgerState, about: Withdrawal): readonly LedgerEntry[] {
  const { task, atMs, by } = about;
  return [...active.values()].flatMap((fix): LedgerEntry[] => {
    const to = ENDS[fix.status];
    if (to === undefined || fix.task !== task || !repeats.repeats(kinds.settings(fix.change))) return [];
    const reason = `it repeats tasks that may not run twice: ${about.reason}`;
    return [{ kind: 'fix-moved', atMs, by, fixId: fix.id, to, reason }];
  });
}

const ENDS: { readonly [Status in Fix['status']]?: FixStatus } = {
  proposed: 'superseded',
  approved: 'superseded',
  trial: 'rolled-back',
};

/** Returns how often calls of a task allowed a repeat in the window; zeros for an unknown task. */
export function countsOf({ analyzer, clock }: Components, task: string): RepeatCounts {
  const seen = analyzer.tasks(clock.now()).find((one) => one.task === task);
  return seen ?? { task, managed: 0, repeatable: 0, unrepeatable: 0 };
}

/**
 * Checks that a fix would have an effect.
 * @throws LoopError `illegal-step` if it repeats a task that must not run again, or whose repeatability is unknown.
 */
export function mustBeRepeatable(components: Components, { id, task, change }: Fix): void {
  const { repeats, kinds } = components;
  if (!repeats.repeats(kinds.settings(change))) return;
  const counts = countsOf(components, task);
  const { may } = repeats.ofTask(counts);
  if (may === true) return;
  const why = may === false ? `${JSON.stringify(task)} may not run twice` : repeatQuestion(task);
  throw new LoopError('illegal-step', `fix ${id} repeats tasks: ${why}`);
}
