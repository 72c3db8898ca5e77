import type { Fix } from '../contract/fix.js';
import { canReconsider, LEGAL_STEPS } from './legal-steps.js';

/** Decision of a person on a fix: the method of `RSILoop` with this name. */
export type FixDecision = 'approve' | 'reject' | 'apply' | 'rollback' | 'reconsider';

/**
 * Returns whether the fix is only a remark: no trial can decide about it at this volume. A person may still apply it.
 */
function isRemark({ status, forecast }: Pick<Fix, 'status' | 'forecast'>): boolean {
  return status === 'proposed' && forecast.kind === 'not-testable' && forecast.weeks !== undefined;
}

/**
 * Returns the decisions that a person can make about a fix now. Leaves out `reject` where `rollback` does the same.
 * Leaves out `approve` for a fix that no trial can decide about at this volume: it is a remark, which a person may apply.
 * A decision may still fail, for example if another process decides first.
 */
export function legalDecisions(fix: Fix): readonly FixDecision[] {
  const { status, verdict, decision } = fix;
  const steps = LEGAL_STEPS[status];
  const isUndecided = status === 'trial' && verdict?.kind === 'inconclusive';
  const isBack = status === 'reopened' && decision.kind === 'waiting';
  const isWaiting = steps.includes('rejected');
  const decisions: readonly (readonly [FixDecision, boolean])[] = [
    ['approve', (steps.includes('approved') && !isRemark(fix)) || isUndecided || isBack],
    ['reject', isWaiting],
    ['apply', isWaiting && steps.includes('applied-unverified')],
    ['rollback', !isWaiting && steps.includes('rolled-back')],
    ['reconsider', canReconsider(fix)],
  ];
  return decisions.filter(([, isLegal]) => isLegal).map(([decision]) => decision);
}
