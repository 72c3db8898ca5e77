import type { Rate } from './rate.js';

/** Statistics of one task's successes and failures, from which the catalog proposes fixes. */
export interface TaskStatistics {
  readonly task: string;
  readonly outcomes: number;
  readonly failures: number;
  /** Failures that list their attempts, as those recorded by `loop.run` do. */
  readonly attempted: number;
  /** Outcomes of tasks started through the loop. Only these can get a changed policy. */
  readonly managed: number;
  /** Outcomes of calls that were only observed (captured). No setting ever affects them. */
  readonly captured: number;
  /** Outcomes of tasks that the host marked as safe to run again after a failure, and as unsafe. */
  readonly repeatable: number;
  readonly unrepeatable: number;
  /** Outcomes that belong to a session. Only these can show the effect of a rule. */
  readonly inSessions: number;
  /** Outcomes of sessions that were started through the loop, which passes them the session's rules. */
  readonly advised: number;
  /** Per day, over the window. */
  readonly perDay: number;
  /** Days of the window since the first outcome. Below one day, per-day figures are estimates. */
  readonly observedDays: number;
  /** Quantiles of the duration of successes; absent below 20 successes. */
  readonly successMs?: {
    readonly p50: number;
    readonly p90: number;
    readonly p99: number;
    /** Slowest success of the window, rounded up by at most 3 %. Default: unknown. */
    readonly max?: number;
    /** Successes with a known duration. */
    readonly count?: number;
  };
  /** Mean tasks of a session, over the newest sessions; absent below 8 sessions. */
  readonly perSession?: number;
  /** Share of the newest tasks that began at least 30 s after the one before ended; absent below 20 tasks. */
  readonly apart?: number;
  /** Median duration of the tasks that timed out; absent if none did. */
  readonly timedOutMs?: number;
  readonly models: readonly ModelStatistics[];
  /** 90th percentile of successes before the most recent seventh of the window, if there are enough of them. */
  readonly usual?: { readonly p90Ms?: number; readonly p90Usd?: number };
}

/** Limits above which a trial counts a task as failed. They apply to both arms and are fixed when the trial starts. */
export interface AtMost {
  readonly durationMs?: number;
  readonly costUsd?: number;
  /** Calls of a task. With 1, a task that needed a second call counts as failed. */
  readonly calls?: number;
}

export interface ModelStatistics {
  readonly model: string;
  /** Failed calls of this model, counted over the attempts of tasks. */
  readonly rate: Rate;
  /** Failed tasks among those whose caller named this model or listed it first, regardless of which model answered. */
  readonly wanted: Rate;
  /** The newest of those tasks: at least 50, if there are that many. */
  readonly wantedLately: Pick<Rate, 'value' | 'of'>;
  /** Other models that these callers listed, in their order. */
  readonly listedBeside: readonly string[];
  /** Failed first calls of these tasks, by the model that was asked first; at least one call each. */
  readonly asked?: readonly (Pick<Rate, 'value' | 'of'> & { readonly model: string })[];
}
