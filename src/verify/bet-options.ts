import type { Trial } from '../contract/trial.js';
import type { ArmBetOptions } from './arm-bet.js';

/** Fewest and most units for which part of the evidence is saved up for the deadline. */
const SHORTEST = 200;
const LONGEST = 1_000;
/** Least share of tasks that are supposed to meet a trigger. */
const LEAST_TRIGGERED = 0.02;

/** Returns how a trial bets on its units. A trial of an earlier version, without a smallest gain, bets on ratios. */
export function betOptionsOf(trial: Trial): ArmBetOptions {
  const { unit, alpha, aim = 1, trigger, smallestGain, leastGain, expected = 0 } = trial;
  if (unit !== 'task') return { unit, alpha, aim };
  if (smallestGain === undefined) return { unit, alpha, aim, method: 'ratios' };
  // Only tasks that failed at first are compared, so a gain is a larger share of them than of all tasks.
  const compared = trigger ? triggeredShare(trial) : 1;
  const horizon = Math.round(expected * compared);
  return {
    ...{ unit, alpha, aim, smallestGain: Math.min(1, smallestGain / compared) },
    ...(leastGain !== undefined && { leastGain: Math.min(1, leastGain / compared) }),
    ...(horizon > 0 && { horizon: Math.min(LONGEST, Math.max(SHORTEST, horizon)) }),
    ...(trigger && { isCure: true }),
  };
}

function triggeredShare({ past }: Trial): number {
  return past.tasks > 0 ? Math.min(1, Math.max(LEAST_TRIGGERED, past.failures / past.tasks)) : 1;
}
