import type { OutcomeId } from './ids.js';
import type { Issue, Severity } from './issue.js';
import type { Rate } from './rate.js';

export type PatternKind = 'failure' | 'slow' | 'costly' | 'low-quality';

export type Trend = 'new' | 'rising' | 'steady' | 'falling' | 'resolved' | 'returned';

/**
 * Where failures happen: everywhere, or in a list of at most three places that explain them, the one with most failures
 * first. A place is one value per dimension, e.g. `{ model: 'haiku', tool: 'search' }`.
 */
export type Where = 'global' | readonly Readonly<Record<string, string>>[];

export type RootCause =
  | 'reasoning_error'
  | 'knowledge_gap'
  | 'tool_failure'
  | 'instruction_ambiguity'
  | 'context_loss'
  | 'overconfidence'
  | 'undetermined';

export interface RootCauseFinding {
  readonly cause: RootCause;
  /** 0 to 1. */
  readonly confidence: number;
  /** What carries it, in words a person can check. */
  readonly evidence: readonly string[];
  /** The model that said so, where the rules left it undetermined; a suggestion, on which nothing is decided. */
  readonly by?: string;
}

/** Another pattern that occurs together with this one more often than chance explains. */
export interface RelatedPattern {
  readonly patternId: string;
  /** Observed over expected co-occurrence, shrunk for small counts. */
  readonly lift: number;
  /** Benjamini-Hochberg adjusted over all pairs looked at. */
  readonly q: number;
  /** How long the other one comes after this one; negative when it comes before. */
  readonly lagMs: number;
  /** The field's name for the compound cause, where it has one. */
  readonly name?: string;
}

/** What orders patterns, with its parts shown. */
export interface Impact {
  /** Failed tasks in the window, weighted by severity, lost quality, time and money where known. */
  readonly score: number;
  readonly failures: number;
  readonly lostMs: number;
  readonly lostUsd: number;
}

/** What was expected of a task, and what it gave instead. Recorded text: quoted for people only. */
export interface Difference {
  readonly expected?: string;
  readonly actual: string;
}

/** Failures that belong together, with evidence. Healthy outcomes are the denominator, never a pattern. */
export interface Pattern {
  /** Never changes. */
  readonly id: string;
  readonly kind: PatternKind;
  readonly task: string;
  readonly issue: Issue;
  /** The message with its variable parts as `<*>`; a sentence for kinds without a message. */
  readonly template: string;
  /** Occurrences in the window. */
  readonly count: number;
  readonly episodes: number;
  readonly rate: Rate;
  readonly trend: Trend;
  /** Of the time since it came back; only with the trend `returned`. */
  readonly sinceReturn?: Pick<Rate, 'value' | 'of'>;
  /** At least `recurrenceThreshold` times in the window. */
  readonly recurring: boolean;
  readonly impact: Impact;
  readonly severity: Severity;
  readonly where: Where;
  readonly related: readonly RelatedPattern[];
  readonly rootCause: RootCauseFinding;
  readonly sources: readonly string[];
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  /** Up to 3 messages, redacted. */
  readonly examples: readonly string[];
  /** Status, code, name and message of the examples' errors gave the issue for certain. Missing: judged by the messages alone. */
  readonly isClassKnown?: boolean;
  /** Up to 3 different results, redacted: what was expected, and what came instead. Only where callers say so. */
  readonly differences?: readonly Difference[];
  readonly evidence: readonly OutcomeId[];
}
