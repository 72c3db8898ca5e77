import { LoopError } from '../contract/errors.js';

/** Position of a trial among all trials its loop ever opened. */
export interface TrialPlace {
  /** 1 for the first trial of the loop. */
  readonly trial: number;
  /** Number of fixes confirmed before it began. */
  readonly confirmed: number;
  /** Attempt number on these failures, starting at 1. */
  readonly attempt: number;
}

/** Share of the budget for a loop's first trial, so that it costs no more than without a budget. */
const FIRST = 0.5;
/** Decay exponent of the later trials' budget. Their shares sum to the rest: the sum over t >= 2 is zeta(1.3) - 1. */
const POWER = 1.3;
const REST = 2.932;

/**
 * Returns the significance level for a trial: the smaller of two levels, each with its own guarantee.
 *
 * Over all attempts on the same failures, the chance of a false confirmation is at most `alpha`. The j-th attempt gets
 * alpha / (j (j + 1)), which sums to alpha.
 *
 * Over all trials of the loop, at most a share `alpha` of the confirmed fixes is useless on average. This uses e-LOND
 * (Xu and Ramdas 2024). The t-th trial gets alpha gamma_t (R + 1), with R fixes confirmed before it and gammas that sum
 * to 1. A false confirmation is one of at least R + 1. Its share of all is therefore at most e alpha gamma_t on
 * average, where e is its e-value. The mean of e is at most 1 at any stopping time. Trials may run side by side and
 * depend on each other.
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
