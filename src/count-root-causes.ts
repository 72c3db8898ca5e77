import { Analyzer } from './analyze/analyzer.js';
import { LoopError } from './errors.js';
import { exportOutcomes } from './export-outcomes.js';
import type { RSILoop } from './loop.js';
import { readyRooms } from './ready-rooms.js';
import type { Outcome, Pattern, RootCause } from './records.js';
import { isOwn, withCauses } from './study.js';

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

const DAY_MS = 86_400_000;
/** Outcomes put into the order of time at once. */
const BATCH = 20_000;

/** What `rootCauses` does, loaded when it is asked. */
export async function countRootCauses(loop: RSILoop, { days = 7 }: RootCausesOptions): Promise<RootCauses> {
  if (!(days > 0 && days <= 3_650))
    throw new LoopError('invalid-input', `days is ${days}: give more than 0, at most 3650`);
  const { clock, ledger } = await readyRooms(loop);
  const untilMs = clock.now();
  const sinceMs = untilMs - days * DAY_MS;
  const analyzer = new Analyzer({ windowMs: days * DAY_MS });
  let batch: Outcome[] = [];
  const absorb = () => {
    analyzer.absorb(batch.sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1)));
    batch = [];
  };
  for await (const outcome of exportOutcomes(loop, { sinceMs })) {
    if (batch.push(outcome) === BATCH) absorb();
  }
  absorb();
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
