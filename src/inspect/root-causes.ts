import type { Pattern, RootCause } from '../contract/pattern.js';
import { type LoopHandle, readyComponents } from '../engine/internals.js';
import { isOwn, withCauses } from '../engine/suggest-causes.js';
import { exportOutcomes } from './export-outcomes.js';
import { analyzeDays, checkDays, DAY_MS } from './last-days.js';

export interface RootCausesOptions {
  /** How far back, in days. Default 7. */
  readonly days?: number;
}

/** How much of what failed has one cause. */
export interface CauseShare {
  readonly cause: RootCause;
  /** Failures in patterns with this cause; one that shows several issues is counted for each of them. */
  readonly count: number;
  /** Of all that were counted, 0 to 1. */
  readonly share: number;
  /** How many of them have their cause from a model, not from a rule. */
  readonly suggested: number;
  /** The costliest first. */
  readonly patterns: readonly Pattern[];
}

export interface RootCauses {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly count: number;
  /** The most frequent first; without causes that nothing has. */
  readonly causes: readonly CauseShare[];
}

/**
 * Counts why things failed lately: by the rules and, where they say nothing, by what a model suggested before. Reads
 * everything the store still holds of that time and changes nothing.
 * @throws LoopError `invalid-input` for a number of days that is not above 0, `store-failed` when the store cannot be read.
 */
export async function rootCauses(loop: LoopHandle, { days = 7 }: RootCausesOptions = {}): Promise<RootCauses> {
  checkDays(days);
  const { clock, ledger, store } = await readyComponents(loop);
  const untilMs = clock.now();
  const sinceMs = untilMs - days * DAY_MS;
  const analyzer = await analyzeDays(exportOutcomes({ store }, { sinceMs }), days);
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
