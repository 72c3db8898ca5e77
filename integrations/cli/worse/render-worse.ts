import { counted, day, percent } from '../../reports/words/numbers.js';
import type { WorseReport } from '../../reports/worse/find-worse.js';
import { SIGNALS } from '../../reports/worse/session-facts.js';
import {
  culpritWords,
  detailsOfWorse,
  failureShare,
  ofWords,
  SIGNAL_WORDS,
  worseAnswer,
  worseWords,
} from '../../reports/worse/worse-words.js';
import type { Look } from '../terminal/look.js';
import { paragraph } from '../terminal/page.js';
import { padEnd, padStart, plain } from '../terminal/terminal-text.js';

const NAME = 30;
const ERRORS =
  'Expect at most one false alarm in a year, over all signals, if nothing else changed. The names of what changed are estimates.';

/** Renders the report for a person. */
export function renderWorse(report: WorseReport, look: Look): string {
  const { worsenings, totals } = report;
  const out = paragraph(worseAnswer(report), look, 0, 'bold');
  for (const one of worsenings)
    out.push(
      '',
      ...paragraph(plain(worseWords(one)), look, 0, 'yellow'),
      ...paragraph(detailsOfWorse(one), look, 2, 'dim'),
    );
  out.push('');
  for (const signal of SIGNALS)
    out.push(
      `  ${padEnd(SIGNAL_WORDS[signal], NAME)}${padStart(percent(failureShare(totals[signal])), 7)}  ${ofWords(totals[signal])}`,
    );
  return `${[...out, '', ...paragraph(ERRORS, look, 0, 'dim')].join('\n')}\n`;
}

/** Renders the report to send: numbers, versions and models. It names no repository and no file. */
export function renderLetter({ worsenings, sessions, sinceMs, untilMs }: WorseReport): string {
  const lines = worsenings.map((one) => {
    const culprits = one.culprits.filter(({ kind }) => kind !== 'repository' && kind !== 'file');
    return `- ${plain(worseWords({ ...one, culprits }))}: ${ofWords(one.before)} before, ${ofWords(one.after)} since ${day(one.sinceMs)}${culprits.length > 1 ? `; changed together: ${plain(culprits.map(culpritWords).join(', '))}` : ''}`;
  });
  const head = `${counted(sessions, 'session')} of coding agents from ${day(sinceMs)} to ${day(untilMs)}.`;
  const found = lines.length === 0 ? ['Nothing got worse.'] : lines;
  const how =
    'Each session is ranked among all earlier ones; a sequential test on the ranks expects at most one false alarm in a year.';
  return `${['# Failures of a coding agent over time', '', head, '', ...found, '', how].join('\n')}\n`;
}
