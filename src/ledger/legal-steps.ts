import type { FixStatus } from '../contract/fix.js';

/** Every step a fix may take; what is missing on the right can not be reached from the status on the left. */
export const LEGAL_STEPS: Readonly<Record<FixStatus, readonly FixStatus[]>> = {
  // A proposal that waits may be told again with newer numbers.
  // A person may put it in force at once, without a trial.
  proposed: ['proposed', 'approved', 'refused', 'superseded', 'expired', 'applied-unverified'],
  approved: ['trial', 'refused', 'rolled-back', 'superseded', 'expired', 'applied-unverified'],
  // From `trial` to `trial`: another share, or a person is asked what to do with an unproven fix.
  trial: ['trial', 'confirmed', 'rolled-back', 'applied-unverified'],
  // From `confirmed` to `confirmed`: another share of the hold-back.
  confirmed: ['confirmed', 'rolled-back', 'reopened', 'superseded'],
  // From `applied-unverified` to itself: what is known of it now, and a person's answer to that.
  'applied-unverified': ['applied-unverified', 'rolled-back', 'confirmed', 'superseded'],
  reopened: ['reopened', 'rolled-back', 'superseded'],
  // Ended. Another attempt at the same change is a new proposal of the same fix.
  refused: ['proposed'],
  'rolled-back': ['proposed'],
  superseded: ['proposed'],
  expired: ['proposed'],
};

/** The change holds: for everybody, or for all but a hold-back. */
export function isInForce(status: FixStatus): boolean {
  return status === 'confirmed' || status === 'applied-unverified' || status === 'reopened';
}

/** Nothing comes of the fix any more, unless it is proposed again. */
export function isFinished(status: FixStatus): boolean {
  return status === 'refused' || status === 'rolled-back' || status === 'superseded' || status === 'expired';
}
