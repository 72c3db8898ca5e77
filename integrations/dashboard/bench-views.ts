import type { Json, Rate } from 'rsi-loop';
import type { BenchStart, Comparison, Gain } from 'rsi-loop/bench';
import type { Ended, Hypothesis, Spent, VersionDecision } from 'rsi-loop/improve';

/** `GET api/benchmarks` */
export interface BenchmarksView {
  /** Folder of the results. Undefined if this dashboard shows no benchmarks. */
  readonly folder?: string;
  /** Newest first, at most 500. */
  readonly benchmarks: readonly BenchmarkRow[];
  /** The one that changed last first, at most 100. */
  readonly improvements: readonly ImprovementRow[];
}

/** Benchmark as one row. */
export interface BenchmarkRow {
  readonly id: string;
  readonly suite: string;
  readonly action: BenchStart['action'];
  readonly atMs: number;
  /** False if it was interrupted or is running. */
  readonly isDone: boolean;
  /** Score of the agent as it is. Absent for a comparison. */
  readonly score?: Rate;
  readonly costUsd?: number;
  /** Result of each candidate of a comparison. */
  readonly results: readonly CandidateResult[];
}

/** Comparison of a candidate with the version before. */
export interface CandidateResult {
  readonly candidate: string;
  readonly kind: Comparison['kind'];
  /** Result with its figures, as a sentence. */
  readonly sentence: string;
  readonly gain: Gain;
  readonly pairs: number;
}

/** `GET api/benchmarks/:id` */
export interface BenchmarkView {
  readonly row: BenchmarkRow;
  /** Names of the versions: the agent as it is, then the candidates. */
  readonly versions: readonly string[];
  /** Mean over all runs of each version; null without runs. */
  readonly means: readonly (ProblemScore | null)[];
  /** Problems that were run, the ones with the lowest score of the first version first; at most 2,000. */
  readonly problems: readonly ProblemRow[];
  readonly omitted: number;
  /** Differences of each candidate. */
  readonly changes: readonly { readonly candidate: string; readonly change: readonly TextChange[] }[];
}

export interface ProblemRow {
  readonly id: string;
  /** In the order of `versions`; null if the version did not run it. */
  readonly scores: readonly (ProblemScore | null)[];
  /** Error of the last run of any version that ended with one. */
  readonly error?: string;
}

export interface ProblemScore {
  /** Mean, 0 to 1. */
  readonly score: number;
  readonly runs: number;
}

/** Text or setting before and after. Null if there is none. */
export interface TextChange {
  readonly name: string;
  readonly before: Json;
  readonly after: Json;
}

/** Improvement as one row. */
export interface ImprovementRow {
  readonly id: string;
  readonly suite: string;
  readonly startedMs: number;
  readonly atMs: number;
  readonly rounds: number;
  readonly kept: number;
  readonly versions: number;
  /** Mean score on the open half of the agent as it is, and of the best version. */
  readonly scores?: { readonly before: number; readonly best: number };
  readonly spent: Spent;
  /** Undefined if it was interrupted or is running. */
  readonly ended?: Ended;
  /** Best version, if it waits for a person. One that changes files is merged by `rsi improve approve` only. */
  readonly waiting?: { readonly version: string; readonly changesFiles: boolean };
}

/** `GET api/improvements/:id?version=` */
export interface ImprovementView {
  readonly row: ImprovementRow;
  readonly rounds: readonly RoundRow[];
  /** Versions as a tree: each one after its parent. At most 2,000. */
  readonly archive: readonly VersionRow[];
  /** The version that was asked for, or the best one. */
  readonly version?: VersionView;
}

/** Round with its expected gain beside the measured one. */
export interface RoundRow {
  readonly round: number;
  readonly version: string;
  readonly hypotheses: readonly Hypothesis[];
  readonly expected?: number;
  /** Absent if no candidate was chosen. */
  readonly result?: CandidateResult;
  readonly isKept: boolean;
}

export interface VersionRow {
  readonly id: string;
  /** Depth in the tree, from 0. */
  readonly depth: number;
  readonly name: string;
  readonly parents: readonly string[];
  /** Reason of its newest change; empty for the agent as it is. */
  readonly hypothesis: string;
  readonly expectedGain?: number;
  readonly round: number;
  /** Mean on the open half, and that of its parent. It selects candidates; it proves nothing. */
  readonly score: number;
  readonly parentScore?: number;
  readonly runs: number;
  readonly isKept: boolean;
  readonly result?: CandidateResult;
  readonly decision?: VersionDecision['kind'];
}

export interface VersionView {
  readonly row: VersionRow;
  readonly hypotheses: readonly Hypothesis[];
  /** Differences from its parent. */
  readonly change: readonly TextChange[];
  readonly decision?: VersionDecision;
}
