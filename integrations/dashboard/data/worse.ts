import { statSync } from 'node:fs';
import { findWorse } from '../../reports/worse/find-worse.js';
import { factsPath, readKept } from '../../reports/worse/kept-facts.js';
import { SIGNALS } from '../../reports/worse/session-facts.js';
import { detailsOfWorse, SIGNAL_WORDS, worseWords } from '../../reports/worse/worse-words.js';
import type { WorseView } from '../views.js';
import type { DataSource } from './source.js';

/** Returns what `rsi worse` found in the sessions that it keeps in the folder of the store. */
export function worseView({ folder }: DataSource): WorseView {
  const kept = folder === undefined ? undefined : readKept(folder);
  if (!kept) return { worsenings: [], signals: [] };
  const { sessions, sinceMs, untilMs, worsenings, totals } = findWorse(kept.sessions);
  return {
    read: { atMs: kept.readMs, sessions, sinceMs, untilMs },
    worsenings: worsenings.map((one) => ({ text: worseWords(one), details: detailsOfWorse(one) })),
    signals: SIGNALS.map((signal) => ({ name: SIGNAL_WORDS[signal], ...totals[signal] })),
  };
}

/** Returns a number that differs after each look of `rsi worse`; undefined before the first. */
export function worseStamp(folder: string | undefined): number | undefined {
  return folder === undefined ? undefined : statSync(factsPath(folder), { throwIfNoEntry: false })?.mtimeMs;
}
