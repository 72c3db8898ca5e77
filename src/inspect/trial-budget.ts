import { componentsOf, type LoopHandle } from '../engine/internals.js';
import { levelOf } from '../verify/level.js';

/** Budget for false confirmations of a loop. */
export interface TrialBudget {
  /** Share of the confirmed fixes that may be useless, on average. */
  readonly budget: number;
  /** Trials opened so far, with any result. */
  readonly opened: number;
  /** Fixes confirmed so far. */
  readonly confirmed: number;
  /** Significance level of the next trial on new failures. */
  readonly next: number;
}

/** Returns how much of the budget for false confirmations the trials so far have used. */
export function trialBudget(loop: LoopHandle): TrialBudget {
  const { ledger, alpha } = componentsOf(loop);
  const { opened, confirmed } = ledger.state.trials;
  return { budget: alpha, opened, confirmed, next: levelOf({ trial: opened + 1, confirmed, attempt: 1 }, alpha) };
}
