import type { FixId } from './ids.js';
import type { Issue } from './issue.js';
import type { Scope } from './scope.js';
import type { AtMost } from './task-statistics.js';

export type UnitKind = 'task' | 'block' | 'session';

/** Randomised comparison of fix and control. Fixed when it starts, except for the share. */
export interface Trial {
  readonly fixId: FixId;
  readonly unit: UnitKind;
  readonly scope: Scope;
  /** `running`, then `ramp` for shared resources, then `holdout` once confirmed. */
  readonly phase: 'running' | 'ramp' | 'holdout';
  /** When the phase began. */
  readonly phaseSinceMs: number;
  /** Probability of the fix arm, 0 to 1. In a ramp: the higher of the two shares in use. */
  readonly share: number;
  /** Length of a block in milliseconds, the same for every process; only with unit `block`. */
  readonly blockMs?: number;
  /** Significance level of the test. Its e-value must reach 1 / alpha. */
  readonly alpha: number;
  /** Share of the failures in scope that the fix targets, measured before the trial: above 0, up to 1. Default 1. */
  readonly aim?: number;
  /** Only tasks that meet it count in the test. Absent if the fix can affect all of them. */
  readonly trigger?: Trigger;
  /**
   * Number of this trial among all trials of the loop, number of fixes confirmed before, and attempt on its failures.
   */
  readonly place?: { readonly trial: number; readonly confirmed: number; readonly attempt: number };
  readonly openedMs: number;
  readonly deadlineMs: number;
  /** Seed of the random draw. The same unit gets the same arm in every process. */
  readonly seed: number;
  /**
   * Outcomes of the same scope before the trial. They initialise the running estimate of the control rate. `others`:
   * outcomes of all other task names.
   */
  readonly past: {
    readonly tasks: number;
    readonly failures: number;
    readonly others?: { readonly tasks: number; readonly failures: number };
  };
  readonly atMost?: AtMost;
  /**
   * Longest wait before an attempt, if the fix lets tasks wait instead of failing. The guard on durations then counts a
   * failure as this wait.
   */
  readonly waitsMs?: number;
}

/** Condition on a task's first attempt, before a fix can affect the task: its failure, or a minimum duration. */
export interface Trigger {
  readonly failedWith: readonly Issue[];
  readonly tookMs?: number;
}

/** Effect of a rule, in failed tasks. Counts have a half-life of 90 days, because the agent changes over time. */
export interface RuleCounters {
  /**
   * How many fewer tasks failed than without it at the same time, summed over the sessions that went better with it.
   */
  readonly helpful: number;
  /**
   * How many more tasks failed, summed over the sessions that went worse. For a rule without effect, both are about
   * equal.
   */
  readonly harmful: number;
  /** Time to which the decay was applied. */
  readonly atMs: number;
}
