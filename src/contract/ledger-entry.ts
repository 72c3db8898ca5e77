import type { Fix, FixStatus } from './fix.js';
import type { FixId } from './ids.js';
import type { RootCauseFinding } from './pattern.js';
import type { DeclaredText } from './text.js';
import type { Trial } from './trial.js';
import type { TrialFigures, Verdict } from './verdict.js';

/** A person's answer to the question whether a task may run again after a failure. */
export interface RepeatAnswer {
  readonly mayRepeat: boolean;
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

/** Note of a person on a pattern. Notes change what people see and affect no decision. */
export type PatternNote =
  /** Leaves the pattern out of lists until `unmuted`. */
  | { readonly kind: 'muted' | 'unmuted'; readonly text?: string }
  /** Assigns the pattern to a person; an empty name removes the assignment. */
  | { readonly kind: 'assigned'; readonly to: string; readonly text?: string }
  | { readonly kind: 'commented'; readonly text: string };

/** Note with its author and time. */
export interface KeptNote {
  readonly atMs: number;
  readonly by: string;
  readonly note: PatternNote;
}

/** One entry of the ledger, the log of decisions that is never deleted. */
export type LedgerEntry =
  | {
      readonly kind: 'cycle';
      readonly atMs: number;
      readonly by: string;
      /** Cursor into the journal, per writer, when state advanced. */
      readonly read: Readonly<Record<string, number>>;
      /** Everything that began or ended before this had been read, so trials count outcomes up to this time. */
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
      /** With `trial`: the test plan. With a holdout: its new share. */
      readonly trial?: Trial;
      readonly verdict?: Verdict;
      /** Figures of a trial that ends without a verdict: rolled back by a person or a freeze, or void. */
      readonly figures?: TrialFigures;
    }
  /** A change in force was written to its place, such as a rule to its file, or one that was rolled back was removed. */
  | {
      readonly kind: 'change-written' | 'change-removed';
      readonly atMs: number;
      readonly by: string;
      readonly fixId: FixId;
      readonly path: string;
    }
  /**
   * A model's suggested cause for a pattern that the rules could not explain. It is displayed and affects no decision.
   */
  | {
      readonly kind: 'cause-suggested';
      readonly atMs: number;
      readonly by: string;
      readonly patternId: string;
      /** Occurrences of the pattern at that time. The loop asks again once the count has doubled. */
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
  | ({ readonly kind: 'pattern-noted'; readonly patternId: string } & KeptNote)
  /** The host gave a named text, or another version of it. */
  | ({ readonly kind: 'text-declared'; readonly atMs: number; readonly by: string } & DeclaredText)
  | ({ readonly kind: 'repeat-answered'; readonly task: string } & RepeatAnswer)
  /**
   * Records were erased. State saved before this entry may still contain parts of them. The entry names none of them.
   */
  | {
      readonly kind: 'erased';
      readonly atMs: number;
      readonly by: string;
      /** Names of the filter fields that were used. */
      readonly fields: readonly string[];
      readonly records: number;
      /** Hashes of the erased outcomes' ids. Records with these ids are rejected from then on. */
      readonly ids?: readonly string[];
      /** Entries with replaced words, and the new hash of each line. The hash chain continues with the old hashes. */
      readonly changed: readonly { readonly position: number; readonly hash: string }[];
    }
  | { readonly kind: 'frozen'; readonly atMs: number; readonly by: string; readonly reason: string }
  | { readonly kind: 'unfrozen'; readonly atMs: number; readonly by: string; readonly reason: string }
  /** From `paused` to `resumed` no trial starts, and running trials draw no arms. They keep their evidence. */
  | { readonly kind: 'paused' | 'resumed'; readonly atMs: number; readonly by: string; readonly reason: string };

/** A change that may explain why health rose or fell. */
export interface Marker {
  readonly atMs: number;
  /**
   * Name chosen by the host, e.g. `deploy`.
   * The loop adds `fix-confirmed`, `fix-applied-unverified`, `fix-rolled-back` and `model`.
   */
  readonly kind: string;
  readonly label: string;
  readonly by: string;
  /** Only for fixes. */
  readonly fixId?: FixId;
  /** Only for `model`: the task that changed its model. `label` begins with it. */
  readonly task?: string;
}
