import { LoopError } from '../contract/errors.js';
import type { Arm } from '../contract/start.js';
import type { UnitKind } from '../contract/trial.js';
import { showValue } from '../lib/text.js';
import type { EndedUnit } from './betting-martingale.js';

/** End of a unit. `null`: cancelled after its start or never ended. Both count as a failure of its arm. */
export type BetEnd = {
  /** Position in the order of starts: consecutive from 0, or from the last seeded number plus 1. */
  readonly seq: number;
  readonly arm: Arm;
  /**
   * Probability that the unit was assigned to the fix, 0 to 1. With 0 or 1 nothing was randomised and nothing is bet.
   */
  readonly share: number;
  /**
   * Names known before the arm was drawn, general to special, such as task, model and key of the problem: at most 4.
   * Failures of each name sharpen the prediction for single tasks.
   */
  readonly features?: readonly string[];
} & ({ readonly success: boolean | null } | { readonly tasks: number; readonly failures: number });

/** Task that ended before the trial, oldest first. If `arm` is present, only control tasks count. */
export type PastEnd =
  | boolean
  | {
      readonly success: boolean | null;
      readonly seq?: number;
      readonly arm?: Arm;
      readonly features?: readonly string[];
    }
  | { readonly tasks: number; readonly failures: number };

/** Unit as it is bet on. */
export type UnitWithNames = EndedUnit & Pick<BetEnd, 'features'>;

/**
 * Returns the unit of an end, with the names of its task.
 * @throws LoopError `invalid-input` for an impossible share, number or arm.
 */
export function readEnd(end: BetEnd, unit: UnitKind): UnitWithNames {
  const { seq, arm, share, features } = end;
  const { tasks, failures } = countsOf(end);
  if (!isWhole(seq, 0)) refuse('seq', seq, 'a whole number from 0');
  if (!isPossible(arm, share))
    refuse('share', share, `a probability from 0 to 1 with which arm ${JSON.stringify(arm)} can be drawn`);
  if (!isWhole(tasks, 1)) refuse('tasks', tasks, 'a whole number from 1');
  if (tasks > 1 && unit === 'task') refuse('tasks', tasks, '1, or make the bet with `unit: "block"`');
  if (!isWhole(failures, 0) || failures > tasks) refuse('failures', failures, 'a whole number from 0 to `tasks`');
  return { arm, share, tasks, failures, ...(features && { features }) };
}

/** Returns the tasks of an end. A single task failed unless it succeeded. */
export function countsOf(end: boolean | Counts | { readonly success: boolean | null }): Counts {
  if (typeof end === 'object' && !('success' in end)) return end;
  const success = typeof end === 'object' ? end.success : end;
  return { tasks: 1, failures: success === true ? 0 : 1 };
}

type Counts = Pick<EndedUnit, 'tasks' | 'failures'>;

function isPossible(arm: Arm, share: number): boolean {
  return arm === 'fix' ? share > 0 && share <= 1 : arm === 'control' && share >= 0 && share < 1;
}

function isWhole(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least;
}

export function refuse(name: string, value: unknown, wanted: string): never {
  throw new LoopError('invalid-input', `${name} is ${showValue(value)}: give ${wanted}`);
}
