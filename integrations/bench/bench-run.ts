import type { TokenUse } from 'rsi-loop';

/** Result of one run of a problem of a benchmark. */
export interface ProblemResult {
  readonly problemId: string;
  /** 0 (wrong) to 1 (right). A crash or a time-out scores 0. */
  readonly score: number;
  /** Standard deviation of the judge's scores for this answer, if a judge scored it several times. */
  readonly noise?: number;
  readonly durationMs: number;
  readonly tokens?: TokenUse;
  readonly costUsd?: number;
  /** Steps that the agent took, if it states them. */
  readonly turns?: number;
  /** Start of an answer that scored below 1, redacted. */
  readonly answer?: string;
  /** Why the run failed: what the agent threw, or that it took too long. */
  readonly error?: string;
  /** Whether the answer came from a cache, as the agent reports it. */
  readonly cached?: boolean;
}

/** Result of one run in a comparison, as it is stored. */
export interface BenchRun {
  /** Id of the comparison: the same for the same suite, candidates and seed. */
  readonly comparison: string;
  /** Number of the draw, from 0. Below 0: a pair that only looks for a regression. */
  readonly draw: number;
  /** 0 for the baseline, then the candidates in their order. */
  readonly version: number;
  readonly result: ProblemResult;
}

/** Store of finished runs, so that an interrupted comparison repeats none of them. */
export interface BenchRuns {
  /** Returns the runs of a comparison, in any order. */
  load(comparison: string): Promise<readonly BenchRun[]>;
  /** Resolves when the run is as durable as this store can make it. */
  save(run: BenchRun): Promise<void>;
}
