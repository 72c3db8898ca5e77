import type { Forecast } from '../contract/fix.js';
import type { UnitKind } from '../contract/trial.js';
import { levelOf } from './level.js';
import { POLICY_DAYS, RULE_DAYS } from './limits.js';

/** What is known of the failures before a trial. */
export interface ForecastInput {
  /** Share of the tasks in scope that fail now in the way that the fix is for, 0 to 1. */
  readonly rate: number;
  /** Share of them that fail in any way. Default `rate`. */
  readonly failing?: number;
  /** Only tasks that failed so at their first attempt will be bet on, and other failures do not matter. */
  readonly isTriggered?: boolean;
  /** Tasks in scope per day. */
  readonly perDay: number;
  /** How long they were observed, in days. Below one day nothing is said in days. */
  readonly observedDays: number;
  readonly unit: UnitKind;
  /** What the capital must reach: 1 / alpha of the attempt. Default 40, as for a first one. */
  readonly needed?: number;
}

const FIRST_TRIAL = { trial: 1, confirmed: 0, attempt: 1 };
const HALVING = 0.5;
const CURE = 0.1;
/** Failure rates are not taken to be higher. */
const MOST = 0.95;
/** Measured: units of several tasks take this many times the tasks, for their dependence and the wash-out of blocks. */
const TASKS_IN_UNITS = 2.8;
const LONGEST_DAYS: Readonly<Record<UnitKind, number>> = { task: POLICY_DAYS, block: POLICY_DAYS, session: RULE_DAYS };

/**
 * Tasks and days until a fix that halves the failures it is for is confirmed, at today's rate and volume. Beside many other
 * failures a halving may take too long: then it says how long a fix takes that leaves a tenth.
 */
export function forecast(input: ForecastInput): Forecast {
  const { rate, perDay, observedDays, unit } = input;
  if (!(rate > 0) || !(perDay > 0)) return { kind: 'not-testable', reason: 'nothing failed in the window' };
  const halving = tasksFor(input, HALVING);
  const isDiluted = (input.failing ?? rate) > rate;
  const tasks = isDiluted && halving / perDay > LONGEST_DAYS[unit] ? tasksFor(input, CURE) : halving;
  const days = tasks / perDay;
  const isKnown = observedDays >= 1;
  if (days <= LONGEST_DAYS[unit]) return { kind: 'testable', tasks, ...(isKnown && { days }) };
  if (!isKnown)
    return {
      kind: 'not-testable',
      reason: `it takes about ${tasks} tasks, more than ${LONGEST_DAYS[unit]} days at the volume so far`,
    };
  return {
    kind: 'not-testable',
    reason: `it would take about ${tasks} tasks, ${Math.ceil(days)} days at today's volume; a trial ends after ${LONGEST_DAYS[unit]}`,
  };
}

/** What the capital must reach over what it gains per task on average (the expected log growth of the bet; Kelly 1956). */
function tasksFor(
  { rate, failing = rate, unit, needed = 1 / levelOf(FIRST_TRIAL), isTriggered = false }: ForecastInput,
  leaves: number,
): number {
  const all = Math.min(MOST, Math.max(rate, failing));
  const part = Math.min(1, rate / all);
  const growth = isTriggered ? rate * growthPerTask(MOST, leaves) : growthPerTask(all, 1 - part * (1 - leaves));
  return Math.ceil((Math.log(needed) / growth) * (unit === 'task' ? 1 : TASKS_IN_UNITS));
}

/** Average gain in log capital of the bet on a ratio, when it is true and half of the tasks get the fix. */
function growthPerTask(rate: number, ratio: number): number {
  const ifFailed = ratio / (ratio + 1);
  const odds = (1 - rate * ratio) / (1 - rate);
  const ifWell = odds / (odds + 1);
  const fix = rate * ratio * Math.log(2 * ifFailed) + (1 - rate * ratio) * Math.log(2 * ifWell);
  const control = rate * Math.log(2 * (1 - ifFailed)) + (1 - rate) * Math.log(2 * (1 - ifWell));
  return (fix + control) / 2;
}
