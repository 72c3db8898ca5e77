import type { Trial } from '../contract/trial.js';
import type { ArmFigures } from '../contract/verdict.js';
import { ENOUGH_BLOCKS, ENOUGH_FAILURES, ENOUGH_SESSIONS, ENOUGH_TASKS, patienceOf } from './limits.js';

/** A fix for a small part of the failures is given more of them, as it moves the total less: 0.75 / aim, at most 4 times. */
const FOR_SMALL_AIM = 0.75;
const MOST_FOR_SMALL_AIM = 4;
/** What looks promising may see so many times as much. Tasks are many; sessions and blocks are few and slow. */
const PROMISING: Readonly<Record<Trial['unit'], number>> = { task: 16, block: 3, session: 3 };
/** A fix looks promising while it spares at least this part of the failures that it is for. */
const SPARES = 0.12;

/** Where an undecided trial stands. */
export interface Undecided {
  readonly seen: ArmFigures;
  /** What was seen before a person extended the trial. */
  readonly excused: ArmFigures;
  /** Failure rate of the fix arm over that of control so far. */
  readonly ratio: number;
}

/**
 * Whether an undecided trial is given up. Patience grows with how promising the fix looks, so that a useless one costs
 * little and a weak but useful one gets the time it needs. When a trial ends has no say in what it may confirm.
 */
export function isGivenUp(trial: Trial, { seen, excused, ratio }: Undecided): boolean {
  const { alpha, aim = 1, unit, trigger } = trial;
  const patience = patienceOf(alpha);
  const enough = (name: keyof ArmFigures, limit: number) => seen[name] - excused[name] >= limit * patience;
  const isEnough = (times: number) => {
    // A session says less than its many tasks would one by one, so it is sessions that are counted.
    if (unit === 'session') return enough('units', ENOUGH_SESSIONS * times);
    if (unit === 'block' && !enough('units', ENOUGH_BLOCKS * times)) return false;
    // Tasks that met a trigger mostly fail: then a few of them say as much as many others.
    return enough('failures', ENOUGH_FAILURES * times) && (trigger !== undefined || enough('tasks', ENOUGH_TASKS));
  };
  const isPromising = ratio <= 1 - SPARES * aim;
  const forAim = unit === 'task' ? Math.min(MOST_FOR_SMALL_AIM, Math.max(1, FOR_SMALL_AIM / aim)) : 1;
  return isPromising ? isEnough(PROMISING[unit]) : isEnough(forAim);
}
