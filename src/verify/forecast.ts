import type { Forecast, ForecastInput } from '../contract/fix.js';
import type { UnitKind } from '../contract/trial.js';
import { whole } from '../lib/text.js';
import { levelOf } from './level.js';
import { POLICY_DAYS, RULE_DAYS } from './limits.js';

interface LeveledInput extends ForecastInput {
  /** E-value needed: 1 / alpha of the attempt. Default 40, as for a first attempt. */
  readonly needed?: number;
}

const FIRST_TRIAL = { trial: 1, confirmed: 0, attempt: 1 };
const HALVING = 0.5;
const CURE = 0.1;
/** Upper bound on assumed failure rates. */
const MOST = 0.95;
/** Measured factor for units of several tasks: covers their correlation and the wash-out of blocks. */
const TASKS_IN_UNITS = 2.8;
const LONGEST_DAYS: Readonly<Record<UnitKind, number>> = { task: POLICY_DAYS, block: POLICY_DAYS, session: RULE_DAYS };

/**
 * Returns the tasks and days needed to confirm a fix that halves its targeted failures, at today's rate and volume. If
 * many other failures would make that too slow, assumes a fix that leaves one tenth instead.
 */
export function forecast(input: LeveledInput): Forecast {
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
      reason: `it takes about ${whole(tasks)} ${COUNTED[unit]}, more than ${LONGEST_DAYS[unit]} days at the volume so far`,
    };
  const weeks = Math.ceil(days / 7);
  return {
    kind: 'not-testable',
    reason: `a verdict would take ${weeksWords(weeks)} (about ${whole(tasks)} ${COUNTED[unit]}) at this volume, and a trial ends after ${LONGEST_DAYS[unit]} days`,
    weeks,
  };
}

function weeksWords(weeks: number): string {
  return weeks > MOST_WEEKS ? 'more than ten years' : `about ${weeks} weeks`;
}

/** Name of what is counted. Sessions hold calls of tools and models, most of which no program began as tasks. */
const COUNTED: Readonly<Record<UnitKind, string>> = { task: 'tasks', block: 'tasks', session: 'calls' };

/** More weeks than this are not told apart. */
const MOST_WEEKS = 520;

/** Returns the tasks needed to show a fix that leaves this part of its targeted failures. */
export function tasksToShow(input: LeveledInput, leaves: number): number {
  return tasksFor(input, leaves);
}

/** Returns the required log e-value divided by the expected log growth of the bet per task (Kelly 1956). */
function tasksFor(
  { rate, failing = rate, unit, needed = 1 / levelOf(FIRST_TRIAL), isTriggered = false }: LeveledInput,
  leaves: number,
): number {
  const all = Math.min(MOST, Math.max(rate, failing));
  const part = Math.min(1, rate / all);
  const growth = isTriggered ? rate * growthPerTask(MOST, leaves) : growthPerTask(all, 1 - part * (1 - leaves));
  return Math.ceil((Math.log(needed) / growth) * (unit === 'task' ? 1 : TASKS_IN_UNITS));
}

/** Returns the expected log growth per task of the bet on `ratio`, if it is true and half of the tasks get the fix. */
function growthPerTask(rate: number, ratio: number): number {
  const ifFailed = ratio / (ratio + 1);
  const odds = (1 - rate * ratio) / (1 - rate);
  const ifWell = odds / (odds + 1);
  const fix = rate * ratio * Math.log(2 * ifFailed) + (1 - rate * ratio) * Math.log(2 * ifWell);
  const control = rate * Math.log(2 * (1 - ifFailed)) + (1 - rate) * Math.log(2 * (1 - ifWell));
  return (fix + control) / 2;
}
