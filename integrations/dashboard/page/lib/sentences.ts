import type { Issue, Rate, TrialFigures, Verdict, Where } from 'rsi-loop';
import type { KindFigures } from 'rsi-loop/kit';
import type { RuleFollowed } from 'rsi-loop/sources/agents';
import * as words from '../../../reports/words/sentences.js';
import type { FixRow, FixView, TrialRow } from '../../fix-views.js';
import { tight } from './format.js';
import { oneLine } from './recorded-text.js';

export { capital } from '../../../reports/words/sentences.js';

/** Sentences of the reports, made safe for the page: in one line, with each number and its unit together. */

/** Returns `28 % (24 to 33 %) of 3,140 book_flight tasks`. */
export function rateSentence(rate: Rate, task: string): string {
  return tight(words.rateWords(rate, isolated(task)));
}

/** Returns recorded text for the middle of a sentence: characters around it keep its direction from the rest. */
export function isolated(recorded: string): string {
  return `\u2068${oneLine(recorded, 60)}\u2069`;
}

/** Returns the class of a failure in words. */
export function issueWord(issue: Issue | 'other'): string {
  return words.issueWords(oneLine(issue, 60));
}

/** Returns where failures happen, or `everywhere`. */
export function whereText(where: Where): string {
  return oneLine(words.whereWords(where), 300) || 'everywhere';
}

/** Returns how long a trial would take. */
export function forecastText(fix: Pick<FixRow, 'forecast' | 'unit'>): string {
  return shortSentence(words.forecastWords(fix));
}

/** Returns `97 % of 67 tasks succeeded with it, 80 % of 94 without`. */
export function armsText(figures: Pick<TrialFigures, 'fix' | 'control'>): string {
  return shortSentence(words.armsWords(figures));
}

/** Returns `evidence 4.9 of 40 needed`. */
export function evidenceText(figures: Pick<TrialFigures, 'eHelp' | 'needed'>): string {
  return shortSentence(words.evidenceWords(figures));
}

/** Returns `about 60 more tasks to a proof at this pace`. */
export function progressText(figures: TrialFigures): string {
  return shortSentence(words.progressWords(figures));
}

/** Returns how other tasks fare under a trial, one sentence each; none before a task shows it. */
export function sideTexts(figures: TrialFigures): readonly string[] {
  return words.sideWords(figures).map((side) => `${words.capital(shortSentence(side.words))}.`);
}

/** Returns how far the guard of a kind of task is from leaving it out. */
export function kindGuardText(guard: NonNullable<KindFigures['guard']>): string {
  return tight(words.kindGuardWords(guard));
}

/** Returns the verdict as the end of a sentence that begins with the fix. */
export function verdictText(verdict: Verdict, followed?: RuleFollowed): string {
  return shortSentence(words.verdictWords(verdict, followed));
}

/** Returns the state of a trial as the end of a sentence that begins with the fix. */
export function trialText({ verdict, ended, figures, fix, deadlineMs, followed }: TrialRow, nowMs: number): string {
  if (verdict) return verdictText(verdict, followed);
  if (ended) return shortSentence(words.endedWords(ended, figures, followed));
  if (!figures) return fix.wait === undefined ? 'has no figures yet' : shortSentence(fix.wait.sentence);
  return `${shortSentence(words.undecidedWords(figures, followed))}${leftText(deadlineMs, nowMs)}`;
}

/** Returns the result of a fix, first what people notice: `88 % of 40 tasks succeeded with it, ...: it is proven to help`. */
export function resultText(
  { explanation: { fix }, followed }: Pick<FixView, 'explanation' | 'followed'>,
  figures: TrialFigures | undefined,
  nowMs: number,
): string {
  const { verdict, status, trial, trialEnd } = fix;
  if (verdict && !('figures' in verdict)) return `It ${verdictText(verdict, followed)}`;
  const ended = status !== 'trial' && trialEnd ? shortSentence(words.endedState(trialEnd)) : undefined;
  if (!figures) return ended ? `It ${ended}` : `It was not tried yet. ${words.capital(forecastText(fix))}`;
  const arms = words.capital(shortSentence(words.allTasksWords(figures)));
  const follows = followed ? `; ${words.followedWords(followed)}` : '';
  if (verdict) {
    const state = words.verdictState(verdict, followed);
    return `${arms}: it ${state}${state.includes(follows.slice(2)) ? '' : follows}`;
  }
  if (ended) return `${arms}: it ${ended}${follows}`;
  const left = trial ? leftText(trial.deadlineMs, nowMs) : '';
  return `${arms}: it ${words.undecidedState(figures)}; ${progressText(figures)}${left}${follows}`;
}

/** Returns `, at most 23 d left`; nothing after the deadline. */
export function leftText(deadlineMs: number, nowMs: number): string {
  return shortSentence(words.leftWords(deadlineMs, nowMs));
}

function shortSentence(sentence: string): string {
  return tight(oneLine(sentence, 400));
}
