import type { Fix, LedgerEntry, Lesson, Pattern, TrialFigures } from './records.js';
import type { Rooms } from './rooms.js';

/** Everything that is known of a fix. */
export interface Explanation {
  readonly fix: Fix;
  /** What it is for, as far as it was seen in the window. */
  readonly pattern?: Pattern;
  /** Every decision on it, the oldest first. */
  readonly history: readonly LedgerEntry[];
  /** Where the bets stand, while there is a trial or a hold-back. */
  readonly figures?: TrialFigures;
  /** What was learned before about the same failures. */
  readonly lessons: readonly Lesson[];
}

export function explain(fix: Fix, { analyzer, clock, experience, ledger, verifier }: Rooms): Explanation {
  const patternId = analyzer.resolve(fix.patternId);
  const pattern = analyzer.patterns(clock.now()).find(({ id }) => id === patternId);
  const figures = verifier.figures(fix.id);
  return {
    fix,
    ...(pattern && { pattern }),
    history: ledger.historyOf(fix.id),
    ...(figures && { figures }),
    lessons: experience.recall(fix),
  };
}
