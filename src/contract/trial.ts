import type { FixId } from './ids.js';
import type { Issue } from './issue.js';
import type { Scope } from './scope.js';
import type { AtMost } from './task-statistics.js';

export type UnitKind = 'task' | 'block' | 'session';

/** The randomised comparison of fix and control. Frozen when it starts, except for the share. */
export interface Trial {
  readonly fixId: FixId;
  readonly unit: UnitKind;
  readonly scope: Scope;
  /** `running`, then `ramp` for shared resources, then `hold-back` once confirmed. */
  readonly phase: 'running' | 'ramp' | 'hold-back';
  /** When the phase began. */
  readonly phaseSinceMs: number;
  /** Probability of the fix arm, 0 to 1; in a ramp the upper of the two shares that are drawn. */
  readonly share: number;
  /** Length of a block, the same for every process; with unit `block` only. */
  readonly blockMs?: number;
  /** The level at which it is tested: its capital must reach 1 / alpha. */
  readonly alpha: number;
  /** Which part of the failures in scope the fix is for, above 0 to 1, before the trial. Default 1. */
  readonly aim?: number;
  /** Only tasks that meet it are bet on; absent where the fix may act on all of them. */
  readonly trigger?: Trigger;
  /** Its number among all trials that the loop ever opened, the fixes confirmed before, and the attempt on its failures. */
  readonly place?: { readonly trial: number; readonly confirmed: number; readonly attempt: number };
  readonly openedMs: number;
  readonly deadlineMs: number;
  /** Seed of the draw: the same unit gets the same arm in every process. */
  readonly seed: number;
  /** Ends of the same scope before the trial, which give the running guess of the control rate its start. */
  readonly past: { readonly tasks: number; readonly failures: number };
  readonly atMost?: AtMost;
}

/** What the first attempt of a task came to before a fix can act on the task: it failed so, or took at least so long. */
export interface Trigger {
  readonly failedWith: readonly Issue[];
  readonly tookMs?: number;
}

/**
 * What a rule did, in failed tasks. What it did 90 days ago counts half, for the agent is another one by then.
 */
export interface RuleCounters {
  /** How many fewer failed than without it at the same time, over the sessions that went better with it. */
  readonly helpful: number;
  /** How many more, over the sessions that went worse. A rule that does nothing has about as much of both. */
  readonly harmful: number;
  /** As of when; what was counted longest ago counts least. */
  readonly atMs: number;
}
