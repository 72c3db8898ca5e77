import type { Fix } from '../contract/fix.js';
import { LEGAL_STEPS } from '../ledger/legal-steps.js';

/** Decision of a person on a fix: the method of `RSILoop` with this name. */
export type FixDecision = 'approve' | 'reject' | 'apply' | 'rollback';

/**
 * Returns the decisions that a person can make about a fix now. Leaves out `reject` where `rollback` does the same.
 * A decision may still fail, for example if another process decides first.
 */
export function legalDecisions({ status, verdict }: Fix): readonly FixDecision[] {
  const steps = LEGAL_STEPS[status];
  const isUndecided = status === 'trial' && verdict?.kind === 'inconclusive';
  const isWaiting = steps.includes('rejected');
  const decisions: readonly (readonly [FixDecision, boolean])[] = [
    ['approve', steps.includes('approved') || isUndecided],
    ['reject', isWaiting],
    ['apply', isWaiting && steps.includes('applied-unverified')],
    ['rollback', !isWaiting && steps.includes('rolled-back')],
  ];
  return decisions.filter(([, isLegal]) => isLegal).map(([decision]) => decision);
}
