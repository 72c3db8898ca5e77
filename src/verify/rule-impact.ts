import type { RuleCounters } from '../contract/trial.js';
import { laterCounters } from '../lib/rule-counters.js';
import type { EndedUnit } from './betting-martingale.js';

/** What is known of control before a session is compared with it. */
const MIN_CONTROL_TASKS = 20;
/** Older tasks of control count less and less, so that days that are good or bad for both count little: half after 50. */
const CONTROL_DECAY = 2 ** (-1 / 50);

export interface RuleImpactSnapshot {
  readonly counters: RuleCounters;
  readonly control: { readonly tasks: number; readonly failures: number; readonly seen: number };
}

/**
 * Counts for a rule the failed tasks that its sessions had fewer or more than those without it had at the same time. A rule
 * that does nothing counts up on both sides alike; a verdict is for the bet to give, this says how much and how lately.
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

  /** Takes in a session that is over; `atMs` is when. */
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
