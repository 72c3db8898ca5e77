import type { Issue, Rate, TrialFigures, Verdict, Where } from 'rsi-loop';
import type { FixRow, TrialRow } from '../../fix-views.js';
import { count, countOf, digits, duration, NOT_ENOUGH, percent, percentRange } from './format.js';
import { oneLine } from './recorded-text.js';

/** Returns `28 % (24 to 33 %) of 3,140 book_flight tasks`. */
export function rateSentence(rate: Rate, task: string): string {
  if (rate.of === 0) return NOT_ENOUGH;
  const hasInterval = rate.low > 0 || rate.high < 1;
  const interval = hasInterval ? ` (${percentRange(rate)})` : '';
  return `${percent(rate.value)}${interval} of ${count(rate.of)} ${isolated(task)} tasks`;
}

/** Returns recorded text for the middle of a sentence: characters around it keep its direction from the rest. */
export function isolated(recorded: string): string {
  return `\u2068${oneLine(recorded, 60)}\u2069`;
}

/** Returns the class of a failure in words. */
export function issueWord(issue: Issue | 'other'): string {
  return oneLine(issue, 60).replaceAll('_', ' ');
}

/** Returns where failures happen: `everywhere`, or at most three places. */
export function whereText(where: Where): string {
  if (where === 'global') return 'everywhere';
  const places = where.map((place) =>
    Object.entries(place)
      .map(([dimension, value]) => `${oneLine(dimension, 30)} ${oneLine(value, 60)}`)
      .join(', '),
  );
  return places.length === 0 ? 'everywhere' : places.join('; or ');
}

/** Returns how long a trial would take. */
export function forecastText({ forecast, unit }: Pick<FixRow, 'forecast' | 'unit'>): string {
  if (forecast.kind === 'not-testable') return `not testable here: ${oneLine(forecast.reason, 300)}`;
  const units = countOf(forecast.tasks, unit === 'session' ? 'session' : 'task');
  return forecast.days === undefined
    ? `${units} show whether it halves the failures`
    : `about ${countOf(Math.max(1, forecast.days), 'day')} (${units}) show whether it halves the failures`;
}

/** Returns `3.0 % failed with it, 20 % without (67 and 94 tasks)`. */
export function armsText({ fix, control }: Pick<TrialFigures, 'fix' | 'control'>): string {
  if (fix.tasks === 0 || control.tasks === 0) {
    return `${NOT_ENOUGH}: ${countOf(fix.tasks, 'task')} with it, ${count(control.tasks)} without`;
  }
  const rate = ({ failures, tasks }: { readonly failures: number; readonly tasks: number }) =>
    percent(failures / tasks);
  return `${rate(fix)} failed with it, ${rate(control)} without (${count(fix.tasks)} and ${count(control.tasks)} tasks)`;
}

/** Returns `evidence 4.9 of 40 needed`. */
export function evidenceText({ eHelp, needed }: Pick<TrialFigures, 'eHelp' | 'needed'>): string {
  return `evidence ${digits(eHelp)} of ${digits(needed)} needed`;
}

const WHY: Readonly<Record<string, string>> = {
  harm: 'did harm',
  'no-effect': 'had no effect',
  guard: 'made something else worse',
  interference: 'worked only at the cost of other tasks',
  deadline: 'was not decided before its deadline',
  'enough-failures-seen': 'was not decided by all the failures it may cost',
  'not-randomised': 'has no control group, so its effect is not shown',
};

/** Returns the verdict as the end of a sentence that begins with the fix. */
export function verdictText(verdict: Verdict): string {
  const figures = 'figures' in verdict ? `: ${armsText(verdict.figures)}` : '';
  if (verdict.kind === 'confirmed') return `helped${figures}`;
  return `${WHY[verdict.why] ?? verdict.why}${figures}`;
}

/** Returns the state of a trial as the end of a sentence that begins with the fix. */
export function trialText({ verdict, figures, fix, deadlineMs }: TrialRow, nowMs: number): string {
  if (verdict) return verdictText(verdict);
  if (!figures) return fix.waitsFor === undefined ? 'has no figures yet' : oneLine(fix.waitsFor, 200);
  return `${undecidedText(figures)}${leftText(deadlineMs, nowMs)}`;
}

/** Returns why a trial has no verdict yet. Evidence alone is not enough while failures may have moved elsewhere. */
export function undecidedText(figures: TrialFigures): string {
  const figuresText = `${armsText(figures)}, ${evidenceText(figures)}`;
  return figures.eHelp < figures.needed
    ? `is not decided: ${figuresText}`
    : `helps so far: ${figuresText}; the loop checks for side effects before it decides`;
}

/** Returns `, at most 23 d left`; nothing after the deadline. */
export function leftText(deadlineMs: number, nowMs: number): string {
  return deadlineMs > nowMs ? `, at most ${duration(deadlineMs - nowMs)} left` : '';
}

/** Writes the first letter large. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
