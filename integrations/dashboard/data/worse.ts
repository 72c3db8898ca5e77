import { statSync } from 'node:fs';
import { findWorse } from '../../reports/worse/find-worse.js';
import { factsPath, readKept } from '../../reports/worse/kept-facts.js';
import { SIGNALS } from '../../reports/worse/session-facts.js';
import { detailsOfWorse, ofWords, SIGNAL_WORDS, worseAnswer, worseWords } from '../../reports/worse/worse-words.js';
import type { WorseView } from '../views.js';
import type { DataSource } from './source.js';

/** Returns what `rsi worse` found in the sessions that it keeps in the folder of the store. */
export function worseView({ folder }: DataSource): WorseView {
  const kept = folder === undefined ? undefined : readKept(folder);
  if (!kept) return { answer: 'No session was compared yet: the command compares them.', facts: [] };
  const { worsenings, totals, ...report } = findWorse(kept.sessions);
  return {
    answer: `${worseAnswer({ worsenings, ...report })}. At most one false alarm in a year is expected.`,
    facts: [
      ...worsenings.map((one) => [worseWords(one), detailsOfWorse(one)] as const),
      ...SIGNALS.map((signal) => [SIGNAL_WORDS[signal], ofWords(totals[signal])] as const),
    ],
  };
}

/** Returns a number that differs after each look of `rsi worse`; undefined before the first. */
export function worseStamp(folder: string | undefined): number | undefined {
  return folder === undefined ? undefined : statSync(factsPath(folder), { throwIfNoEntry: false })?.mtimeMs;
}
