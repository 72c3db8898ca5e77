import { SystemClock } from 'rsi-loop';
import { isObject, isWithin, mustBe } from 'rsi-loop/kit';
import type { ProblemRunner } from './problem-runner.js';
import { type Budget, type BudgetLimit, checkBudget, RunPurse } from './run-purse.js';

interface Limits {
  readonly maxUsd?: number;
  readonly budget?: Budget | RunPurse;
}

/**
 * Returns the purse that pays for a benchmark: the given one, or one with its limits.
 * @throws LoopError `invalid-input` for a limit that is no number above 0.
 */
export function purseOf(suite: ProblemRunner, { maxUsd = suite.maxUsd, budget = {} }: Limits): RunPurse {
  mustBe(maxUsd === undefined || isWithin(maxUsd, Number.MIN_VALUE), 'maxUsd', maxUsd, 'a number above 0');
  mustBe(isObject(budget), 'budget', budget, 'limits, such as { usd: 1 }');
  // Another copy of the package may have made it.
  if ('reserve' in budget) return budget;
  checkBudget(budget);
  const usd = Math.min(maxUsd ?? Number.POSITIVE_INFINITY, budget.usd ?? Number.POSITIVE_INFINITY);
  return new RunPurse({ ...budget, ...(usd < Number.POSITIVE_INFINITY && { usd }) }, suite.clock ?? new SystemClock());
}

const NAMES: Readonly<Record<BudgetLimit, string>> = {
  'max-usd': 'maxUsd',
  'max-runs': 'The limit on runs',
  'max-tokens': 'The limit on tokens',
  'max-minutes': 'The limit on minutes',
};

/** Returns the limit as the begin of a sentence. */
export function limitName(limit: BudgetLimit): string {
  return NAMES[limit];
}
