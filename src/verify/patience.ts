import type { Trial } from '../contract/trial.js';
import type { ArmFigures } from '../contract/verdict.js';
import { ENOUGH_BLOCKS, ENOUGH_FAILURES, ENOUGH_SESSIONS, ENOUGH_TASKS, patienceOf } from './limits.js';

/** Factor on the limits for a fix that targets a small part, as it moves the total less: 0.75 / aim, from 1 to 4. */
const FOR_SMALL_AIM = 0.75;
const MOST_FOR_SMALL_AIM = 4;
/** Factor on the limits while the fix looks promising. Tasks are numerous; sessions and blocks are few and slow. */
const PROMISING: Readonly<Record<Trial['unit'], number>> = { task: 16, block: 3, session: 3 };
/** A fix looks promising if it avoids at least this share of its targeted failures. */
const SPARES = 0.12;

/** Progress of an undecided trial. */
export interface Undecided {
  readonly seen: ArmFigures;
  /** Totals at the time a person extended the trial; they do not count towards the limits. */
  readonly excused: ArmFigures;
  /** Failure rate of the fix arm over that of control so far. */
  readonly ratio: number;
  /** Units after which a bet on the smallest gain is hopeless; undefined for a bet on ratios. */
  readonly enough: number | undefined;
}

/**
 * Returns whether to give up an undecided trial. Promising fixes get more time, so a useless fix costs little and a
 * weak but useful one is not cut short. The stopping time does not affect the validity of confirmations.
 */
export function isGivenUp(trial: Trial, { seen, excused, ratio, enough }: Undecided): boolean {
  if (enough !== undefined) return seen.units - excused.units >= enough;
  const { aim = 1, unit } = trial;
  if (ratio <= 1 - SPARES * aim) return isEnough(trial, seen, excused, PROMISING[unit]);
  const forAim = unit === 'task' ? Math.min(MOST_FOR_SMALL_AIM, Math.max(1, FOR_SMALL_AIM / aim)) : 1;
  return isEnough(trial, seen, excused, forAim);
}

function isEnough({ alpha, unit, trigger }: Trial, seen: ArmFigures, excused: ArmFigures, times: number): boolean {
  const patience = patienceOf(alpha);
  const units = seen.units - excused.units;
  // Tasks of one session are correlated, so the limit counts sessions.
  if (unit === 'session') return units >= ENOUGH_SESSIONS * times * patience;
  if (unit === 'block' && units < ENOUGH_BLOCKS * times * patience) return false;
  if (seen.failures - excused.failures < ENOUGH_FAILURES * times * patience) return false;
  // Tasks that meet a trigger mostly fail, so few of them carry as much information as many others.
  return trigger !== undefined || seen.tasks - excused.tasks >= ENOUGH_TASKS * patience;
}
