import type { Arm } from '../contract/start.js';
import type { TrialFigures } from '../contract/verdict.js';
import type { TrialTask } from './unit.js';

type Spent = { ms: number; timed: number; usd: number; priced: number };

export type SpendingSnapshot = Readonly<Record<Arm, Readonly<Spent>>>;

/** Time and money spent by the tasks of each arm. */
export class Spending {
  readonly #spent: Record<Arm, Spent>;

  constructor({ fix, control }: SpendingSnapshot = { fix: NOTHING, control: NOTHING }) {
    this.#spent = { fix: { ...fix }, control: { ...control } };
  }

  add(arm: Arm, tasks: readonly TrialTask[]): void {
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

  /** Mean time and money per task that the fix adds; absent without values in both arms. */
  get extra(): Pick<TrialFigures, 'extraMs' | 'extraUsd'> {
    const { fix, control } = this.#spent;
    return {
      ...(fix.timed > 0 && control.timed > 0 && { extraMs: fix.ms / fix.timed - control.ms / control.timed }),
      ...(fix.priced > 0 && control.priced > 0 && { extraUsd: fix.usd / fix.priced - control.usd / control.priced }),
    };
  }

  snapshot(): SpendingSnapshot {
    return { fix: { ...this.#spent.fix }, control: { ...this.#spent.control } };
  }
}

const NOTHING: Readonly<Spent> = { ms: 0, timed: 0, usd: 0, priced: 0 };
