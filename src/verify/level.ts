import { LoopError } from '../contract/errors.js';

/** Position of a trial among all trials its loop ever opened. */
export interface TrialPlace {
  /** 1 for the first trial of the loop. */
  readonly trial: number;
  /** Number of fixes confirmed before it began. */
  readonly confirmed: number;
  /** Attempt number on these failures, starting at 1. */
  readonly attempt: number;
  /**
   * Budget that earlier trials hold or have used up, from `chargeOf` and `refundOf` of `lib`. Without it, all of them count as
   * lost without any evidence.
   */
  readonly spent?: number;
  /** Earlier trials that did not confirm their fix. Default all. */
  readonly unconfirmed?: number;
  /** How much likelier than a new kind of change this one is to help, from lessons: above 0. Default 1. */
  readonly weight?: number;
}

/** Share of the free budget for the first trial, and the most for any: so it costs no more than without a budget. */
const FIRST = 0.5;
/** Decay exponent of the budget for later trials. */
const POWER = 1.3;
/** Sum of `t ** -POWER` over t >= 2. */
const REST = 2.932;
/** Lowest level, for a budget that a smaller `alpha` has overdrawn. */
const LOWEST = 1e-12;

/**
 * Returns the significance level for a trial: the smaller of two levels, each with its own guarantee.
 *
 * Over all attempts on the same failures, the chance of a false confirmation is at most `alpha`. The j-th attempt gets
 * alpha / (j (j + 1)), which sums to alpha.
 *
 * Over all trials of the loop, at most a share `alpha` of the confirmed fixes is useless on average. Each trial is
 * charged a part of the budget `alpha` and gets that charge times (R + 1) as its level, with R fixes confirmed before
 * it. The charge is returned in full if the fix is confirmed, and by its e-value (1 at most) if it is not. Charges
 * depend only on what happened before the trial. Decision 573 has the proof. Trials may overlap.
 */
export function levelOf(place: TrialPlace, alpha = 0.05): number {
  const { trial, confirmed, attempt, spent, unconfirmed = trial - 1, weight = 1 } = place;
  check('trial', trial);
  check('attempt', attempt);
  const perFailures = alpha / (attempt * (attempt + 1));
  const part = Math.min(FIRST, weight * partOf(unconfirmed + 1));
  const free = spent === undefined ? freeAfter(trial - 1) : Math.max(0, 1 - spent / alpha);
  return Math.max(LOWEST, Math.min(perFailures, alpha * free * part * (confirmed + 1)));
}

/** Returns the level of a running trial after more fixes were confirmed. Its charge stays as it is. */
export function raisedLevel(level: number, place: TrialPlace, confirmed: number, alpha = 0.05): number {
  const { attempt } = place;
  return Math.max(
    level,
    Math.min(alpha / (attempt * (attempt + 1)), (level * (confirmed + 1)) / (place.confirmed + 1)),
  );
}

/** Returns the part of the free budget for the trial that follows `position - 1` unconfirmed ones. */
function partOf(position: number): number {
  if (position <= 1) return FIRST;
  // Euler and Maclaurin's sum of the terms from this one on, within 1 part in 1,000.
  const rest = position ** (1 - POWER) / (POWER - 1) + position ** -POWER / 2 + (POWER / 12) * position ** (-POWER - 1);
  return position ** -POWER / rest;
}

/** Returns the free budget after trials that returned nothing. */
function freeAfter(trials: number): number {
  if (trials === 0) return 1;
  const position = trials + 1;
  return ((1 - FIRST) / REST) * (position ** -POWER / partOf(position));
}

function check(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  throw new LoopError('invalid-input', `${name} is ${value}: give a whole number from 1`);
}
