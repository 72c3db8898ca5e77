import type { Fix, HealthScore, Issue, Rate, Scope, TrialFigures, Verdict, Where } from 'rsi-loop';
import type { KindFigures, Placebo } from 'rsi-loop/kit';
import type { RuleFollowed } from 'rsi-loop/sources/agents';
import {
  counted,
  duration,
  evidence,
  hasInterval,
  NOT_ENOUGH,
  percent,
  percentOf,
  percentRange,
  whole,
} from './numbers.js';

/**
 * Sentences about patterns, trials and health, once for every door. Recorded text in them is as it was recorded: each
 * door makes the sentence safe for its medium.
 */

/** Describes a health score: `94 % of recent tasks succeed (95 %: 91 to 96)`. */
export function healthWords({ score, low, high, known }: HealthScore): string {
  if (!known) return 'unknown: no task is recorded yet';
  const share = percent(score);
  if (!hasInterval({ low, high })) return `${share} succeed (no interval: fewer than two days of recent records)`;
  return `${share} of recent tasks succeed (95 %: ${percentOf(low)} to ${percentOf(high)})`;
}

/** Describes a failure rate: `28 % (24 to 33 %) of 3,140 book_flight tasks`. */
export function rateWords(rate: Rate, task: string): string {
  if (rate.of === 0) return NOT_ENOUGH;
  const interval = hasInterval(rate) ? ` (${percentRange(rate)})` : '';
  return `${percent(rate.value)}${interval} of ${whole(rate.of)} ${task} tasks`;
}

/** Describes how often a pattern occurred: `12 of 145 (8.3 %)`. */
export function occurrenceWords({
  count,
  rate,
}: {
  readonly count: number;
  readonly rate: Pick<Rate, 'value' | 'of'>;
}): string {
  return `${whole(count)} of ${whole(rate.of)} (${percent(rate.value)})`;
}

/** Names the class of a failure: `rate limit`. */
export function issueWords(issue: Issue | 'other'): string {
  return issue.replaceAll('_', ' ');
}

/** Describes the places of a pattern: `model is haiku and tool is search, or agent is lead`; empty for everywhere. */
export function whereWords(where: Where): string {
  return where === 'global' ? '' : where.map(placeWords).join(', or ');
}

function placeWords(place: Omit<Scope, 'except'>): string {
  return Object.entries(place)
    .map(([name, value]) => `${name.replace(/^feature\./, '')} is ${value}`)
    .join(' and ');
}

/** Describes what is needed to show that the fix halves the failures: `needs about 284 tasks, 3 h, to ...`. */
export function forecastWords({ forecast, unit }: Pick<Fix, 'forecast' | 'unit'>): string {
  if (forecast.kind === 'not-testable') return `no trial can decide this here: ${forecast.reason}`;
  const units = `about ${counted(forecast.tasks, unit === 'session' ? 'session' : 'task')}`;
  // Less than a day of data was seen, so a figure in days would be a guess.
  const time = forecast.days === undefined ? '' : `, ${daysWords(forecast.days)},`;
  return `needs ${units}${time} to show whether it halves the failures`;
}

/** Formats a duration, rounded up to whole days or hours: `3 days`, `5 hours`. */
function daysWords(value: number): string {
  return value >= 2 ? counted(Math.ceil(value), 'day') : counted(Math.max(1, Math.ceil(value * 24)), 'hour');
}

/** Describes both arms: `92 % of 145 tasks succeeded with it, 74 % of 131 without`. */
export function armsWords({ fix, control }: Pick<TrialFigures, 'fix' | 'control'>): string {
  if (fix.tasks === 0 || control.tasks === 0)
    return `${NOT_ENOUGH}: ${counted(fix.tasks, 'task')} with it, ${whole(control.tasks)} without`;
  return `${successOf(fix)} of ${counted(fix.tasks, 'task')} succeeded with it, ${successOf(control)} of ${whole(control.tasks)} without`;
}

function successOf({ tasks, failures }: TrialFigures['fix']): string {
  return percent((tasks - failures) / tasks);
}

/**
 * Describes both arms over all tasks in scope. With a trigger, a trial bets on few of them, such as those whose first
 * attempt failed, but people think in all.
 */
export function allTasksWords(figures: TrialFigures): string {
  return armsWords(figures.inScope ?? figures);
}

/** Describes how other tasks fare: all tasks by the share of the fix among them, and later tasks of sessions by arm. */
export function sideWords({
  byShare = [],
  later,
}: TrialFigures): readonly { readonly of: 'all tasks' | 'later'; readonly words: string }[] {
  const failed = ({ tasks, failures }: { readonly tasks: number; readonly failures: number }) =>
    tasks === 0 ? 'none' : `${percent(failures / tasks)} of ${whole(tasks)}`;
  const shares = byShare.map((one) => `${failed(one)} while ${percent(one.share)} had the fix`).join(', ');
  const all = { of: 'all tasks', words: `failures of all tasks, with and without it: ${shares}` } as const;
  const after = (arms: NonNullable<typeof later>) =>
    `${failed(arms.fix)} after a task with the fix, ${failed(arms.control)} after one without`;
  return [
    ...(byShare.length > 0 ? [all] : []),
    ...(later ? [{ of: 'later', words: `failures of later tasks of a session: ${after(later)}` } as const] : []),
  ];
}

/** Describes the evidence for a fix: `evidence 4.9 of 40 needed`. */
export function evidenceWords({ eHelp, needed }: Pick<TrialFigures, 'eHelp' | 'needed'>): string {
  return `evidence ${evidence(eHelp)} of ${evidence(needed)} needed`;
}

type Progress = Pick<TrialFigures, 'eHelp' | 'needed' | 'fix' | 'control' | 'inScope'>;

/** Evidence below which the time to a proof is a guess. */
const FIRST_SIGN = 1.5;

/**
 * Estimates how many more tasks prove the fix, if evidence keeps growing as fast as until now. Undefined without a first
 * sign of help.
 */
export function tasksToProof({ eHelp, needed, ...arms }: Progress): number | undefined {
  if (eHelp >= needed) return 0;
  if (eHelp < FIRST_SIGN) return undefined;
  const { fix, control } = arms.inScope ?? arms;
  return Number(((fix.tasks + control.tasks) * (Math.log(needed) / Math.log(eHelp) - 1)).toPrecision(2));
}

/** Describes how long a running trial still takes: `about 60 more tasks to a proof at this pace`. */
export function progressWords(figures: Progress): string {
  return moreTasksWords(tasksToProof(figures));
}

/** Describes the result of `tasksToProof`. */
export function moreTasksWords(more: number | undefined): string {
  if (more === undefined) return 'too early to say how long a proof takes';
  if (more === 0) return 'the loop checks for side effects before it decides';
  return `about ${counted(Math.max(1, more), 'more task')} to a proof at this pace`;
}

/** Describes a running trial, as the end of a sentence that begins with the fix. */
export function undecidedWords(figures: TrialFigures, follows?: RuleFollowed): string {
  return `${undecidedState(figures)}: ${allTasksWords(figures)}; ${progressWords(figures)}${withFollowed(follows)}`;
}

/** Sessions or tasks that show whether they followed a rule, after which it can be called not followed. */
const CHANCES = 5;

/** Returns whether most sessions or tasks that got a rule did not do what it asks. */
export function isNotFollowed({ followed, notFollowed }: RuleFollowed): boolean {
  return followed + notFollowed >= CHANCES && followed < notFollowed;
}

/** Describes how often a rule was followed: `3 of 41 sessions followed it`. */
export function followedCount({ unit, followed, notFollowed }: RuleFollowed): string {
  return `${whole(followed)} of ${counted(followed + notFollowed, unit)} followed it`;
}

/** Describes whether a rule was followed: `given and not followed: 3 of 41 sessions followed it`. */
export function followedWords(follows: RuleFollowed): string {
  const { given, followed, notFollowed } = follows;
  const shown = followed + notFollowed;
  const count = followedCount(follows);
  const rest = given > shown ? ` (not shown in ${whole(given - shown)} more)` : '';
  return `${isNotFollowed(follows) ? 'given and not followed: ' : ''}${count}${rest}`;
}

function withFollowed(follows: RuleFollowed | undefined): string {
  return follows === undefined ? '' : `; ${followedWords(follows)}`;
}

/** Describes the state of a running trial, without its figures: `is not proven yet`. */
export function undecidedState({ eHelp, needed }: Pick<TrialFigures, 'eHelp' | 'needed'>): string {
  return eHelp < needed ? 'is not proven yet' : 'helps so far';
}

/** Describes the time that a trial has left: `, at most 23 d left`; nothing after the deadline. */
export function leftWords(deadlineMs: number, nowMs: number): string {
  return deadlineMs > nowMs ? `, at most ${duration(deadlineMs - nowMs)} left` : '';
}

const WHY: Readonly<Record<string, string>> = {
  harm: 'did harm',
  'no-effect': 'had no useful effect',
  guard: 'made something else worse',
  interference: 'worked only at the cost of other tasks',
  deadline: 'was not decided before its deadline',
  'enough-failures-seen': 'was not decided within the failures that a trial may cost',
  'not-randomised': 'has no control group, so its effect is not shown',
};

/** Ends of a trial that say that a rule does not help, which a rule that is not followed cannot show. */
const WITHOUT_HELP: ReadonlySet<string> = new Set(['no-effect', 'deadline', 'enough-failures-seen']);

/** Describes a verdict, as the end of a sentence that begins with the fix: `is proven to help: ...`. */
export function verdictWords(verdict: Verdict, follows?: RuleFollowed): string {
  const arms = 'figures' in verdict ? allTasksWords(verdict.figures) : placeboWords(verdict.placebo);
  const state = verdictState(verdict, follows);
  return isUnheard(verdict, follows) ? `${state}; ${arms}` : `${state}: ${arms}${withFollowed(follows)}`;
}

/** Returns whether a trial shows no help because the rule was not followed. */
function isUnheard(verdict: Verdict, follows: RuleFollowed | undefined): follows is RuleFollowed {
  return (
    follows !== undefined &&
    isNotFollowed(follows) &&
    'why' in verdict &&
    'figures' in verdict &&
    WITHOUT_HELP.has(verdict.why)
  );
}

/** Describes a verdict without its figures: `is proven to help`. */
export function verdictState(verdict: Verdict, follows?: RuleFollowed): string {
  if (isUnheard(verdict, follows)) return `was ${followedWords(follows)}`;
  const why = verdict.kind === 'confirmed' ? 'is proven to help' : (WHY[verdict.why] ?? verdict.why);
  const guard =
    verdict.kind === 'failed' && verdict.guard !== undefined ? ` (${GUARDS[verdict.guard] ?? verdict.guard})` : '';
  return `${why}${guard}`;
}

const GUARDS: Readonly<Record<string, string>> = {
  duration: 'tasks take longer',
  tokens: 'tasks use more tokens',
  cost: 'tasks cost more',
  quality: 'quality falls',
  'other-tasks': 'failures only move to other tasks',
  waits: 'tasks wait for longer than a prevented failure is worth',
};

/** Describes what a guard measures: `tasks take longer`. */
export function guardWords(guard: string): string {
  return GUARDS[guard] ?? guard;
}

/** Describes how far the guard of a kind of task is from leaving it out: `harm 0.30 of 40`. */
export function kindGuardWords({ eHarm, needed, isExcluded }: NonNullable<KindFigures['guard']>): string {
  return isExcluded ? 'left out of the fix' : `harm ${evidence(eHarm)} of ${whole(needed)}`;
}

/** Describes a trial that ended without a verdict, as the end of a sentence that begins with the fix. */
export function endedWords(
  { by, reason }: { readonly by: string; readonly reason: string },
  figures: TrialFigures | undefined,
  follows?: RuleFollowed,
): string {
  return `${endedState({ by, reason })}${figures ? `: ${allTasksWords(figures)}` : ''}${withFollowed(follows)}`;
}

/** Describes a trial that ended without a verdict, without its figures. */
export function endedState({ by, reason }: { readonly by: string; readonly reason: string }): string {
  return `was ended by ${by === 'auto' ? 'the loop' : by} without a verdict (${reason})`;
}

/** Describes the result of a fix so far, as the end of a sentence that begins with it; undefined before a trial. */
export function resultWords(
  { status, verdict, trialEnd }: Fix,
  figures: TrialFigures | undefined,
  follows?: RuleFollowed,
): string | undefined {
  if (verdict) return verdictWords(verdict, follows);
  if (status !== 'trial' && trialEnd) return endedWords(trialEnd, trialEnd.figures, follows);
  return figures && undecidedWords(figures, follows);
}

/** Describes a placebo test: `failures are 40 % of what they were; 12 % of 50 earlier periods fell as far`. */
export function placeboWords({ observed, moments, asFarByItself }: Placebo): string {
  if (observed === undefined) return 'too few tasks to compare failures before and after';
  const since = `failures are ${percent(observed)} of what they were`;
  if (moments === 0) return `${since}; no similar earlier period to compare with`;
  return `${since}; ${percent(asFarByItself)} of ${whole(moments)} similar earlier periods fell as far without it`;
}

/** Writes the first letter large. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
