import { type Fix, type FixStatus, isApprovedByPerson } from '../contract/fix.js';

/** Legal status changes of a fix. A status missing on the right cannot be reached from the status on the left. */
export const LEGAL_STEPS: Readonly<Record<FixStatus, readonly FixStatus[]>> = {
  // A waiting proposal may be repeated with newer numbers. A person may apply it immediately, without a trial.
  proposed: ['proposed', 'approved', 'rejected', 'superseded', 'expired', 'applied-unverified'],
  approved: ['trial', 'rejected', 'rolled-back', 'superseded', 'expired', 'applied-unverified'],
  // From `trial` to `trial`: a new share, or a person has to decide on a fix with an inconclusive trial.
  // To `void`: both arms did the same, so nothing was learned.
  trial: ['trial', 'confirmed', 'rolled-back', 'applied-unverified', 'void'],
  // From `confirmed` to `confirmed`: a new share of the holdout.
  confirmed: ['confirmed', 'rolled-back', 'reopened', 'superseded'],
  // From `applied-unverified` to itself: new data about it, or a person's answer to that data.
  'applied-unverified': ['applied-unverified', 'rolled-back', 'confirmed', 'superseded'],
  reopened: ['reopened', 'rolled-back', 'superseded'],
  // Finished. Another attempt at the same change is a new proposal of the same fix.
  rejected: ['proposed'],
  'rolled-back': ['proposed'],
  superseded: ['proposed'],
  expired: ['proposed'],
  void: ['proposed'],
};

const FINISHED: ReadonlySet<FixStatus> = new Set(['rejected', 'rolled-back', 'superseded', 'expired', 'void']);

/** Returns whether the change applies to all tasks, or to all but a holdout. */
export function isInForce(status: FixStatus): boolean {
  return status === 'confirmed' || status === 'applied-unverified' || status === 'reopened';
}

/** Returns whether the fix has no further effect, unless it is proposed again. */
export function isFinished(status: FixStatus): boolean {
  return FINISHED.has(status);
}

/**
 * Returns whether a person can propose the fix again: one that was rejected, not answered or void, or that a person
 * rolled back. What a trial rejected stays rejected.
 */
export function canReconsider(fix: Pick<Fix, 'status' | 'verdict' | 'decision'>): boolean {
  const { status, verdict } = fix;
  if (status !== 'rolled-back') return status === 'rejected' || status === 'expired' || status === 'void';
  return verdict?.kind === 'inconclusive' ? isApprovedByPerson(fix) : verdict?.kind !== 'failed';
}
