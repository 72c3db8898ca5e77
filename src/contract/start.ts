import type { FixId, OutcomeId } from './ids.js';
import type { Scope } from './scope.js';

/** Group of a trial: with the fix, or without it. */
export type Arm = 'fix' | 'control';

/** Arm drawn for a unit in a trial, and the probability of the fix arm. */
export interface ArmAssignment {
  readonly fixId: FixId;
  /** Unit of randomisation: the id of the task, the block or the session. */
  readonly unit: string;
  readonly arm: Arm;
  /** Probability of the fix arm at the time of the draw, 0 to 1. */
  readonly share: number;
}

/** Record of a task's start. It is written before the work if a trial is running for the task. */
export interface Start {
  /** Id of its future Outcome. */
  readonly id: OutcomeId;
  readonly task: string;
  readonly atMs: number;
  /** Epoch milliseconds. A task that has not ended by then counts as failed in its arm. */
  readonly deadlineMs: number;
  readonly scope: Scope;
  readonly arms: readonly ArmAssignment[];
  /**
   * Names known before the arms were drawn that may tell how hard the task is, general to special: at most 4. Trials
   * predict each task from them.
   */
  readonly features?: readonly string[];
  readonly session?: string;
  /** With `counter`: the order among starts of the same millisecond. */
  readonly writer: string;
  readonly counter: number;
}
