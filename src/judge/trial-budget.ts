import { type LoopHandle, partsOf } from '../live/loop-parts.js';
import { levelOf } from '../verify/level.js';

/** Budget for false confirmations of a loop. */
export interface TrialBudget {
  /** Share of the confirmed fixes that may be useless, on average. */
  readonly budget: number;
  /** Trials opened so far, with any result. */
  readonly opened: number;
  /** Fixes confirmed so far. */
  readonly confirmed: number;
  /** Share of today's budget that running trials hold and unconfirmed ones have used up, 0 to 1. */
  readonly spent: number;
  /** Significance level of the next trial on new failures. */
  readonly next: number;
}

/** Returns how much of the budget for false confirmations the trials so far have used. */
export function trialBudget(loop: LoopHandle): TrialBudget {
  const { ledger, alpha } = partsOf(loop);
  const { opened, confirmed, spent, unconfirmed } = ledger.state.trials;
  const next = levelOf({ trial: opened + 1, confirmed, attempt: 1, spent, unconfirmed }, alpha);
  const share = Math.min(1, spent / (alpha * Math.max(1, confirmed)));
  return { budget: alpha, opened, confirmed, spent: share, next };
}
