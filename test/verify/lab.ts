import type { OutcomeId } from '../../src/contract/ids.js';
import type { Scope } from '../../src/contract/scope.js';
import type { Arm } from '../../src/contract/start.js';
import type { Trial } from '../../src/contract/trial.js';
import { OtherTasks } from '../../src/verify/other-tasks.js';
import type { TaskEnd } from '../../src/verify/task-end.js';
import { RunningTrial } from '../../src/verify/trial.js';
import { T0, trialOf } from './harness.js';

export const HOUR_MS = 3_600_000;
/** Permanent share of control after a confirmation. */
export const HOLDOUT = 0.02;

export interface TaskParts {
  readonly arm: Arm;
  readonly failed?: boolean;
  readonly share?: number;
  readonly unit?: string;
  readonly scope?: Scope;
  readonly isAnchor?: true;
  /** Session of a single task. */
  readonly follows?: string;
  /** Measurement at the end, or `never` if the task did not end. */
  readonly end?: Partial<TaskEnd> | 'never';
}

/** A running trial that gets one task after the other. */
export class Lab {
  readonly #everyMs: number;
  #running: RunningTrial;
  #number = 0;

  constructor(trial: Trial, everyMs: number) {
    this.#everyMs = everyMs;
    this.#running = new RunningTrial(trial, new OtherTasks());
  }

  get running(): RunningTrial {
    return this.#running;
  }

  get nowMs(): number {
    return T0 + this.#number * this.#everyMs;
  }

  add({ arm, failed = false, share = 0.5, unit, scope, isAnchor, follows, end = {} }: TaskParts): void {
    const atMs = this.nowMs;
    const counter = this.#number++;
    const id = `t${counter}` as OutcomeId; // a brand has no other way to come into being
    const { queue, trial } = this.#running;
    queue.begin({
      ...{ id, atMs, writer: 'w', counter, deadlineMs: atMs + HOUR_MS, unit: unit ?? id, arm, share },
      ...(scope && { scope }),
      ...(isAnchor && { isAnchor }),
      ...(follows && { follows }),
    });
    if (end === 'never') return;
    queue.end(id, { failed, atMs: atMs + 500, ...end });
    if (trial.unit === 'session' && unit !== undefined) queue.endSession(unit, atMs + 500);
  }

  addMany(count: number, parts: (index: number) => TaskParts): void {
    for (let index = 0; index < count; index++) this.add(parts(index));
  }

  advance(nowMs = this.nowMs, holdout = HOLDOUT): RunningTrial['ruling'] {
    this.#running.advance(nowMs, nowMs, holdout);
    return this.#running.ruling;
  }

  restart(): void {
    const snapshot = JSON.parse(JSON.stringify(this.#running.snapshot()));
    this.#running = new RunningTrial(this.#running.trial, new OtherTasks(), snapshot);
  }
}

export const trialWith = (trial: Trial, everyMs = 1_000) => new Lab(trial, everyMs);

export const evenly = (index: number): Arm => (index % 2 === 0 ? 'fix' : 'control');
export const inHoldout = (parts: Partial<Trial> = {}): Trial => ({
  ...trialOf(),
  phase: 'holdout',
  share: 0.9,
  ...parts,
});
