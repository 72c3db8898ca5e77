import type { Scope } from './scope.js';
import type { RuleCounters } from './trial.js';

/** Counts of one arm of a trial. */
export interface ArmFigures {
  readonly units: number;
  readonly tasks: number;
  readonly failures: number;
}

/** Counts of one kind of task, from the first task of a second kind on. */
export interface KindFigures {
  /** The kind, e.g. `{ model: 'haiku-4.5' }` or `{ 'feature.language': 'de' }`. */
  readonly scope: Scope;
  readonly fix: ArmFigures;
  readonly control: ArmFigures;
  /** Guard that excludes the kind if the fix harms it: evidence of harm, and what it needs. None in trials of sessions. */
  readonly guard?: { readonly eHarm: number; readonly needed: number; readonly isExcluded: boolean };
}

/** Current state of a trial. The `e` values are e-values, which start at 1. */
export interface TrialFigures {
  /** Counts of the tested tasks. With a trigger, only tasks that met it. */
  readonly fix: ArmFigures;
  readonly control: ArmFigures;
  /** With a trigger: all tasks in scope, whether or not they met it. */
  readonly inScope?: { readonly fix: ArmFigures; readonly control: ArmFigures };
  /**
   * Failure rate of the fix arm over that of control, 0 to 10 (or more). The interval contains the values that the test
   * does not reject.
   */
  readonly effect: { readonly value: number; readonly low: number; readonly high: number };
  readonly eHelp: number;
  readonly eHarm: number;
  readonly eNone: number;
  /** e-value needed for a verdict: 1 / alpha of the attempt. */
  readonly needed: number;
  /** Trials of single tasks: gain that `eNone` is evidence against, as a share of tasks: 0.05 is 5 in 100 tasks. */
  readonly smallestGain?: number;
  readonly guards: readonly GuardFigures[];
  /** e-value of the test that failures rise with the share; from the ramp on. */
  readonly eInterference?: number;
  /** Failures of all tasks by the share of the fix among them; from a ramp of single tasks on. */
  readonly byShare?: readonly ShareFigures[];
  /** Later tasks of sessions, up to their end; only for single tasks that follow others in a session. */
  readonly later?: LaterFigures;
  /** e-value of the harm alarm, which fires at 10,000; from the ramp on. */
  readonly eAlarm?: number;
  /**
   * The same comparison, restricted to tasks since the confirmation. Use it for an unbiased estimate: lucky fixes are
   * confirmed more often, so the effect at the confirmation is on average too large.
   */
  readonly afterwards?: Pick<TrialFigures, 'fix' | 'control' | 'effect'>;
  /** Average extra duration of a task in the fix arm, and its extra cost, compared with control; only if known. */
  readonly extraMs?: number;
  readonly extraUsd?: number;
  /** Counts for each model, tool, source, agent, version and feature, if there are several. */
  readonly kinds?: readonly KindFigures[];
  /** For rules. Includes sessions since the verdict, as long as some sessions do not get the rule. */
  readonly counters?: RuleCounters;
}

/** Tasks of both arms in the levels of time with one share of the fix. */
export interface ShareFigures {
  readonly share: number;
  readonly tasks: number;
  readonly failures: number;
}

/** Later tasks of sessions by the arm of tasks before them. Each is counted once for each of those. */
export interface LaterFigures {
  readonly fix: Pick<ArmFigures, 'tasks' | 'failures'>;
  readonly control: Pick<ArmFigures, 'tasks' | 'failures'>;
}

/** State of a trial at one time. The `e` values have 4 significant digits. */
export interface TrialPoint {
  readonly atMs: number;
  /** Tested tasks and failures of each arm so far. */
  readonly fix: Pick<ArmFigures, 'tasks' | 'failures'>;
  readonly control: Pick<ArmFigures, 'tasks' | 'failures'>;
  readonly eHelp: number;
  readonly eHarm: number;
  readonly eNone: number;
}

/** Guard that ended a trial. `waits` is the brake: it watches waits in each process, second by second. */
export type GuardName = 'duration' | 'tokens' | 'cost' | 'quality' | 'other-tasks' | 'waits';

export interface GuardFigures {
  readonly guard: GuardName;
  readonly eHarm: number;
  readonly needed: number;
}

/** End of a trial, with its figures. */
export type Verdict =
  | { readonly kind: 'confirmed'; readonly atMs: number; readonly figures: TrialFigures }
  | {
      readonly kind: 'failed';
      readonly why: 'harm' | 'no-effect' | 'guard' | 'interference';
      /** Guard that fired. */
      readonly guard?: GuardName;
      readonly atMs: number;
      readonly figures: TrialFigures;
    }
  | {
      readonly kind: 'inconclusive';
      readonly why: 'deadline' | 'enough-failures-seen';
      readonly atMs: number;
      readonly figures: TrialFigures;
    }
  | {
      readonly kind: 'inconclusive';
      /** The fix was applied to all tasks without a trial, so it can only be compared with the past. */
      readonly why: 'not-randomised';
      readonly atMs: number;
      readonly placebo: Placebo;
    };

/** A verdict of a randomised trial. */
export type TrialVerdict = Extract<Verdict, { figures: TrialFigures }>;

/** Failure rate after the change over the rate before it; undefined if one of them is unknown. */
export interface Placebo {
  /** The same ratio at comparable moments without a change: lower quartile, median and upper quartile. */
  readonly observed?: number;
  /** The same at comparable moments at which nothing was changed: their quarter, middle and three quarters. */
  readonly byItself?: { readonly low: number; readonly middle: number; readonly high: number };
  readonly moments: number;
  /** Share of those moments at which failures fell at least as far without a change; 1 if there were none. */
  readonly asFarByItself: number;
}
