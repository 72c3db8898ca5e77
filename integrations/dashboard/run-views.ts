import type { RunStatus, TaskStatus } from 'rsi-loop/orchestrate';

/** `GET api/runs` */
export interface RunsView {
  /** Folder of the runs. Undefined if this dashboard shows no runs. */
  readonly folder?: string;
  /** The one that changed last first, at most 500. */
  readonly runs: readonly RunRow[];
}

/** Run of orchestrated tasks as one row. */
export interface RunRow {
  readonly id: string;
  readonly name: string;
  /** `running` only while a process has the run; `stopped` also after a kill. */
  readonly status: RunStatus;
  /** Why it was stopped or cancelled. */
  readonly why?: string;
  /** Whether it can be cancelled. */
  readonly isOpen: boolean;
  readonly tasks: number;
  readonly counts: Readonly<Record<TaskStatus, number>>;
  /** Epoch milliseconds of the first and the last step. */
  readonly beganMs: number;
  readonly changedMs: number;
}

/** `GET api/runs/:id?task=` */
export interface RunView {
  readonly row: RunRow;
  /** Failed tasks first, then those in progress, then the others in the order of the plan; at most 2,000. */
  readonly tasks: readonly TaskRow[];
  readonly omitted: number;
  /** The task that was asked for. */
  readonly task?: TaskView;
}

export interface TaskRow {
  readonly id: string;
  /** Number of goals around it. */
  readonly depth: number;
  /** Name of its worker; undefined for a goal, which a planner divides. */
  readonly worker?: string;
  readonly goal?: string;
  /** Tasks that must end first. */
  readonly after: readonly string[];
  readonly status: TaskStatus;
  /** Attempts that were begun, over all processes. */
  readonly attempts: number;
  /** Error, or why it was skipped, cancelled or replaced. */
  readonly reason?: string;
  /** Start of the last attempt, and the end; epoch milliseconds. */
  readonly beganMs?: number;
  readonly endedMs?: number;
}

export interface TaskView {
  readonly row: TaskRow;
  /** Tasks that come after it, at most 200. */
  readonly dependents: readonly string[];
  /** Result as JSON, redacted and cut. */
  readonly result?: string;
}
