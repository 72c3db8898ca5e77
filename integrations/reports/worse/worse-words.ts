import { counted, day, percent, percentOf, whole } from '../words/numbers.js';
import type { Culprit } from './culprit.js';
import type { Worsening, WorseReport } from './find-worse.js';
import type { Signal, SignalCount } from './session-facts.js';

export const SIGNAL_WORDS: Readonly<Record<Signal, string>> = {
  edits: 'edits that fail',
  commands: 'commands that fail',
  tools: 'other tool calls that fail',
  corrections: 'turns that you correct',
};

/** Returns the answer to whether something got worse: `365 sessions from 2026-01-01 to 2026-03-26: 1 signal got worse`. */
export function worseAnswer({ sessions, sinceMs, untilMs, worsenings }: Omit<WorseReport, 'totals'>): string {
  const found = worsenings.length === 0 ? 'nothing got worse' : `${counted(worsenings.length, 'signal')} got worse`;
  return `${counted(sessions, 'session')} from ${day(sinceMs)} to ${day(untilMs)}: ${found}`;
}

/** Describes a worsening in one line: `edits that fail 2 → 9 % since client 2.1.36`. */
export function worseWords({ signal, before, after, culprits, sinceMs }: Worsening): string {
  const since = culprits.length > 0 ? culprits.map(culpritWords).join(' or ') : day(sinceMs);
  return `${SIGNAL_WORDS[signal]} ${percentOf(failureShare(before))} → ${percent(failureShare(after))} since ${since}`;
}

/** Says what a worsening rests on: failures before and since, and when it was noticed. */
export function detailsOfWorse({ before, after, noticedMs, sinceMs, culprits }: Worsening): string {
  const together = culprits.length > 1 ? ' These changed together, so the sessions cannot tell them apart.' : '';
  const unknown = culprits.length === 0 ? ' No version, model, repository or file explains it.' : '';
  return `${ofWords(before)} before, ${ofWords(after)} since ${day(sinceMs)}; noticed with a session of ${day(noticedMs)}.${together}${unknown}`;
}

/** Returns failures and how many could fail: `46 of 629`. */
export function ofWords({ failures, of }: SignalCount): string {
  return `${whole(failures)} of ${whole(of)}`;
}

export function culpritWords({ kind, value }: Culprit): string {
  return kind === 'file' ? `a change of ${value}` : `${kind} ${value}`;
}

/** Returns the share of failures, 0 to 1; 0 if nothing could fail. */
export function failureShare({ failures, of }: SignalCount): number {
  return of === 0 ? 0 : failures / of;
}
