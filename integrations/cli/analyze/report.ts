import type { Pattern, PatternKind, Rate, Severity, Trend, Where } from 'rsi-loop';
import type { InputProblem } from '../../sources/import/importer.js';
import type { InputSummary } from '../../sources/import/read-inputs.js';
import type { SessionFindings } from '../../sources/sessions/session-review.js';
import { inputName } from '../import/problems.js';
import { type Acting, actingWords, groupByActing } from './acting.js';
import { MESSAGE_CHARS, type Places, type PlaceToOpen } from './analyzed-places.js';
import type { Share } from './breakdown.js';
import type { Rise } from './costs.js';
import type { Counts, Survey } from './survey.js';
import type { Failing } from './tally.js';

/** Number of messages reported per pattern, the most frequent ones. */
const MAX_MESSAGES = 10;
const MAX_RISES = 10;
const MAX_EXAMPLES = 3;

/** Place in the input that could not be used. */
export interface Skipped {
  readonly file: string;
  /** Line number, counted from 1; absent if the whole file could not be used. */
  readonly line?: number;
  readonly message: string;
}

/** Output of `rsi analyze --json`. Fields are added within a format, never changed or removed. */
export interface Report {
  readonly format: 'rsi-analyze/1';
  /** True if reading was interrupted: all counts then cover what was read until that point. */
  readonly interrupted: boolean;
  readonly read: Counts & { readonly files: number; readonly lines: number; readonly bytes: number };
  /** Input that could not be used; `first` names up to 100 of these places. */
  readonly skipped: { readonly lines: number; readonly files: number; readonly first: readonly Skipped[] };
  /**
   * Valid records that are deliberately not outcomes, by reason, e.g. rejected by a person or caused by another failed
   * call.
   */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Files that were read but contained no outcome, by reason. */
  readonly nothingFound: Readonly<Record<string, number>>;
  /** Times of the first and last dated outcome, epoch milliseconds; null if no outcome is dated. */
  readonly reach: { readonly fromMs: number; readonly toMs: number } | null;
  /** Start of the period given by `--since`, epoch milliseconds; null for everything up to the newest record. */
  readonly sinceMs: number | null;
  /** End of the period given by `--until`, epoch milliseconds; null for the newest record. */
  readonly untilMs: number | null;
  /** Number of patterns found; `patterns` holds the first `--limit` of them. */
  readonly found: number;
  readonly patterns: readonly ReportedPattern[];
  /** Tasks that became slower or more expensive per call, the costliest first. */
  readonly rises: readonly Rise[];
  /** Failures of sessions that no program reported; absent if no session was read. */
  readonly sessions?: SessionFindings;
}

/** One issue of one task. */
export interface ReportedPattern {
  readonly id: string;
  readonly kind: PatternKind;
  readonly task: string;
  readonly issue: string;
  readonly count: number;
  /** Number of outcomes of the task. */
  readonly of: number;
  /** Share of the task's outcomes, 0 to 1, with its 95 % interval. */
  readonly rate: Pick<Rate, 'value' | 'low' | 'high'>;
  /** Null if the records have no time. */
  readonly trend: Trend | null;
  readonly recurring: boolean;
  readonly episodes: number;
  readonly severity: Severity;
  /** Impact of the failures, in failed tasks of medium severity; patterns are sorted by it. */
  readonly impact: number;
  /** Time and cost of the failed tasks themselves. */
  readonly lostMs: number;
  readonly lostUsd: number;
  /** Null if the records have no time; the same goes for `lastSeenMs`. */
  readonly firstSeenMs: number | null;
  readonly lastSeenMs: number | null;
  readonly where: Where;
  /** Failures by model and by tool, out of all outcomes of the task there. */
  readonly models: readonly Share[];
  readonly tools: readonly Share[];
  readonly sources: readonly string[];
  /** Number of templates; `messages` holds the 10 most frequent. */
  readonly wordings: number;
  readonly messages: readonly ReportedMessage[];
  /** Party that must act on the most frequent of these failures, and its task. */
  readonly next: string;
  /** Parties that must act, by remedy, the most frequent first. */
  readonly actors: readonly Acting[];
  /** Places of the newest failures. */
  readonly open: readonly PlaceToOpen[];
}

/** Failures of a pattern whose messages differ only in their values. */
export interface ReportedMessage {
  readonly id: string;
  /** The message with its variable parts as `<*>`. */
  readonly template: string;
  readonly example: string | null;
  /** Messages of this template with their counts, the most frequent first. */
  readonly examples: readonly { readonly text: string; readonly count: number }[];
  readonly count: number;
  /** Party that must act on these failures, and its task. */
  readonly acting: Acting;
  readonly trend: Trend | null;
  readonly firstSeenMs: number | null;
  readonly lastSeenMs: number | null;
}

/** Result of reading the input. */
export interface Reading {
  readonly summary: InputSummary;
  /** First places that could not be used. */
  readonly problems: readonly InputProblem[];
  readonly interrupted: boolean;
  readonly findings?: SessionFindings;
}

/** Number of patterns, and the range that was asked for. */
interface ReportOptions {
  readonly limit: number;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

export function makeReport(
  survey: Survey,
  { summary, problems, interrupted, findings }: Reading,
  { limit, sinceMs, untilMs }: ReportOptions,
): Report {
  const failing = survey.failing();
  return {
    format: 'rsi-analyze/1',
    interrupted,
    read: { files: summary.filesRead, lines: summary.lines, bytes: summary.bytes, ...survey.counts },
    skipped: { lines: summary.skipped, files: summary.filesFailed, first: problems.map(skippedAt) },
    leftOut: { ...summary.leftOut },
    nothingFound: { ...summary.nothingFound },
    reach: survey.reach ?? null,
    sinceMs: sinceMs ?? null,
    untilMs: untilMs ?? null,
    found: failing.length,
    patterns: failing.slice(0, limit).map((each) => reportedPattern(each, survey)),
    rises: survey.costs.rises().slice(0, MAX_RISES),
    ...(findings !== undefined && findings.sessions > 0 && { sessions: findings }),
  };
}

function skippedAt({ path, line, reason }: InputProblem): Skipped {
  return { file: inputName(path), ...(line !== undefined && { line }), message: reason };
}

function reportedPattern(failing: Failing & { readonly undated: boolean }, survey: Survey): ReportedPattern {
  const { pattern, messages, undated } = failing;
  const { breakdown, places } = survey;
  const { id, kind, task, issue, count, rate, impact, where, sources } = pattern;
  const { trend, recurring, episodes, severity, firstSeenMs, lastSeenMs } = pattern;
  const groups = groupByActing<Pick<Pattern, 'actor' | 'count'>>(messages.length > 0 ? messages : [pattern]);
  const actors = groups.map(({ acting }) => acting);
  return {
    id,
    kind,
    task,
    issue,
    count,
    of: rate.of,
    rate: { value: rate.value, low: rate.low, high: rate.high },
    trend: undated ? null : trend,
    recurring,
    episodes,
    severity,
    impact: impact.score,
    lostMs: impact.lostMs,
    lostUsd: impact.lostUsd,
    firstSeenMs: undated ? null : firstSeenMs,
    lastSeenMs: undated ? null : lastSeenMs,
    where,
    models: breakdown.shares('model', task, issue),
    tools: breakdown.shares('tool', task, issue),
    sources,
    wordings: messages.length,
    messages: messages.slice(0, MAX_MESSAGES).map((message) => reportedMessage(message, undated, places)),
    next: actors[0] ? actingWords(actors[0], actors.length === 1) : '',
    actors,
    open: places.open(task, issue),
  };
}

/** Template of failures without an error text. */
export const NO_MESSAGE = 'no message';

function reportedMessage(pattern: Pattern, undated: boolean, places: Places): ReportedMessage {
  const { id, task, issue, template, count, actor, trend, firstSeenMs, lastSeenMs } = pattern;
  const isWordless = pattern.examples.length === 0;
  const examples = isWordless
    ? places.said(task, issue).slice(0, MAX_EXAMPLES)
    : pattern.examples
        .map((text) => ({ text, count: places.count(task, issue, text.slice(0, MESSAGE_CHARS)) ?? 0 }))
        .filter((example) => example.count > 0)
        .sort((one, other) => other.count - one.count);
  return {
    id,
    template: isWordless ? NO_MESSAGE : template,
    example: examples[0]?.text ?? pattern.examples[0] ?? null,
    examples,
    count,
    acting: { who: actor.who, remedy: actor.remedy, todo: actor.todo, rule: actor.rule?.text ?? null, count },
    trend: undated ? null : trend,
    firstSeenMs: undated ? null : firstSeenMs,
    lastSeenMs: undated ? null : lastSeenMs,
  };
}
