/** Line under test, as the log of its study keeps it. */
export interface StudyLine {
  readonly text: string;
  readonly heading?: string;
  readonly tokens: number;
  /** E-values of an earlier study of the same line, also if they are small. */
  readonly earlier?: { readonly eHelps: number; readonly eHarms: number };
}

/**
 * Outcome that a study compares: failed tasks, or an amount of each task, such as its tokens. One is chosen when the study
 * opens: a choice by its results would find effects that are luck.
 */
export type StudyOutcome = 'failures' | 'durationMs' | 'tokens' | 'costUsd';

/** Result of a session. */
export interface SessionResult {
  /** Tasks of the session, such as its turns, from 1. Default 1. */
  readonly tasks?: number;
  /** Failed tasks, 0 to `tasks`. */
  readonly failures: number;
  readonly durationMs?: number;
  /** Input and output together. */
  readonly tokens?: number;
  readonly costUsd?: number;
  /** A sign for each line: `y` if the session followed it, `n` if not, `-` if its calls do not show it. */
  readonly followed?: string;
}

/** Letter for one line in one session: drawn in, drawn out, or fixed in or out because it is decided. */
export type LineState = 'i' | 'o' | 'I' | 'O';

/** Entry of the log of a study. A replay of all entries gives the same figures. */
export type StudyEntry =
  /** Only the first one counts. */
  | {
      readonly kind: 'opened';
      readonly atMs: number;
      readonly seed: number;
      /** Probability that a line is left out of a session. */
      readonly share: number;
      /** A session that has not ended after this time counts as failed. */
      readonly deadlineMs: number;
      readonly lines: readonly StudyLine[];
      /** Probability that a useless line is named, for each single line. Absent: 5 % over all lines. */
      readonly errorRate?: number;
      /** Absent: failures. */
      readonly outcome?: StudyOutcome;
      /** Name of the text or set, if the id of the log cannot hold it. */
      readonly name?: string;
    }
  /** A session began. `lines` has one `LineState` for each line. Written before the session gets the text. */
  | {
      readonly kind: 'began';
      readonly session: string;
      readonly atMs: number;
      readonly lines: string;
      readonly model?: string;
    }
  | ({ readonly kind: 'ended'; readonly session: string; readonly atMs: number } & SessionResult);

/** Entry that opens a study, with its settings. */
export type StudyOpened = Extract<StudyEntry, { kind: 'opened' }>;
export type SessionBegan = Extract<StudyEntry, { kind: 'began' }>;
export type SessionEnded = Extract<StudyEntry, { kind: 'ended' }>;
