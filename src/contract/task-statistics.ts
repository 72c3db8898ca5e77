import type { Rate } from './rate.js';

/** What one task could do better, seen from its own successes and failures. Feeds the catalog. */
export interface TaskStatistics {
  readonly task: string;
  readonly outcomes: number;
  readonly failures: number;
  /** Failures that list their attempts, as those of `loop.run` do. */
  readonly attempted: number;
  /** Outcomes of tasks begun through the loop: only these can be given a changed policy. */
  readonly managed: number;
  /** Outcomes of calls that were only watched (captured): no setting ever reaches them. */
  readonly captured: number;
  /** Outcomes of tasks that may run again after a failure, and of tasks that may not, as their host said. */
  readonly repeatable: number;
  readonly unrepeatable: number;
  /** Outcomes that belong to a session: only these can tell what a rule does. */
  readonly inSessions: number;
  /** Those of them that were begun through the loop, which hands out the rules of their session. */
  readonly advised: number;
  /** Per day, over the window. */
  readonly perDay: number;
  /** Days of the window since the first outcome; what is said per day below one day is a guess. */
  readonly observedDays: number;
  /** Quantiles of the duration of successes; absent below 20 of them. */
  readonly successMs?: { readonly p50: number; readonly p90: number; readonly p99: number };
  /** Median duration of the tasks that ended in a time-out; absent where none did. */
  readonly timedOutMs?: number;
  readonly models: readonly ModelStatistics[];
  /** What successes took and cost before the present seventh of the window, where enough of them are known. */
  readonly usual?: { readonly p90Ms?: number; readonly p90Usd?: number };
}

/** A task that took or cost more than this counts as failed in a trial: in both arms, and frozen when it starts. */
export interface AtMost {
  readonly durationMs?: number;
  readonly costUsd?: number;
}

export interface ModelStatistics {
  readonly model: string;
  /** Failed calls of this model, counted over the attempts of tasks. */
  readonly rate: Rate;
  /** Failed tasks among those whose caller wanted this model, by naming it or listing it first, whichever answered. */
  readonly wanted: Rate;
  /** The newest of them: at least 50 where there are so many. */
  readonly wantedLately: Pick<Rate, 'value' | 'of'>;
  /** Models that these callers listed besides, in their order. */
  readonly listedBeside: readonly string[];
}
