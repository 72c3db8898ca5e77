import { AUTO, type Fix } from '../contract/fix.js';
import type { ChangeKinds } from '../fix/change-kinds.js';
import { isInconclusive } from './conclude.js';
import type { CycleContext } from './cycle-context.js';
import { eachFix } from './each-fix.js';

/** Approves safe fixes and asks the gate about the others. */
export async function approveFixes(now: CycleContext): Promise<void> {
  const { ledger, questions, kinds, noTrials, asks } = now;
  await approveSafe(now);
  if (!asks || ledger.state.frozen || noTrials) return;
  await questions.ask([...ledger.state.active.values()].filter((fix) => isProposal(fix, kinds) || isInconclusive(fix)));
}

/**
 * Approves safe fixes. Every process does so, if its own options allow it: a leader without automatic fixes must not
 * decide for the others.
 */
export async function approveSafe(now: CycleContext): Promise<void> {
  const { ledger, noTrials, atMs } = now;
  await ledger.appendLegal(({ active, frozen }) => {
    if (frozen || noTrials) return [];
    return eachFix(active.values(), now, (fix) => {
      const reason = fix.status === 'proposed' ? whyApproved(fix, now) : undefined;
      if (reason === undefined) return [];
      return [{ kind: 'fix-moved', atMs, by: AUTO, fixId: fix.id, to: 'approved', reason }];
    });
  });
}

/** Returns why a proposal may be tried without asking; undefined if a person has to decide. */
function whyApproved(fix: Fix, { tasks, kinds, analyzer, seen }: CycleContext): string | undefined {
  const facts = { task: tasks.get(fix.task), pattern: seen.get(analyzer.resolve(fix.patternId)) };
  return kinds.of(fix.change).approval?.(fix, facts);
}

/** Returns whether a person has to decide: the fix is not safe, or automatic fixes are off. */
export function isProposal({ status, needs, change }: Fix, kinds: ChangeKinds): boolean {
  return status === 'proposed' && (needs === undefined || kinds.needsPerson(change));
}
