import type { Issue } from '../contract/issue.js';
import type { Outcome } from '../contract/outcome.js';
import type { Trial } from '../contract/trial.js';
import type { Mutable } from '../lib/mutable.js';

/** Result of a trial task, with the measures that guards need if known. */
export interface TaskEnd {
  readonly failed: boolean;
  readonly atMs: number;
  readonly durationMs?: number;
  /** Part of the duration before and between attempts. */
  readonly waitedMs?: number;
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly quality?: number;
  /** Number of attempts, if there were several. */
  readonly calls?: number;
  /** Error of the first attempt, and how long it took, if known. */
  readonly firstIssue?: Issue;
  readonly firstMs?: number;
}

/**
 * Converts an outcome to a task end. A cancelled task is a failure of its arm: a fix must not look good by making
 * people give up.
 */
export function taskEndOf(outcome: Outcome): TaskEnd {
  // Written field by field for speed: this runs for every outcome while a trial is open.
  const end: Mutable<TaskEnd> = {
    failed: !outcome.success || outcome.issues.includes('cancelled'),
    atMs: outcome.atMs,
  };
  const { durationMs, tokens, costUsd, quality } = outcome;
  if (isNumber(durationMs)) end.durationMs = durationMs;
  const tokenCount = tokens && tokens.input + tokens.output;
  if (isNumber(tokenCount)) end.tokens = tokenCount;
  if (isNumber(costUsd)) end.costUsd = costUsd;
  if (isNumber(quality)) end.quality = quality;
  addFirstAttempt(end, outcome);
  return end;
}

/** Returns the end as this trial counts it. If the trial has a limit, exceeding it is a failure. */
export function measured(end: TaskEnd, { atMost }: Trial): TaskEnd {
  if (atMost === undefined || end.failed) return end;
  const { durationMs = Number.POSITIVE_INFINITY, costUsd = Number.POSITIVE_INFINITY } = atMost;
  const { calls = Number.POSITIVE_INFINITY } = atMost;
  const exceeds = (end.durationMs ?? 0) > durationMs || (end.costUsd ?? 0) > costUsd || (end.calls ?? 1) > calls;
  return exceeds ? { ...end, failed: true } : end;
}

function isNumber(value: number | undefined): value is number {
  return Number.isFinite(value);
}

function addFirstAttempt(end: Mutable<TaskEnd>, { attempts = [], success }: Outcome): void {
  const [first] = attempts;
  if (!first) {
    // A single successful attempt is not listed: it took as long as its task.
    if (success && end.durationMs !== undefined) end.firstMs = end.durationMs;
    return;
  }
  let waitedMs = 0;
  for (const { delayMs } of attempts) waitedMs += delayMs;
  if (waitedMs > 0) end.waitedMs = waitedMs;
  if (attempts.length > 1) end.calls = attempts.length;
  end.firstMs = first.durationMs;
  if (!first.success && first.issue !== undefined) end.firstIssue = first.issue;
}
