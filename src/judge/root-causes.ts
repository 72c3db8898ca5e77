import type { Pattern, RootCause } from '../contract/pattern.js';
import { exportOutcomes } from '../live/export-outcomes.js';
import type { LoopHandle } from '../live/loop-parts.js';
import { readyParts } from './judged-parts.js';
import { analyzeDays, checkDays, DAY_MS } from './last-days.js';
import { readPeriod } from './read-period.js';
import { isOwn, withCauses } from './suggest-causes.js';

export interface RootCausesOptions {
  /** Length of the period, in days. Default 7. */
  readonly days?: number;
  /** Start of the period, instead of `days`. */
  readonly sinceMs?: number;
  /** End of the period. Default: the newest outcome. */
  readonly untilMs?: number;
}

/** Failures with one root cause. */
export interface CauseShare {
  readonly cause: RootCause;
  /** Failures in patterns with this cause. A failure with several issues counts once for each. */
  readonly count: number;
  /** Share of all counted failures, 0 to 1. */
  readonly share: number;
  /** Number of them whose cause was suggested by a model instead of a rule. */
  readonly suggested: number;
  /** Patterns, those with the most impact first. */
  readonly patterns: readonly Pattern[];
}

/** Causes of the failures of a time range. */
export interface RootCauses {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly count: number;
  /** Causes, the most frequent first, without those that have no failures. */
  readonly causes: readonly CauseShare[];
}

/**
 * Counts the root causes of the newest failures, found by the rules or else suggested earlier by a model. Reads all stored
 * outcomes of the period. Changes nothing.
 * @throws LoopError `invalid-input` for a number of days that is not above 0, `store-failed` if the store cannot be
 * read.
 */
export async function rootCauses(loop: LoopHandle, options: RootCausesOptions = {}): Promise<RootCauses> {
  const { ledger, store } = await readyParts(loop);
  const untilMs = options.untilMs ?? (await readPeriod(loop)).untilMs;
  const days = options.sinceMs === undefined ? (options.days ?? 7) : (untilMs - options.sinceMs) / DAY_MS;
  checkDays(days);
  const sinceMs = options.sinceMs ?? untilMs - days * DAY_MS;
  const analyzer = await analyzeDays(exportOutcomes({ store }, { sinceMs, untilMs }), days);
  const patterns = withCauses(analyzer.patterns(untilMs), ledger.state.causes);
  return { sinceMs, untilMs, ...shares(patterns.filter((pattern) => pattern.kind === 'failure' && !isOwn(pattern))) };
}

function shares(patterns: readonly Pattern[]): Pick<RootCauses, 'count' | 'causes'> {
  const sum = (some: readonly Pattern[]) => some.reduce((total, { count }) => total + count, 0);
  const count = sum(patterns);
  const names = [...new Set(patterns.map(({ rootCause }) => rootCause.cause))];
  const causes = names.map((cause): CauseShare => {
    const own = patterns.filter(({ rootCause }) => rootCause.cause === cause);
    const suggested = own.filter(({ rootCause }) => rootCause.by !== undefined && cause !== 'undetermined');
    return { cause, count: sum(own), share: sum(own) / count, suggested: sum(suggested), patterns: own };
  });
  return { count, causes: causes.sort((a, b) => b.count - a.count || (a.cause < b.cause ? -1 : 1)) };
}
