import type { FixId, OutcomeId } from './ids.js';
import type { Scope } from './scope.js';

export type Arm = 'fix' | 'control';

/** Which side of a trial a unit was given, and with which probability it would have been the fix. */
export interface ArmAssignment {
  readonly fixId: FixId;
  /** The unit of randomisation: the task's own id, a block's or a session's. */
  readonly unit: string;
  readonly arm: Arm;
  /** Probability of the fix arm at the time of the draw, 0 to 1. */
  readonly share: number;
}

/** The record that a task began; written before the work whenever a trial is running for it. */
export interface Start {
  /** The id its Outcome will carry. */
  readonly id: OutcomeId;
  readonly task: string;
  readonly atMs: number;
  /** Epoch milliseconds; a task that has not ended by then failed in the arm it was given. */
  readonly deadlineMs: number;
  readonly scope: Scope;
  readonly arms: readonly ArmAssignment[];
  readonly session?: string;
  /** With `counter`, the order among starts of one millisecond. */
  readonly writer: string;
  readonly counter: number;
}
