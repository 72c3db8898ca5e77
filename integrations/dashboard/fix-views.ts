import type { Explanation, FixStatus, Forecast, Issue, Json, TrialFigures, UnitKind, Verdict } from 'rsi-loop';

/** Fix as one row of a table. */
export interface FixRow {
  readonly id: string;
  readonly patternId: string;
  readonly task: string;
  readonly issue: Issue;
  /** Kind of change: `policy`, `rule`, or one of the host. */
  readonly kind: string;
  /** The change in plain words. */
  readonly title: string;
  readonly target: string;
  readonly status: FixStatus;
  readonly reason: string;
  readonly forecast: Forecast;
  /** Unit that gets one arm of a trial. The forecast counts sessions for `session`, else tasks. */
  readonly unit: UnitKind;
  readonly safe: boolean;
  readonly needs?: string;
  readonly changedMs: number;
  /** Decisions that are legal now. */
  readonly may: readonly DecisionVerb[];
  /** Why it waits for a person; undefined if it does not. */
  readonly waitsFor?: string;
}

/** Fix with a trial as one row: running, or with a verdict. */
export interface TrialRow {
  readonly fix: FixRow;
  readonly unit: UnitKind;
  readonly phase: 'running' | 'ramp' | 'holdout' | 'ended';
  readonly startedMs: number;
  readonly deadlineMs: number;
  readonly figures?: TrialFigures;
  readonly verdict?: Verdict;
}

/** `GET api/trials` */
export interface TrialsView {
  /** Running ones first, then newest verdict first. */
  readonly trials: readonly TrialRow[];
  /** Budget for false confirmations, and how much of it the trials so far have spent. */
  readonly alpha: {
    readonly budget: number;
    readonly opened: number;
    readonly confirmed: number;
    readonly next: number;
  };
}

/** State of a trial at one time. Points are taken at cycles and thinned evenly; at most 240 are kept. */
export interface TrialPoint {
  readonly atMs: number;
  /** Tasks and failures of each arm so far. */
  readonly fix: { readonly tasks: number; readonly failures: number };
  readonly control: { readonly tasks: number; readonly failures: number };
  readonly eHelp: number;
  readonly eHarm: number;
  readonly eNone: number;
}

/** `GET api/fixes/:id`: a proposal, a trial, or what became of it. */
export interface FixView {
  readonly row: FixRow;
  readonly explanation: Explanation;
  readonly points: readonly TrialPoint[];
  /** e-values at which the test decides. */
  readonly lines: { readonly confirmed: number; readonly harm: number; readonly noEffect: number };
  /** Text before and after for a change of text; settings before and after otherwise. */
  readonly change: readonly { readonly name: string; readonly before: Json; readonly after: Json }[];
}

/** `GET api/review`: proposals and inconclusive fixes that wait, then decided ones. */
export interface ReviewView {
  readonly waiting: readonly FixRow[];
  /** Proposals that start automatically once the program, or an answer about it, makes them possible: see `needs`. */
  readonly blocked: readonly FixRow[];
  readonly decided: readonly FixRow[];
}

export type DecisionVerb =
  | 'approve'
  | 'reject'
  | 'apply'
  | 'rollback'
  | 'freeze'
  | 'unfreeze'
  | 'cancel-run'
  | 'cancel-task';

/** `POST api/decisions` with the header `x-rsi-csrf`. Answers `{ fix?: FixRow }`. */
export interface DecisionRequest {
  readonly verb: DecisionVerb;
  /** Fix to approve, reject, apply or roll back. */
  readonly fixId?: string;
  /** Run to cancel, or the run of the task. */
  readonly runId?: string;
  /** Task to cancel. */
  readonly taskId?: string;
  readonly by: string;
  /** Required to reject. */
  readonly reason?: string;
}
