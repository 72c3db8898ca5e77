import type { Arm } from '../contract/start.js';
import type { ArmFigures } from '../contract/verdict.js';
import type { Mutable } from '../lib/mutable.js';
import type { EndedUnit } from './betting-martingale.js';

export const NO_UNITS: ArmFigures = { units: 0, tasks: 0, failures: 0 };

export type ArmCountsSnapshot = Readonly<Record<Arm, ArmFigures>>;

/** Units, tasks and failures of each arm. */
export class ArmCounts {
  readonly #arms: Record<Arm, Mutable<ArmFigures>>;

  constructor({ fix, control }: ArmCountsSnapshot = { fix: NO_UNITS, control: NO_UNITS }) {
    this.#arms = { fix: { ...fix }, control: { ...control } };
  }

  add({ arm, tasks, failures }: EndedUnit): void {
    const counts = this.#arms[arm];
    counts.units++;
    counts.tasks += tasks;
    counts.failures += failures;
  }

  /** Units of both arms. */
  get units(): number {
    return this.#arms.fix.units + this.#arms.control.units;
  }

  /** Counts of both arms together. */
  get both(): ArmFigures {
    const { fix, control } = this.#arms;
    return { units: this.units, tasks: fix.tasks + control.tasks, failures: fix.failures + control.failures };
  }

  /** Failure rate of the fix arm minus that of control, -1 to 1; undefined until both arms have a unit. */
  get difference(): number | undefined {
    const { fix, control } = this.#arms;
    if (fix.tasks === 0 || control.tasks === 0) return undefined;
    return fix.failures / fix.tasks - control.failures / control.tasks;
  }

  snapshot(): ArmCountsSnapshot {
    return { fix: { ...this.#arms.fix }, control: { ...this.#arms.control } };
  }
}
