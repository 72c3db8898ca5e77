import type { RuleCounters } from './trial.js';

export interface ArmFigures {
  readonly units: number;
  readonly tasks: number;
  readonly failures: number;
}

/** Where the bet stands. `K` values are capital that started at 1. */
export interface TrialFigures {
  /** What was bet on: with a trigger only the tasks that met it. */
  readonly fix: ArmFigures;
  readonly control: ArmFigures;
  /** With a trigger: all tasks in scope, whether or not they met it. */
  readonly inScope?: { readonly fix: ArmFigures; readonly control: ArmFigures };
  /** Failure rate of the fix arm over that of control, 0 to 10 (or more), with the interval the bet does not reject. */
  readonly effect: { readonly value: number; readonly low: number; readonly high: number };
  readonly eHelp: number;
  readonly eHarm: number;
  readonly eNone: number;
  /** What the capital must reach: 1 / alpha of the attempt. */
  readonly needed: number;
  readonly guards: readonly GuardFigures[];
  /** Capital of the bet that failures rise with the share; from the ramp on. */
  readonly eInterference?: number;
  /** Capital of the harm alarm, which rings at 10,000; from the ramp on. */
  readonly eAlarm?: number;
  /**
   * The same comparison over the tasks since the confirmation alone. The effect at the confirmation is on average too
   * good, as a fix is confirmed when it was lucky; this one is not.
   */
  readonly afterwards?: Pick<TrialFigures, 'fix' | 'control' | 'effect'>;
  /** What a task in the fix arm takes longer and costs more on average than one in control; only where known. */
  readonly extraMs?: number;
  readonly extraUsd?: number;
  /** For rules: also of the sessions since the verdict, as long as some are held back from it. */
  readonly counters?: RuleCounters;
}

export type GuardName = 'duration' | 'tokens' | 'cost' | 'quality' | 'other-tasks';

export interface GuardFigures {
  readonly guard: GuardName;
  readonly eHarm: number;
  readonly needed: number;
}

export type Verdict =
  | { readonly kind: 'confirmed'; readonly atMs: number; readonly figures: TrialFigures }
  | {
      readonly kind: 'rejected';
      readonly why: 'harm' | 'no-effect' | 'guard' | 'interference';
      /** Which guard fired. */
      readonly guard?: GuardName;
      readonly atMs: number;
      readonly figures: TrialFigures;
    }
  | {
      readonly kind: 'unproven';
      readonly why: 'deadline' | 'enough-failures-seen';
      readonly atMs: number;
      readonly figures: TrialFigures;
    }
  | {
      readonly kind: 'unproven';
      /** It was put in force for everybody at once: there is nothing to compare it with but the past. */
      readonly why: 'not-randomised';
      readonly atMs: number;
      readonly placebo: Placebo;
    };

/** A verdict of a randomised trial. */
export type TrialVerdict = Extract<Verdict, { figures: TrialFigures }>;

/** How far failures fell after a change, beside how far they fell by themselves at comparable moments before it. */
export interface Placebo {
  /** Failure rate after the change over that before it; undefined where one of them is not known. */
  readonly observed?: number;
  /** The same at comparable moments at which nothing was changed: their quarter, middle and three quarters. */
  readonly byItself?: { readonly low: number; readonly middle: number; readonly high: number };
  readonly moments: number;
  /** Share of those moments at which failures fell at least as far by themselves; 1 where there were none. */
  readonly asFarByItself: number;
}
