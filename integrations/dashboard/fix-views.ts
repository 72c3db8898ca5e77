import type { Explanation, Json } from 'rsi-loop';
import type { FixDecision } from 'rsi-loop/kit';
import type { RuleFollowed } from 'rsi-loop/sources/agents';
import type { FixRow } from '../reports/fix-row.js';
import type { TrialRow } from '../reports/trial-row.js';

export type { FixRow, TrialRow };

/** Work on the store: imports transcripts that were found, or counts records in a cycle. */
export type WorkVerb = 'import' | 'cycle';

/** Notes on a pattern. */
export type NoteVerb = 'mute' | 'unmute' | 'assign' | 'comment';

/** Decisions on a version of the agent that is proven better. */
export type VersionVerb = 'approve-version' | 'reject-version';

/** Decisions that the page asks a person to confirm. */
export type AskedVerb = Exclude<DecisionVerb, WorkVerb>;

export type DecisionVerb =
  | FixDecision
  | NoteVerb
  | WorkVerb
  | 'pause'
  | 'resume'
  | 'freeze'
  | 'unfreeze'
  | VersionVerb
  | 'cancel-run'
  | 'cancel-task';

/** `GET api/trials?range=`: those that ran in the period. */
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
  /** Words for the signature of each entry of its history; absent if none is signed. */
  readonly signatures?: readonly string[];
  /** How often the tasks or sessions that got a rule followed it, if their calls show it. */
  readonly followed?: RuleFollowed;
  readonly points: readonly TrialPoint[];
  /** e-values at which the test decides. */
  readonly lines: { readonly confirmed: number; readonly harm: number; readonly noEffect: number };
  /** Text before and after for a change of text; settings before and after otherwise. */
  readonly change: readonly { readonly name: string; readonly before: Json; readonly after: Json }[];
}

/** `GET api/review`: proposals and inconclusive fixes that wait, then decided ones. */
export interface ReviewView {
  readonly waiting: readonly FixRow[];
  /** Proposals that start automatically after a step in the program: see `needs`. */
  readonly blocked: readonly FixRow[];
  /** Proposals that no trial can decide at this volume. A person may apply them. */
  readonly remarks: readonly FixRow[];
  readonly decided: readonly FixRow[];
}

/** `POST api/decisions` with the header `x-rsi-csrf`. Answers `{ fix?: FixRow }`. */
export interface DecisionRequest {
  readonly verb: DecisionVerb;
  /** Fix to approve, reject, apply, roll back or propose again. */
  readonly fixId?: string;
  /** Version of the agent to approve or reject. */
  readonly versionId?: string;
  /** Run to cancel, or the run of the task. */
  readonly runId?: string;
  /** Task to cancel. */
  readonly taskId?: string;
  /** Pattern to note something about. */
  readonly patternId?: string;
  /** Path of the found transcripts to import. */
  readonly path?: string;
  /** Person that gets the pattern; empty to take it back. */
  readonly to?: string;
  readonly by: string;
  /** Required to reject, and the text of a comment. */
  readonly reason?: string;
}
