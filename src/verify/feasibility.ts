import type { ForecastInput } from '../contract/fix.js';
import type { UnitKind } from '../contract/trial.js';
import { tasksToShow } from './forecast.js';
import { POLICY_DAYS, RULE_DAYS } from './limits.js';

/** Failures that a fix leaves if it cures its pattern. Trials of smaller effects take longer. */
const CURE = 0.1;
/** Other ways to draw are named if they take at most this part of the time. */
const SHORTER = 0.5;
/** Below this time of observation, nothing is known about the volume of a day. */
const MIN_DAYS = 1;

/** Facts about a trial before it opens. */
export interface TrialNeeds extends ForecastInput {
  /** E-value needed: 1 / alpha of the trial. */
  readonly needed: number;
  /** Share of the units that get the fix. Default 0.5. */
  readonly share?: number;
  /** Tasks per day without the limits of its scope, such as one model. */
  readonly perDayUnlimited?: number;
}

export interface Feasibility {
  /** Days until a cure would be shown, at today's volume. */
  readonly days: number;
  /** Why the trial cannot end in the time there is. Absent if it can. */
  readonly problem?: string;
  /** Ways to shorten it, in words. */
  readonly shorter: readonly string[];
}

/** Returns whether a trial can end before its deadline at today's volume, and what would shorten it. */
export function feasibilityOf(needs: TrialNeeds): Feasibility {
  const limit = needs.unit === 'session' ? RULE_DAYS : POLICY_DAYS;
  const days = daysOf(needs);
  const shorter = waysToShorten(needs, days);
  if (days <= limit || needs.observedDays < MIN_DAYS) return { days, shorter };
  const least = needs.perDay * (days / limit);
  const problem =
    `even a fix that prevents nine in ten of these failures would take ${inDays(days)}, and a trial ends after ${limit}: ` +
    `it needs ${weekly(least)} tasks a week and gets ${weekly(needs.perDay)}`;
  return { days, shorter, problem };
}

/** Returns a problem and what would shorten the trial as one text. */
export function inWords({ problem, shorter }: Feasibility): string | undefined {
  return problem === undefined ? undefined : [problem, ...shorter].join('; ');
}

function daysOf(needs: TrialNeeds): number {
  const { perDay, share = 0.5 } = needs;
  if (!(perDay > 0) || !(needs.rate > 0)) return Number.POSITIVE_INFINITY;
  // Information grows with share (1 - share), which is largest at one half.
  return tasksToShow(needs, CURE) / perDay / (4 * share * (1 - share));
}

function waysToShorten(needs: TrialNeeds, days: number): readonly string[] {
  const { share = 0.5, perDayUnlimited = 0, unit } = needs;
  const ways: readonly (readonly [words: string, days: number])[] = [
    ['with half of the units in each arm', daysOf({ ...needs, share: 0.5 })],
    ['with all tasks of this name instead of a part of them', daysOf({ ...needs, perDay: perDayUnlimited })],
    [
      `with single tasks instead of ${UNITS[unit]}, if they do not affect each other`,
      daysOf({ ...needs, unit: 'task' }),
    ],
  ];
  return ways.flatMap(([words, shortened], index) => {
    const applies = [share !== 0.5, perDayUnlimited > needs.perDay, unit === 'session'][index];
    return applies && shortened <= SHORTER * days ? [`${words} it takes ${inDays(shortened)}`] : [];
  });
}

const UNITS: Readonly<Record<UnitKind, string>> = { task: 'tasks', session: 'sessions', block: 'blocks of time' };

function inDays(days: number): string {
  if (!Number.isFinite(days)) return 'forever';
  return days < 1 ? 'less than a day' : `about ${Math.ceil(days)} days`;
}

function weekly(perDay: number): number {
  return Math.ceil(7 * perDay);
}
