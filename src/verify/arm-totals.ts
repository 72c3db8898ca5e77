import type { Arm } from '../contract/start.js';
import type { ArmFigures, TrialFigures } from '../contract/verdict.js';
import type { EndedUnit } from './betting-martingale.js';
import type { TrialTask } from './unit-queue.js';

type Counts = { -readonly [Name in keyof ArmFigures]: ArmFigures[Name] };
type Spent = { ms: number; timed: number; usd: number; priced: number };

export interface ArmTotalsSnapshot {
  readonly spent: Readonly<Record<Arm, Readonly<Spent>>>;
  readonly counts: Readonly<Record<Arm, ArmFigures>>;
}

/** Totals per arm for the figures of a trial: time and money spent, and counts of all units. */
export class ArmTotals {
  readonly #spent: Record<Arm, Spent>;
  readonly #counts: Record<Arm, Counts>;

  constructor(snapshot?: ArmTotalsSnapshot) {
    const nothing = { ms: 0, timed: 0, usd: 0, priced: 0 };
    const { fix = nothing, control = nothing } = snapshot?.spent ?? {};
    this.#spent = { fix: { ...fix }, control: { ...control } };
    const none = { units: 0, tasks: 0, failures: 0 };
    const counts = snapshot?.counts;
    this.#counts = { fix: { ...(counts?.fix ?? none) }, control: { ...(counts?.control ?? none) } };
  }

  addSpent(arm: Arm, tasks: readonly TrialTask[]): void {
    const spent = this.#spent[arm];
    for (const { end } of tasks) {
      if (end?.durationMs !== undefined) {
        spent.timed++;
        spent.ms += end.durationMs;
      }
      if (end?.costUsd !== undefined) {
        spent.priced++;
        spent.usd += end.costUsd;
      }
    }
  }

  count({ arm, tasks, failures }: EndedUnit): void {
    const counts = this.#counts[arm];
    counts.units++;
    counts.tasks += tasks;
    counts.failures += failures;
  }

  get counts(): Record<Arm, ArmFigures> {
    return { fix: { ...this.#counts.fix }, control: { ...this.#counts.control } };
  }

  /** Mean time and money per task that the fix adds; absent without values in both arms. */
  get extra(): Pick<TrialFigures, 'extraMs' | 'extraUsd'> {
    const { fix, control } = this.#spent;
    return {
      ...(fix.timed > 0 && control.timed > 0 && { extraMs: fix.ms / fix.timed - control.ms / control.timed }),
      ...(fix.priced > 0 && control.priced > 0 && { extraUsd: fix.usd / fix.priced - control.usd / control.priced }),
    };
  }

  snapshot(): ArmTotalsSnapshot {
    return { spent: { fix: { ...this.#spent.fix }, control: { ...this.#spent.control } }, counts: this.counts };
  }
}
