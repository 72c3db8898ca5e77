import type { Json } from 'rsi-loop';
import type { TaskSpec, TaskStatus } from './task.js';
import type { TaskHost } from './worker.js';

/** Task of the run, as a planner sees it. */
export interface PlannedState {
  readonly id: string;
  /** Worker, or text of the goal. */
  readonly does: string;
  readonly status: TaskStatus;
  readonly result?: Json;
  readonly error?: string;
}

/** Question to a planner. */
export interface PlanRequest extends Pick<TaskHost, 'spend' | 'signal'> {
  /** Goal to divide: text of a goal task. Absent for the plan of the whole run, and after a failure. */
  readonly goal?: string;
  /** Failed task. The plan replaces it and the tasks that waited for it. */
  readonly failed?: PlannedState;
  /** Tasks of the run so far, without those that the plan replaces. New tasks may come after those that are done. */
  readonly tasks: readonly PlannedState[];
  /** Names of the workers. */
  readonly workers: readonly string[];
  /** Most tasks that the plan may have. */
  readonly maxTasks: number;
  /** Whether the plan may contain goals, which are planned in their turn. */
  readonly mayNest: boolean;
  /**
   * Checks a plan as the run will.
   * @throws LoopError `invalid-input` with the first problem.
   */
  check(tasks: unknown): void;
}

/** Returns tasks, or none if there is nothing to do. The run checks them before any of them runs. */
export type Planner = (request: PlanRequest) => Promise<readonly TaskSpec[]> | readonly TaskSpec[];

/** Limits on what a planner may add to a run. */
export interface PlanLimits {
  /** Tasks in all plans together. Default 100. */
  readonly tasks?: number;
  /** Goals inside each other. Default 3. */
  readonly depth?: number;
  /** Plans of goals and after failures. Default 10. */
  readonly plans?: number;
}

export const DEFAULT_PLAN_LIMITS: Required<PlanLimits> = { tasks: 100, depth: 3, plans: 10 };
