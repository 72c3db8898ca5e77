import { LoopError } from '../contract/errors.js';
import { showValue } from '../lib/text.js';

/** Position of a trial among all trials its loop ever opened. */
export interface TrialPlace {
  /** 1 for the first trial of the loop. */
  readonly trial: number;
  /** Number of fixes confirmed before it began. */
  readonly confirmed: number;
  /** Attempt number on these failures, starting at 1. */
  readonly attempt: number;
  /** Part of the budget that earlier trials hold or have used up. Without it, all of them used up what they got. */
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
 * Over all trials of the loop, the expected number of useless confirmed fixes is at most `alpha` times that of all
 * confirmed ones, with none counted as one (mFDR by alpha investing, Foster and Stine 2008; with e-values, Zhang and
 * others 2025). The budget is alpha max(1, R) after R confirmations, and a trial at level l holds l / (1 - l) of it. A
 * confirmed trial returns all, another one its e-value of it, at most all. Proof: let e be the e-value of a useless trial at its end, p the chance
 * that it is confirmed, and m the mean of min(1, e) if it is not. As the mean of e is at most 1, p / l + m <= 1. It
 * keeps l / (1 - l) (1 - p - m) >= p of the budget on average. All trials together never keep more than the budget.
 * Levels, numbers of trials and their ends may depend on all that came before, and trials may overlap.
 */
export function levelOf(place: TrialPlace, alpha = 0.05): number {
  const { trial, confirmed, attempt, spent, unconfirmed = trial - 1, weight = 1 } = place;
  check('trial', trial);
  check('attempt', attempt);
  const perFailures = alpha / (attempt * (attempt + 1));
  if (spent === undefined) return Math.min(perFailures, alpha * fixedPart(trial) * (confirmed + 1));
  // Trials per confirmation so far: the budget has to last that long.
  const part = Math.min(FIRST, weight * partOf(1 + unconfirmed / (confirmed + 1)));
  return Math.max(LOWEST, Math.min(perFailures, part * (alpha * Math.max(1, confirmed) - spent)));
}

/** Returns the part of the free budget for the trial that follows `position - 1` unconfirmed ones. */
function partOf(position: number): number {
  if (position <= 1) return FIRST;
  // Euler and Maclaurin's sum of the terms from this one on, within 1 part in 1,000.
  const rest = position ** (1 - POWER) / (POWER - 1) + position ** -POWER / 2 + (POWER / 12) * position ** (-POWER - 1);
  return position ** -POWER / rest;
}

/** Returns the part of `alpha` for a trial, where nothing is returned (e-LOND, Xu and Ramdas 2024). Sums to 1. */
function fixedPart(trial: number): number {
  return trial === 1 ? FIRST : ((1 - FIRST) / REST) * trial ** -POWER;
}

function check(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  throw new LoopError('invalid-input', `${name} is ${showValue(value)}: give a whole number from 1`);
}
