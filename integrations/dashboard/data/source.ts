import type { CycleReport, RebuildProgress, RSILoop } from 'rsi-loop';
import type { LoopProblem } from '../views.js';
import type { RecentOutcomes } from './recent-outcomes.js';
import type { StoreChecks } from './store-checks.js';

/** State that the views are built from. Read-only. */
export interface DataSource {
  readonly loop: RSILoop;
  /** Newest patterns, fixes and health. */
  readonly report: CycleReport;
  readonly recent: RecentOutcomes;
  /** Time at the server, epoch milliseconds. */
  readonly nowMs: number;
  /** Name of the store for people: its folder, or `memory`. */
  readonly store: string;
  /** Checks of the folder of the store, if it has one. */
  readonly checks?: StoreChecks;
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
