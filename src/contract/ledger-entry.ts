import type { Fix, FixStatus } from './fix.js';
import type { FixId } from './ids.js';
import type { RootCauseFinding } from './pattern.js';
import type { Trial } from './trial.js';
import type { Verdict } from './verdict.js';

/** A person's answer to the question whether a task may run again after a failure. */
export interface RepeatAnswer {
  readonly mayRepeat: boolean;
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

/** One line of the ledger, the log of decisions that is kept for ever. */
export type LedgerEntry =
  | {
      readonly kind: 'cycle';
      readonly atMs: number;
      readonly by: string;
      /** How far each writer of the journal was read when state advanced. */
      readonly read: Readonly<Record<string, number>>;
      /** Everything that began or ended before this was read: how far the trials could bet. */
      readonly watermarkMs: number;
    }
  | { readonly kind: 'fix-proposed'; readonly atMs: number; readonly by: string; readonly fix: Fix }
  | {
      readonly kind: 'fix-moved';
      readonly atMs: number;
      readonly by: string;
      readonly fixId: FixId;
      readonly to: FixStatus;
      readonly reason: string;
      /** With `trial`: how it is tested. With a hold-back: its new share. */
      readonly trial?: Trial;
      readonly verdict?: Verdict;
    }
  /** A rule in force now stands in its file, or one taken back no longer does. */
  | {
      readonly kind: 'rule-written' | 'rule-removed';
      readonly atMs: number;
      readonly by: string;
      readonly fixId: FixId;
      readonly path: string;
    }
  /** What a model thinks of a pattern that the rules leave undetermined. It is shown, and nothing is decided on it. */
  | {
      readonly kind: 'cause-suggested';
      readonly atMs: number;
      readonly by: string;
      readonly patternId: string;
      /** How often the pattern had been seen then; it is asked about again at twice as many. */
      readonly count: number;
      readonly finding: RootCauseFinding;
    }
  | {
      readonly kind: 'marked';
      readonly atMs: number;
      readonly by: string;
      readonly what: string;
      readonly label: string;
    }
  | ({ readonly kind: 'repeat-answered'; readonly task: string } & RepeatAnswer)
  /** Records were erased: every state that was made before this entry may hold parts of them. It names none of them. */
  | {
      readonly kind: 'erased';
      readonly atMs: number;
      readonly by: string;
      /** The fields of the filter. */
      readonly fields: readonly string[];
      readonly records: number;
      /** Hashes of the ids of those outcomes: a record with such an id is not taken in again. */
      readonly ids?: readonly string[];
      /** Entries in which words were replaced, and what each line hashes to since; the chain goes on with the old hashes. */
      readonly changed: readonly { readonly position: number; readonly hash: string }[];
    }
  | { readonly kind: 'frozen'; readonly atMs: number; readonly by: string; readonly reason: string }
  | { readonly kind: 'thawed'; readonly atMs: number; readonly by: string; readonly reason: string };

/** Something that changed and may be why health rose or fell. */
export interface Marker {
  readonly atMs: number;
  /** What the host calls it, e.g. `deploy`; by itself come `fix-confirmed`, `fix-applied-unverified`, `fix-rolled-back`, `model`. */
  readonly kind: string;
  readonly label: string;
  readonly by: string;
  /** Only for fixes. */
  readonly fixId?: FixId;
}
