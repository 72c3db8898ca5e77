import type { TrialPoint } from '../contract/verdict.js';

/** Maximum number of points of one trial. Must be even. */
const MAX_POINTS = 240;
/** Significant digits of e-values, which are drawn on a log axis. */
const DIGITS = 4;
/** Largest e-value that is kept, because JSON has no infinity. */
const MAX_E = 1e300;

export interface TrialCourseSnapshot {
  readonly changes: number;
  readonly every: number;
  /** Numbers of each point, in the order of `rowOf`. */
  readonly points: readonly (readonly number[])[];
}

/** Course of a trial: its figures after evenly spread advances, at most 240, and the newest ones. */
export class TrialCourse {
  /** Number of advances in which a unit was bet on. */
  #changes: number;
  /** Points are kept after each multiple of this number of changes. The last point may be between two multiples. */
  #every: number;
  #points: TrialPoint[];

  constructor({ changes = 0, every = 1, points = [] }: Partial<TrialCourseSnapshot> = {}) {
    this.#changes = changes;
    this.#every = every;
    this.#points = points.map(pointOf);
  }

  /** Points, oldest first. */
  get points(): readonly TrialPoint[] {
    return this.#points;
  }

  /** Adds the figures after an advance that changed them. */
  add({ fix, control, eHelp, eHarm, eNone, atMs }: TrialPoint): void {
    if (this.#changes % this.#every !== 0) this.#points.pop();
    else if (this.#points.length >= MAX_POINTS) {
      this.#points = this.#points.filter((_, index) => index % 2 === 1);
      this.#every *= 2;
    }
    this.#changes++;
    this.#points.push({
      atMs,
      fix: { tasks: fix.tasks, failures: fix.failures },
      control: { tasks: control.tasks, failures: control.failures },
      eHelp: short(eHelp),
      eHarm: short(eHarm),
      eNone: short(eNone),
    });
  }

  snapshot(): TrialCourseSnapshot {
    return { changes: this.#changes, every: this.#every, points: this.#points.map(rowOf) };
  }
}

function short(value: number): number {
  return Number(Math.min(value, MAX_E).toPrecision(DIGITS));
}

function rowOf({ atMs, fix, control, eHelp, eHarm, eNone }: TrialPoint): readonly number[] {
  return [atMs, fix.tasks, fix.failures, control.tasks, control.failures, eHelp, eHarm, eNone];
}

function pointOf(row: readonly number[]): TrialPoint {
  const [atMs = 0, fixTasks = 0, fixFailures = 0, tasks = 0, failures = 0, eHelp = 1, eHarm = 1, eNone = 1] = row;
  return {
    atMs,
    fix: { tasks: fixTasks, failures: fixFailures },
    control: { tasks, failures },
    eHelp,
    eHarm,
    eNone,
  };
}
