import type { UnitKind } from '../contract/trial.js';
import { EffectBets, type EffectBetsSnapshot, USEFUL_RATIO } from './effect-bets.js';
import { ResidualBets, type ResidualBetsOptions, type ResidualBetsSnapshot } from './residual-bets.js';

/** Failure-rate ratios (fix over control) that the bets suppose for a useful fix. */
const HELP_RATIOS: readonly number[] = [0.7, 0.5, 0.3, 0.1];
/** Below this share of all failures, the ratios are those reachable by fixing only the targeted share. */
const SMALL_AIM = 0.9;

export interface ArmBetOptions {
  /** The unit of randomisation: single tasks (default), or blocks or sessions of several tasks. */
  readonly unit?: UnitKind;
  /** Probability of confirming a fix that does nothing, valid however often results are checked. Default 0.05. */
  readonly alpha?: number;
  /** Share of the failures that the fix targets, above 0 to 1, fixed before the first unit. Default 1. */
  readonly aim?: number;
  /**
   * Single tasks only: smallest gain worth having, as a share of tasks. A fix that gains less fails with `no-effect`.
   * Default 0.05, and always at most 30 % of the failure rate.
   */
  readonly smallestGain?: number;
  /** Single tasks only: gain that is asked for at least, at any failure rate. Default 0. */
  readonly leastGain?: number;
  /** Single tasks only: units expected up to the deadline. Part of the evidence is saved for it. Default: no deadline. */
  readonly horizon?: number;
  /** Single tasks only: nearly all of them fail without the fix. Default false. */
  readonly isCure?: boolean;
  /** How single tasks are bet on. `ratios` supposes ratios of failure rates, as for several tasks. Default `residuals`. */
  readonly method?: 'residuals' | 'ratios';
}

/** Bets on single tasks, or on units of several tasks. */
export type Bets = EffectBets | ResidualBets;
export type BetsSnapshot = EffectBetsSnapshot | ResidualBetsSnapshot;

/** Returns the options that are set, apart from those with a place of their own in the snapshot. */
export function setOptions({ smallestGain, leastGain, horizon, isCure, method }: ArmBetOptions): ArmBetOptions {
  return {
    ...(smallestGain !== undefined && { smallestGain }),
    ...(leastGain !== undefined && { leastGain }),
    ...(horizon !== undefined && { horizon }),
    ...(isCure !== undefined && { isCure }),
    ...(method !== undefined && { method }),
  };
}

/** Returns the bets on units of this kind. */
export function betsOf(
  { unit, aim = 1, method = 'residuals', ...options }: ArmBetOptions,
  needed: number,
  snapshot?: BetsSnapshot,
): Bets {
  if (unit === 'task' && method === 'residuals') {
    const residuals: ResidualBetsOptions = { ...options, aim, needed };
    return new ResidualBets(residuals, snapshot as ResidualBetsSnapshot | undefined); // written by the same kind
  }
  const ratios = { helpRatios: helpRatios(aim), usefulRatio: ofAll(USEFUL_RATIO, aim) };
  return new EffectBets({ isSingle: unit === 'task', ...ratios }, snapshot as EffectBetsSnapshot | undefined); // as above
}

/**
 * Returns the ratios of total failures that a useful fix may leave. It may fix half or nine tenths of the targeted
 * share. It may also exceed that share, which is a cautious estimate, or halve all failures.
 */
function helpRatios(aim: number): readonly number[] {
  if (aim > SMALL_AIM) return HELP_RATIOS;
  return [1 - 0.5 * aim, 1 - 0.9 * aim, Math.max(0.1, 1 - 1.5 * aim), 0.5];
}

/** Returns the share of all failures left if the fix leaves `ratio` of the targeted share `aim`. */
function ofAll(ratio: number, aim: number): number {
  return aim === 1 ? ratio : 1 - aim * (1 - ratio);
}
