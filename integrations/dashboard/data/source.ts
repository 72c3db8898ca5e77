import type { HealthScore, Outcome, Pattern, RSILoop } from 'rsi-loop';
import type { RebuildProgress, Timelines } from 'rsi-loop/kit';
import type { KeptRuns } from '../../reports/kept-runs.js';
import type { FoundTranscripts, LoopProblem } from '../views.js';
import type { BenchSource } from './bench-source.js';
import type { FollowedCounts } from './followed-counts.js';
import type { RecentOutcomes } from './recent-outcomes.js';
import type { SessionNames } from './session-names.js';
import type { SkillSource } from './skill-source.js';
import type { Spreads } from './spreads.js';
import type { StoreChecks } from './store-checks.js';

/** State that the views are built from. Read-only. */
export interface DataSource {
  readonly loop: RSILoop;
  /** Patterns of the shown period, failures before measures, highest impact first. */
  readonly patterns: readonly Pattern[];
  /** Health in the shown period. */
  readonly health: HealthScore;
  /** Why the last reading of the store failed, if it did. */
  readonly unfinished?: string;
  readonly recent: RecentOutcomes;
  /** Counts per bucket of the shown period. */
  readonly lines: Timelines;
  /** Returns the ids of the patterns that an outcome belongs to. */
  patternsOf(outcome: Outcome): readonly string[];
  readonly spreads: Spreads;
  readonly names: SessionNames;
  readonly followed: FollowedCounts;
  /** Time at the server, epoch milliseconds. */
  readonly nowMs: number;
  /** Name of the store for people. */
  readonly store: string;
  /** Folder of the store, if it has one. */
  readonly folder?: string;
  readonly checks: StoreChecks;
  /** Benchmarks and improvements, if this dashboard shows them. */
  readonly bench?: BenchSource;
  /** Versions of the agent that wait for a person. */
  readonly versionsWaiting: number;
  /** Runs of orchestrated tasks, if this dashboard shows them. */
  readonly runs?: KeptRuns;
  /** Skills, if this dashboard shows them. */
  readonly skills?: SkillSource;
  readonly simulated: boolean;
  /** Whether a process runs a loop on this store, which reads what is recorded. */
  readonly isAgentRunning: boolean;
  /** Whether records wait that no cycle has counted, and no process will count. */
  readonly hasUnread: boolean;
  /** Transcripts to import, while the store holds no record. */
  readonly transcripts?: readonly FoundTranscripts[];
  /** Whether the folder of the store was deleted or moved. */
  readonly isGone: boolean;
  readonly lastCycleMs?: number;
  readonly rebuilding?: RebuildProgress;
  /** Newest problems of the loop itself, newest first. */
  readonly problems: readonly LoopProblem[];
}

/** Parameters of a view: of its path (`id`) and of its query. */
export type ViewParams = Readonly<Record<string, string | undefined>>;
