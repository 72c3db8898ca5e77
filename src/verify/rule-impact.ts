import type { RuleCounters } from '../contract/trial.js';
import { laterCounters } from '../lib/rule-counters.js';
import type { EndedUnit } from './betting-martingale.js';

/** Minimum tasks of control before a session is compared with it. */
const MIN_CONTROL_TASKS = 20;
/**
 * Decay per task of control, with a half-life of 50. Keeps periods that are good or bad for both arms from dominating.
 */
const CONTROL_DECAY = 2 ** (-1 / 50);

export interface RuleImpactSnapshot {
  readonly counters: RuleCounters;
  readonly control: { readonly tasks: number; readonly failures: number; readonly seen: number };
}

/**
 * Impact counters of a rule: failed tasks its sessions had fewer (helpful) or more (harmful) than concurrent control
 * sessions. For a rule without effect both counters grow alike. The verdict comes from the bet; these counters show how
 * much and how recently.
 */
export class RuleImpact {
  #counters: RuleCounters;
  #control: { tasks: number; failures: number; seen: number };

  constructor(snapshot?: RuleImpactSnapshot) {
    this.#counters = snapshot?.counters ?? { helpful: 0, harmful: 0, atMs: 0 };
    this.#control = { ...(snapshot?.control ?? { tasks: 0, failures: 0, seen: 0 }) };
  }

  get counters(): RuleCounters {
    return this.#counters;
  }

  /** Adds a session that ended at `atMs`. */
  add({ arm, tasks, failures }: EndedUnit, atMs: number): void {
    const control = this.#control;
    if (arm === 'control') {
      const kept = CONTROL_DECAY ** tasks;
      control.tasks = control.tasks * kept + tasks;
      control.failures = control.failures * kept + failures;
      control.seen += tasks;
      return;
    }
    if (control.seen < MIN_CONTROL_TASKS) return;
    const spared = (control.failures / control.tasks) * tasks - failures;
    const { helpful, harmful, atMs: at } = laterCounters(this.#counters, atMs);
    this.#counters = { helpful: helpful + Math.max(0, spared), harmful: harmful + Math.max(0, -spared), atMs: at };
  }

  snapshot(): RuleImpactSnapshot {
    return { counters: this.#counters, control: { ...this.#control } };
  }
}
