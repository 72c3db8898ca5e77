/** `rsi-loop/orchestrate`: tasks that depend on each other, on workers, in runs that survive a kill. */

export { type PoolOptions, processes, threads } from './lane-pool.js';
export { type OrchestratedRun, type OrchestratingLoop, orchestrate, type RunResult } from './orchestrate.js';
export type { OrchestrateOptions } from './orchestrate-options.js';
export type { PlanLimits, PlannedState, Planner, PlanRequest } from './plan.js';
export { type PlannerOptions, planner } from './planner.js';
export { RunFolder } from './run-folder.js';
export { RunState, type TaskMessage, type TaskNode } from './run-state.js';
export type {
  CancelRequest,
  EventRequest,
  RunClaim,
  RunRequest,
  RunStatus,
  RunStep,
  RunStore,
  StepBody,
} from './run-step.js';
export { type Schedule, type ScheduleOptions, schedule } from './schedule.js';
export { serveTask } from './serve-task.js';
export type { GoalTask, TaskEvent, TaskRetries, TaskSpec, TaskState, TaskStatus, WorkerTask } from './task.js';
export { keyOf } from './task-attempt.js';
export type { TaskCall, TaskContext, TaskHost, Worker, WorkerFunction, WorkerPool, WorkerResult } from './worker.js';
