import type { ActorFinding } from './actor.js';
import type { OutcomeId } from './ids.js';
import type { Issue, Severity } from './issue.js';
import type { Rate } from './rate.js';

/** Kind of recurrence: failures, or tasks that are slow, costly or of low quality. */
export type PatternKind = 'failure' | 'slow' | 'costly' | 'low-quality';

/** Course of a pattern, compared with the days before. */
export type Trend = 'new' | 'rising' | 'steady' | 'falling' | 'resolved' | 'returned';

/**
 * Location of failures: everywhere, or at most three places that explain them, the one with most failures first.
 * A place has one value per dimension, e.g. `{ model: 'haiku', tool: 'search' }`.
 */
export type Where = 'global' | readonly Readonly<Record<string, string>>[];

/** Cause of failures inside of an agent. */
export type RootCause =
  | 'reasoning_error'
  | 'knowledge_gap'
  | 'tool_failure'
  | 'instruction_ambiguity'
  | 'context_loss'
  | 'overconfidence'
  | 'undetermined';

/** Most likely cause of a pattern, with its evidence. */
export interface RootCauseFinding {
  readonly cause: RootCause;
  /** 0 to 1. */
  readonly confidence: number;
  /** Facts that support the finding, in words a person can check. */
  readonly evidence: readonly string[];
  /** Model that suggested the cause if the rules could not determine it. Suggestions affect no decision. */
  readonly by?: string;
}

/** Another pattern that occurs together with this one more often than by chance. */
export interface RelatedPattern {
  readonly patternId: string;
  /** Observed over expected co-occurrence, shrunk for small counts. */
  readonly lift: number;
  /** Benjamini-Hochberg adjusted over all pairs compared. */
  readonly q: number;
  /** Delay of the other pattern after this one, in milliseconds; negative if it comes first. */
  readonly lagMs: number;
  /** Established name of the compound cause, if it has one. */
  readonly name?: string;
}

/** Sort key of patterns, with its components. */
export interface Impact {
  /** Failed tasks in the window, weighted by severity, lost quality, time and money if known. */
  readonly score: number;
  readonly failures: number;
  readonly lostMs: number;
  readonly lostUsd: number;
}

/** Expected and actual result of a task. Recorded text: only quote it for people. */
export interface Difference {
  readonly expected?: string;
  readonly actual: string;
}

/** Failures that belong together, with evidence. Successes count in the rate's denominator only. */
export interface Pattern {
  /** Never changes. */
  readonly id: string;
  readonly kind: PatternKind;
  readonly task: string;
  readonly issue: Issue;
  /** The message with its variable parts as `<*>`. For kinds without a message: a sentence. */
  readonly template: string;
  /** Occurrences in the window. */
  readonly count: number;
  readonly episodes: number;
  readonly rate: Rate;
  readonly trend: Trend;
  /** Rate since the pattern came back; only with the trend `returned`. */
  readonly sinceReturn?: Pick<Rate, 'value' | 'of'>;
  /** Whether it occurred at least `recurrenceThreshold` times in the window. */
  readonly recurring: boolean;
  readonly impact: Impact;
  readonly severity: Severity;
  readonly where: Where;
  readonly related: readonly RelatedPattern[];
  readonly rootCause: RootCauseFinding;
  /** Party that must act, its task, and the evidence for it. */
  readonly actor: ActorFinding;
  readonly sources: readonly string[];
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  /** Up to 3 messages, redacted. */
  readonly examples: readonly string[];
  /**
   * Whether status, code, name and message of the examples' errors determine the issue.
   * If absent, only the messages were used.
   */
  readonly isClassKnown?: boolean;
  /** Typical wait that servers state with these failures, in milliseconds; absent if most state none. */
  readonly retryAfterMs?: number;
  /** Share of the latest failures that a task inside had first, 0 to 1; absent if none. Those are mended further in. */
  readonly inner?: number;
  /**
   * Calls in flight in one process at which these failures begin: at least 18 of the latest 20 began with that many or one
   * more, with themselves. Absent if they did not.
   */
  readonly fullAt?: number;
  /** Up to 3 distinct results, redacted, with expected and actual value. Only if callers report them. */
  readonly differences?: readonly Difference[];
  readonly evidence: readonly OutcomeId[];
}
