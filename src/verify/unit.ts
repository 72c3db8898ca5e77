import type { OutcomeId } from '../contract/ids.js';
import type { Scope } from '../contract/scope.js';
import type { Arm } from '../contract/start.js';
import type { EndedUnit } from './betting-martingale.js';
import type { TaskEnd } from './task-end.js';

/** Maximum time a task may delay a trial, regardless of its deadline. */
const LONGEST_TASK_MS = 7 * 24 * 3_600_000;

/** A trial task from its Start on. */
export interface TrialTask {
  readonly id: OutcomeId;
  readonly atMs: number;
  readonly writer: string;
  readonly counter: number;
  readonly deadlineMs: number;
  readonly unit: string;
  readonly arm: Arm;
  readonly share: number;
  /** Scope known before the task began. Present only if the trial may suit some kinds of tasks and not others. */
  readonly scope?: Scope;
  /** Names from its Start, general to special, by which the trial predicts it. */
  readonly features?: readonly string[];
  /** For single tasks: the session that the task continues. */
  readonly follows?: string;
  /** The task is outside the trial's scope and only shows which arm its session is in. */
  readonly isAnchor?: boolean;
  end?: TaskEnd;
}

/** Unit of randomisation with its tasks. Units are in the order of their starts. */
export interface Unit {
  readonly key: string;
  readonly arm: Arm;
  readonly share: number;
  /** Some tasks had another arm or share, because the share changed meanwhile. Such a unit carries no information. */
  mixed: boolean;
  readonly tasks: TrialTask[];
  /** Whether `ended` has already returned it. */
  reported: boolean;
}

/** Returns the result of a unit. A task that never ended failed. */
export function endedUnit({ arm, share, tasks }: Unit): EndedUnit {
  let failures = 0;
  for (const { end } of tasks) if (!end || end.failed) failures++;
  return { arm, share, tasks: tasks.length, failures };
}

/** Removes tasks outside the trial's scope. May leave a session without tasks. */
export function withoutAnchors(unit: Unit): Unit {
  return unit.tasks.some(({ isAnchor }) => isAnchor)
    ? { ...unit, tasks: unit.tasks.filter(({ isAnchor }) => !isAnchor) }
    : unit;
}

/** Returns the latest end time at which the task does not count as failed. */
export function lastMoment(task: TrialTask): number {
  return Math.min(task.deadlineMs, task.atMs + LONGEST_TASK_MS);
}

/** Returns whether the unit need not wait for the task. */
export function isEnded({ end, isAnchor }: TrialTask): boolean {
  return end !== undefined || isAnchor === true;
}

/** Returns when the last task of a unit ended or could not end well any more. */
export function overMs({ tasks }: Unit): number {
  let latestMs = 0;
  for (const task of tasks) latestMs = Math.max(latestMs, endOf(task));
  return latestMs;
}

function endOf(task: TrialTask): number {
  return task.end?.atMs ?? (task.isAnchor ? task.atMs : lastMoment(task));
}

/** Compares tasks by their starts. */
export function inOrderOfStart(a: TrialTask, b: TrialTask): number {
  if (a.atMs !== b.atMs) return a.atMs - b.atMs;
  if (a.writer !== b.writer) return a.writer < b.writer ? -1 : 1;
  return a.counter - b.counter;
}
