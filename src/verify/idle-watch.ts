import type { Acts } from '../contract/trial.js';
import type { Unit } from './unit.js';

/** Tasks of the fix arm that met the condition without any effect, after which the trial is void. */
const ENOUGH = 50;

export interface IdleWatchSnapshot {
  readonly met: number;
  readonly hasActed: boolean;
}

/** Notices a fix that never does anything: its tasks meet the condition, and nothing is called again or waited for. */
export class IdleWatch {
  #met: number;
  #hasActed: boolean;

  constructor({ met = 0, hasActed = false }: Partial<IdleWatchSnapshot> = {}) {
    this.#met = met;
    this.#hasActed = hasActed;
  }

  /** Takes a unit. Returns whether the fix did nothing in enough tasks. */
  take({ arm, tasks }: Unit, { failedWith }: Acts): boolean {
    if (arm !== 'fix' || this.#hasActed) return false;
    for (const { end } of tasks) {
      if (end === undefined) continue;
      if (end.calls !== undefined || (end.waitedMs ?? 0) > 0) this.#hasActed = true;
      else if (end.firstIssue !== undefined && failedWith.includes(end.firstIssue)) this.#met++;
    }
    return !this.#hasActed && this.#met >= ENOUGH;
  }

  snapshot(): IdleWatchSnapshot {
    return { met: this.#met, hasActed: this.#hasActed };
  }
}
