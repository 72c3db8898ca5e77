import type { Trial } from '../contract/trial.js';
import type { ArmFigures } from '../contract/verdict.js';
import type { ArmBetSnapshot } from './arm-bet.js';
import type { ArmCountsSnapshot } from './arm-counts.js';
import type { ArrivalSnapshot } from './arrival.js';
import type { Conclusion } from './conclusion.js';
import type { EverybodySnapshot } from './everybody.js';
import type { GuardMetricsSnapshot } from './guard-metrics.js';
import type { HoldoutSnapshot } from './holdout.js';
import type { IdleWatchSnapshot } from './idle-watch.js';
import type { LaterTasksSnapshot } from './later-tasks.js';
import type { MovedSnapshot } from './moved.js';
import type { OpenTimesSnapshot } from './open-times.js';
import type { RampSnapshot } from './ramp.js';
import type { RateGuessSnapshot } from './rate-guess.js';
import type { RuleImpactSnapshot } from './rule-impact.js';
import type { SparedKindsSnapshot } from './spared-kinds.js';
import type { SpendingSnapshot } from './spending.js';
import type { TrialCourseSnapshot } from './trial-course.js';
import type { UnitQueueSnapshot } from './unit-queue.js';

/** Complete state of a `RunningTrial`, as JSON. */
export interface RunningTrialSnapshot extends SparedKindsSnapshot {
  readonly trial: Trial;
  readonly bet: ArmBetSnapshot;
  readonly queue: UnitQueueSnapshot;
  readonly guards: GuardMetricsSnapshot;
  readonly moved: MovedSnapshot;
  /** Tasks since the bet was won, while some kind of task is in doubt. */
  readonly wonAmong: number;
  readonly arrival: ArrivalSnapshot;
  readonly holdout: HoldoutSnapshot;
  readonly guess: RateGuessSnapshot;
  readonly ramp: RampSnapshot | null;
  readonly spending: SpendingSnapshot;
  readonly inScope: ArmCountsSnapshot;
  readonly excused: ArmFigures;
  readonly ruling: Conclusion | null;
  readonly course: TrialCourseSnapshot;
  /** Missing in older snapshots. */
  readonly idle?: IdleWatchSnapshot;
  /** For blocks only. */
  readonly open?: OpenTimesSnapshot;
  /** For single tasks of the host's own settings, in a ramp and after it. */
  readonly everybody?: EverybodySnapshot;
  /** For single tasks that follow others in a session. */
  readonly later?: LaterTasksSnapshot;
  /** For rules only. */
  readonly tally?: RuleImpactSnapshot;
}
