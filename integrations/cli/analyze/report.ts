import type { Pattern, PatternKind, Rate, Severity, Trend, Where } from 'rsi-loop';
import type { InputSummary } from '../../sources/import/read-inputs.js';
import type { Share } from './breakdown.js';
import type { Counts, Survey } from './survey.js';
import type { Failing } from './tally.js';

/** Messages reported of each pattern, the most frequent ones. */
const MAX_MESSAGES = 10;

/** A place in the input that could not be used. */
export interface Skipped {
  readonly file: string;
  /** Counted from 1; absent when the whole file could not be used. */
  readonly line?: number;
  readonly message: string;
}

/** What `rsi analyze --json` prints. Fields are added within a format, never changed or removed. */
export interface Report {
  readonly format: 'rsi-analyze/1';
  /** Reading was interrupted: everything below counts what was read until then. */
  readonly interrupted: boolean;
  readonly read: Counts & { readonly files: number; readonly lines: number; readonly bytes: number };
  /** What could not be used; `first` names up to 100 of these places. */
  readonly skipped: { readonly lines: number; readonly files: number; readonly first: readonly Skipped[] };
  /** Read well and no outcome on purpose, by reason: a person's refusal, a knock-on error. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** From the first to the last outcome counted, epoch milliseconds; null when there is none. */
  readonly reach: { readonly fromMs: number; readonly toMs: number } | null;
  /** What `--since` was understood as, epoch milliseconds; null for everything up to the newest record. */
  readonly sinceMs: number | null;
  /** Patterns found, of which `patterns` holds the first `--limit`. */
  readonly found: number;
  readonly patterns: readonly ReportedPattern[];
}

/** One issue of one task. */
export interface ReportedPattern {
  readonly id: string;
  readonly kind: PatternKind;
  readonly task: string;
  readonly issue: string;
  readonly count: number;
  /** Outcomes of the task. */
  readonly of: number;
  /** Share of the task's outcomes, 0 to 1, with its 95 % interval. */
  readonly rate: Pick<Rate, 'value' | 'low' | 'high'>;
  readonly trend: Trend;
  readonly recurring: boolean;
  readonly episodes: number;
  readonly severity: Severity;
  readonly impact: number;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  readonly where: Where;
  /** By model and by tool: how many of these failures, of all outcomes of the task there. */
  readonly models: readonly Share[];
  readonly tools: readonly Share[];
  readonly sources: readonly string[];
  /** How many wordings there are, of which `messages` holds the 10 most frequent. */
  readonly wordings: number;
  readonly messages: readonly ReportedMessage[];
}

/** Failures of a pattern whose messages differ only in their values. */
export interface ReportedMessage {
  readonly id: string;
  /** The message with its variable parts as `<*>`. */
  readonly template: string;
  readonly example: string | null;
  readonly count: number;
  readonly trend: Trend;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
}

/** How the reading went. */
export interface Reading {
  readonly summary: InputSummary;
  readonly firstSkipped: readonly Skipped[];
  readonly interrupted: boolean;
}

export function makeReport(
  survey: Survey,
  { summary, firstSkipped, interrupted }: Reading,
  { limit, sinceMs }: { readonly limit: number; readonly sinceMs?: number | undefined },
): Report {
  const failing = survey.failing();
  return {
    format: 'rsi-analyze/1',
    interrupted,
    read: { files: summary.filesRead, lines: summary.lines, bytes: summary.bytes, ...survey.counts },
    skipped: { lines: summary.skipped, files: summary.filesFailed, first: firstSkipped },
    leftOut: { ...summary.leftOut },
    reach: survey.reach ?? null,
    sinceMs: sinceMs ?? null,
    found: failing.length,
    patterns: failing.slice(0, limit).map((each) => reportedPattern(each, survey)),
  };
}

function reportedPattern({ pattern, messages }: Failing, { breakdown }: Survey): ReportedPattern {
  const { id, kind, task, issue, count, rate, impact, where, sources } = pattern;
  const { trend, recurring, episodes, severity, firstSeenMs, lastSeenMs } = pattern;
  return {
    id,
    kind,
    task,
    issue,
    count,
    of: rate.of,
    rate: { value: rate.value, low: rate.low, high: rate.high },
    trend,
    recurring,
    episodes,
    severity,
    impact: impact.score,
    firstSeenMs,
    lastSeenMs,
    where,
    models: breakdown.shares('model', task, issue),
    tools: breakdown.shares('tool', task, issue),
    sources,
    wordings: messages.length,
    messages: messages.slice(0, MAX_MESSAGES).map(reportedMessage),
  };
}

function reportedMessage({ id, template, examples, count, trend, firstSeenMs, lastSeenMs }: Pattern): ReportedMessage {
  return { id, template, example: examples[0] ?? null, count, trend, firstSeenMs, lastSeenMs };
}
