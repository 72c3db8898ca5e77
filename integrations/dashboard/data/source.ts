import type { CycleReport, RSILoop } from 'rsi-loop';
import type { RebuildProgress } from 'rsi-loop/kit';
import type { KeptRuns } from '../../reports/kept-runs.js';
import type { LoopProblem } from '../views.js';
import type { BenchSource } from './bench-source.js';
import type { RecentOutcomes } from './recent-outcomes.js';
import type { SkillSource } from './skill-source.js';
import type { StoreChecks } from './store-checks.js';

/** State that the views are built from. Read-only. */
export interface DataSource {
  readonly loop: RSILoop;
  /** Newest patterns, fixes and health. */
  readonly report: CycleReport;
  readonly recent: RecentOutcomes;
  /** Time at the server, epoch milliseconds. */
  readonly nowMs: number;
  /** Name of the store for people. */
  readonly store: string;
  readonly checks: StoreChecks;
  /** Benchmarks and improvements, if this dashboard shows them. */
  readonly bench?: BenchSource;
  /** Runs of orchestrated tasks, if this dashboard shows them. */
  readonly runs?: KeptRuns;
  /** Skills, if this dashboard shows them. */
  readonly skills?: SkillSource;
  readonly simulated: boolean;
  /** Whether a process runs a loop on this store, which reads what is recorded. */
  readonly isAgentRunning: boolean;
  /** Whether the folder of the store was deleted or moved. */
  readonly isGone: boolean;
  readonly lastCycleMs?: number;
  readonly rebuilding?: RebuildProgress;
  /** Newest problems of the loop itself, newest first. */
  readonly problems: readonly LoopProblem[];
}

/** Parameters of a view: of its path (`id`) and of its query. */
export type ViewParams = Readonly<Record<string, string | undefined>>;
