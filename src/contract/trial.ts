import type { FixId } from './ids.js';
import type { Issue } from './issue.js';
import type { Scope } from './scope.js';
import type { AtMost } from './task-statistics.js';

/** Unit that a trial draws at random: tasks, blocks of time, or sessions. */
export type UnitKind = 'task' | 'block' | 'session';

/** Randomised comparison of fix and control. Fixed when it starts, except for the share. */
export interface Trial {
  readonly fixId: FixId;
  readonly unit: UnitKind;
  readonly scope: Scope;
  /** `running`, then `ramp` for shared resources and the host's own settings, then `holdout` once confirmed. */
  readonly phase: 'running' | 'ramp' | 'holdout';
  /** When the phase began. */
  readonly phaseSinceMs: number;
  /** Probability of the fix arm, 0 to 1. In a ramp: the higher of the two shares in use. */
  readonly share: number;
  /**
   * After the confirmation: kinds of task that had too few tasks to show whether the fix helps them. Their arms stay even
   * until it does.
   */
  readonly doubted?: readonly Scope[];
  /** Length of a block in milliseconds, the same for every process; only with unit `block`. */
  readonly blockMs?: number;
  /**
   * Single tasks of the host's own settings: length of a level of time in the ramp. In each level either most tasks get the
   * fix or few of them, at random.
   */
  readonly levelMs?: number;
  /** When blocks got this length, if that was after the trial opened. Earlier blocks do not count. */
  readonly blocksSinceMs?: number;
  /** Significance level of the test. Its e-value must reach 1 / alpha. */
  readonly alpha: number;
  /** Share of the failures in scope that the fix targets, measured before the trial: above 0, up to 1. Default 1. */
  readonly aim?: number;
  /**
   * Smallest gain worth having, as a share of tasks. The trial asks for at most 30 % of the failures. Absent in trials
   * of earlier versions, which end as they began: with bets on ratios.
   */
  readonly smallestGain?: number;
  /** Gain that the price of the change or a low volume asks for at least, at any failure rate. */
  readonly leastGain?: number;
  /** Tasks in scope expected up to the deadline, by the volume at the start. */
  readonly expected?: number;
  /** Only tasks that meet it count in the test. Absent if the fix can affect all of them. */
  readonly trigger?: Trigger;
  /**
   * Number of this trial among all trials of the loop, number of fixes confirmed before, and attempt on its failures.
   */
  readonly place?: { readonly trial: number; readonly confirmed: number; readonly attempt: number };
  /** When the fix does something. Absent if it may act on any task; then the trial cannot be void. */
  readonly acts?: Acts;
  /** The fix only chooses which model answers a task, so it puts no work off to a later one. */
  readonly choosesModels?: true;
  readonly openedMs: number;
  readonly deadlineMs: number;
  /** Last jump of the clock. The deadline moved with it, and tasks that were open meanwhile are not bet on. */
  readonly jump?: ClockJump;
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

/** Jump of the wall clock: the time it would have shown, and the time it showed. */
export interface ClockJump {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Failures after which a fix calls again or waits. A trial in which it never does is void. */
export interface Acts {
  readonly failedWith: readonly Issue[];
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
