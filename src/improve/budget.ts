import { mustBe } from '../lib/must-be.js';

/** Limits on all runs of an improvement, also over interruptions. */
export interface Budget {
  /** Cost in US dollars, if runs state it. Not exceeded if no run costs more than the most expensive one before. */
  readonly usd?: number;
  /** Runs of problems, from 1. Never exceeded. */
  readonly runs?: number;
  /** Input and output tokens, if runs state them. The runs in progress still end. */
  readonly tokens?: number;
  /** Time in minutes. The runs in progress still end. */
  readonly minutes?: number;
}

/** Resources that runs have used. */
export interface Spent {
  readonly runs: number;
  readonly usd: number;
  readonly tokens: number;
  readonly minutes: number;
}

export const NOTHING_SPENT: Spent = { runs: 0, usd: 0, tokens: 0, minutes: 0 };

/** @throws LoopError `invalid-input` naming a limit that is no number above 0. */
export function checkBudget(budget: Budget): void {
  for (const [name, limit] of Object.entries(budget)) {
    mustBe(name in NOTHING_SPENT, `budget.${name}`, limit, 'one of budget.usd, runs, tokens and minutes');
    mustBe(typeof limit === 'number' && limit > 0, `budget.${name}`, limit, 'a number above 0');
  }
}

export function sumOf(a: Spent, b: Spent): Spent {
  return { runs: a.runs + b.runs, usd: a.usd + b.usd, tokens: a.tokens + b.tokens, minutes: a.minutes + b.minutes };
}

/** Returns the limit of the budget of which the largest share is used. */
export function nearestLimit(
  budget: Budget,
  spent: Spent,
): { readonly limit: keyof Budget; readonly used: number } | undefined {
  const limits = Object.entries(budget) as [keyof Budget, number][]; // `checkBudget` knows the names
  return limits.map(([limit, most]) => ({ limit, used: spent[limit] / most })).sort((a, b) => b.used - a.used)[0];
}
