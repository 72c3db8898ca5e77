import { LoopError } from '../contract/errors.js';

/** Where a trial stands among all trials that its loop ever opened. */
export interface TrialPlace {
  /** 1 for the first trial of the loop. */
  readonly trial: number;
  /** Fixes that were confirmed before it began. */
  readonly confirmed: number;
  /** 1 for the first trial on these failures. */
  readonly attempt: number;
}

/** The first trial of a loop gets this share of the budget, so that it costs no more than without a budget. */
const FIRST = 0.5;
/** How fast the budget of later trials falls. Their shares sum to the rest: the sum over t >= 2 is zeta(1.3) - 1. */
const POWER = 1.3;
const REST = 2.932;

/**
 * Returns the level at which a trial is tested: the smaller of two, each of which holds a promise on its own.
 *
 * Over all attempts on the same failures at most `alpha` false confirmations: alpha / (j (j + 1)) for the j-th, which
 * sums to alpha.
 *
 * Over all trials of the loop at most a share `alpha` of the confirmed fixes is useless on average, by e-LOND (Xu and
 * Ramdas 2024): alpha gamma_t (R + 1) for the t-th trial, with R fixes confirmed before it and gammas that sum to 1.
 * A false confirmation is one of at least R + 1, so its share of all is at most e alpha gamma_t on average, where e is
 * its capital, whose mean is at most 1 at any time it is stopped. Trials may run side by side and depend on each other.
 */
export function levelOf({ trial, confirmed, attempt }: TrialPlace, alpha = 0.05): number {
  check('trial', trial);
  check('attempt', attempt);
  const gamma = trial === 1 ? FIRST : ((1 - FIRST) / REST) * trial ** -POWER;
  return Math.min(alpha / (attempt * (attempt + 1)), alpha * gamma * (confirmed + 1));
}

function check(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  throw new LoopError('invalid-input', `${name} is ${value}: give a whole number from 1`);
}
