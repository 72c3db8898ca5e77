import { day } from '../words/numbers.js';
import type { Culprit } from './culprit.js';
import type { Worsening } from './find-worse.js';
import type { Signal, SignalCount } from './session-facts.js';

export const SIGNAL_WORDS: Readonly<Record<Signal, string>> = {
  edits: 'edits that fail',
  commands: 'commands that fail',
  tools: 'other tool calls that fail',
  corrections: 'turns that you correct',
};

/** Describes a worsening in one line: `edits that fail 2 → 9 % since client 2.1.36`. */
export function worseWords({ signal, before, after, culprits, sinceMs }: Worsening): string {
  const since = culprits.length > 0 ? culprits.map(culpritWords).join(' or ') : day(sinceMs);
  return `${SIGNAL_WORDS[signal]} ${percentOf(before)} → ${percentOf(after)} % since ${since}`;
}

export function culpritWords({ kind, value }: Culprit): string {
  return `${kind} ${value}`;
}

/** Returns a rate in percent without its sign: `2`, `0.4`. */
export function percentOf({ failures, of }: SignalCount): string {
  const percent = of === 0 ? 0 : (100 * failures) / of;
  return percent > 0 && percent < 10 ? percent.toFixed(1).replace(/\.0$/, '') : percent.toFixed(0);
}
