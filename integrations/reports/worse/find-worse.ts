import { chance } from 'rsi-loop/kit';
import { type Culprit, findCulprits } from './culprit.js';
import { RankDetector } from './rank-detector.js';
import { type SessionFacts, SIGNALS, type Signal, type SignalCount } from './session-facts.js';

const WEEK_MS = 7 * 86_400_000;
const WEEKS_A_YEAR = 52;
/** Fewest sessions a week that the error rate supposes. */
const LEAST_A_WEEK = 7;
/** Successes added to each session, so that one failure in one call is no extreme. */
const PRIOR = 5;

/** Signal that got worse. */
export interface Worsening {
  readonly signal: Signal;
  /** Beginning of the first session that fails more: an estimate. */
  readonly sinceMs: number;
  /** Beginning of the session with which the test told it. */
  readonly noticedMs: number;
  readonly before: SignalCount;
  readonly after: SignalCount;
  /** Properties of the sessions that fail more; empty if no recorded one explains it. */
  readonly culprits: readonly Culprit[];
}

/** Document of `rsi worse`. */
export interface WorseReport {
  readonly format: 'rsi-worse/1';
  readonly sessions: number;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Failures of each signal over all sessions. */
  readonly totals: Readonly<Record<Signal, SignalCount>>;
  /** Newest first. */
  readonly worsenings: readonly Worsening[];
}

/**
 * Finds the signals that got worse, from sessions in any order. Over all signals, at most one false alarm is expected in a
 * year of sessions at the busiest pace so far, however often the report is read, as long as sessions without a change are
 * exchangeable.
 */
export function findWorse(given: readonly SessionFacts[]): WorseReport {
  const sessions = [...given].sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1));
  const limits = limitsOf(sessions);
  return {
    format: 'rsi-worse/1',
    sessions: sessions.length,
    sinceMs: sessions[0]?.atMs ?? 0,
    untilMs: sessions.at(-1)?.atMs ?? 0,
    totals: {
      edits: sumOf(sessions, 'edits'),
      commands: sumOf(sessions, 'commands'),
      tools: sumOf(sessions, 'tools'),
      corrections: sumOf(sessions, 'corrections'),
    },
    worsenings: SIGNALS.flatMap((signal) => worseningsOf(sessions, limits, signal)).sort(
      (a, b) => b.noticedMs - a.noticedMs,
    ),
  };
}

/** Returns the limit at each session: a year of sessions at the busiest week before it, for each signal. */
function limitsOf(sessions: readonly SessionFacts[]): readonly number[] {
  let first = 0;
  let busiest = LEAST_A_WEEK;
  return sessions.map(({ atMs }, index) => {
    while ((sessions[first]?.atMs ?? atMs) < atMs - WEEK_MS) first++;
    const limit = SIGNALS.length * WEEKS_A_YEAR * busiest;
    busiest = Math.max(busiest, index - first + 1);
    return limit;
  });
}

function worseningsOf(
  sessions: readonly SessionFacts[],
  limits: readonly number[],
  signal: Signal,
): readonly Worsening[] {
  const found: { begin: number; since: number; noticed: number }[] = [];
  let detector = new RankDetector();
  let begin = 0;
  /** Indexes of the sessions since `begin` that can fail. */
  let counted: number[] = [];
  sessions.forEach((session, index) => {
    const { failures, of } = session.counts[signal];
    if (of === 0) return;
    counted.push(index);
    detector.add(failures / (of + PRIOR), chance.hashUnit(`${signal} ${session.id}`));
    if (detector.value < (limits[index] ?? Number.POSITIVE_INFINITY)) return;
    found.push({ begin, since: counted.at(-detector.length) ?? index, noticed: index });
    // After an alarm, the new rate is the usual one. Its first sessions were chosen for their failures.
    detector = new RankDetector();
    begin = index + 1;
    counted = [];
  });
  return found.map(({ begin: from, since, noticed }, at) => {
    const own = sessions.slice(from, found[at + 1]?.since ?? sessions.length);
    const sinceMs = sessions[since]?.atMs ?? 0;
    return {
      signal,
      sinceMs,
      noticedMs: sessions[noticed]?.atMs ?? 0,
      before: sumOf(sessions.slice(from, since), signal),
      after: sumOf(sessions.slice(since, from + own.length), signal),
      culprits: findCulprits(own, signal, sinceMs),
    };
  });
}

function sumOf(sessions: readonly SessionFacts[], signal: Signal): SignalCount {
  let [failures, of] = [0, 0];
  for (const { counts } of sessions) {
    failures += counts[signal].failures;
    of += counts[signal].of;
  }
  return { failures, of };
}
