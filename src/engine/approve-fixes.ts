import type { Fix } from '../contract/fix.js';
import { approvesItself } from '../fix/auto-approval.js';
import { isReady } from '../fix/readiness.js';
import { AUTO, isInconclusive } from './conclude.js';
import type { CycleContext } from './cycle-context.js';
import { eachFix } from './each-fix.js';

/** Approves safe fixes and asks the gate about the others. */
export async function approveFixes(now: CycleContext): Promise<void> {
  const { ledger, questions, noTrials, atMs } = now;
  await ledger.appendLegal(({ active, frozen }) => {
    if (frozen || noTrials) return [];
    return eachFix(active.values(), now, (fix) => {
      const reason = fix.status === 'proposed' ? whyApproved(fix, now) : undefined;
      if (reason === undefined) return [];
      return [{ kind: 'fix-moved', atMs, by: AUTO, fixId: fix.id, to: 'approved', reason }];
    });
  });
  if (ledger.state.frozen || noTrials) return;
  await questions.ask([...ledger.state.active.values()].filter((fix) => isProposal(fix) || isInconclusive(fix)));
}

/** Returns why a proposal may be tried without asking; undefined if a person has to decide. */
function whyApproved(fix: Fix, now: CycleContext): string | undefined {
  const { tasks, repeats, autoFix, autoApprove, ruleFiles, analyzer, seen } = now;
  if (fix.change.kind === 'policy') {
    const isSafe = autoFix && fix.safe && fix.forecast.kind === 'testable';
    const task = tasks.get(fix.task);
    if (!isSafe || !task || !isReady(task)) return undefined;
    return repeats.forbids(fix.change, task) || repeats.question(fix.change, task) ? undefined : SAFE;
  }
  const pattern = seen.get(analyzer.resolve(fix.patternId));
  return approvesItself(fix, pattern, autoApprove, (file) => ruleFiles.isWritable(file));
}

const SAFE = 'safe: inside the fixed bounds, and shown or taken back by a trial';

/** Returns whether a person has to decide: the fix is not safe, or automatic fixes are off. */
export function isProposal(fix: Fix): boolean {
  return fix.status === 'proposed' && (fix.needs === undefined || fix.change.kind === 'rule');
}
