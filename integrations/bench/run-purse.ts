import { type Clock, SystemClock } from 'rsi-loop';
import { mustBe, readAs } from 'rsi-loop/kit';
import type { ProblemResult } from './bench-run.js';

/** Limits on runs of problems. */
export interface Budget {
  /** Cost in US dollars, if runs state it. Not exceeded if no run costs more than the most expensive one before. */
  readonly usd?: number;
  /** Runs of problems, from 1. Never exceeded. */
  readonly runs?: number;
  /** Input and output tokens, if runs state them. Not exceeded if no run uses more than the largest one before. */
  readonly tokens?: number;
  /** Time in minutes. Not exceeded if no run takes longer than the longest one before. */
  readonly minutes?: number;
}

/** Resources that runs have used. */
export interface Spent {
  readonly runs: number;
  readonly usd: number;
  readonly tokens: number;
  readonly minutes: number;
}

/** Limit of a budget that is reached. */
export type BudgetLimit = `max-${keyof Budget}`;

/** Use of no run. */
export const NOTHING_SPENT: Spent = { runs: 0, usd: 0, tokens: 0, minutes: 0 };

const MS_PER_MINUTE = 60_000;

/** @throws LoopError `invalid-input` naming a limit that is no number above 0. */
export function checkBudget(budget: Budget): void {
  for (const [name, limit] of Object.entries(budget)) {
    mustBe(name in NOTHING_SPENT, `budget.${name}`, limit, 'one of budget.usd, runs, tokens and minutes');
    mustBe(typeof limit === 'number' && limit > 0, `budget.${name}`, limit, 'a number above 0');
  }
}

/** Returns the sum of what two parts have used. */
export function addSpent(a: Spent, b: Spent): Spent {
  const sum = (name: keyof Spent) => a[name] + b[name];
  return readAs('a or b', 'amounts in numbers', () => {
    return { runs: sum('runs'), usd: sum('usd'), tokens: sum('tokens'), minutes: sum('minutes') };
  });
}

/**
 * Budget of runs. Runs reserve their worst case before they start: as much as the largest run so far. A run that throws
 * without stating what it used counts as the largest one.
 */
export class RunPurse {
  readonly budget: Budget;
  readonly #clock: Clock;
  /** Spent before the part in progress, and in it. */
  #before: Spent = NOTHING_SPENT;
  #part: Spent = NOTHING_SPENT;
  /** Largest stated use of a run; undefined until a run has stated one, or has ended without an error. */
  #largest: { usd?: number; tokens?: number; minutes?: number } = {};
  #pending = 0;
  #countedToMs: number;
  #waiting: (() => void)[] = [];
  /** Comparisons whose stored runs are counted. */
  readonly #counted = new Set<string>();

  /** @throws LoopError `invalid-input` naming a limit that is no number above 0. */
  constructor(budget: Budget = {}, clock: Clock = new SystemClock()) {
    checkBudget(budget);
    this.budget = budget;
    this.#clock = clock;
    this.#countedToMs = clock.monotonic();
  }

  get spent(): Spent {
    return addSpent(this.#before, this.#part);
  }

  /** Resources used since the last call of `endPart`. */
  get part(): Spent {
    return this.#part;
  }

  /** Largest cost of a run so far, in US dollars. */
  get largestUsd(): number {
    return Math.max(this.#largest.usd ?? 0, this.spent.usd / Math.max(1, this.spent.runs));
  }

  /** Reserves runs. Returns the limit that does not cover them; nothing is then reserved. */
  reserve(runs: number): BudgetLimit | undefined {
    const refused = runs > 0 ? this.#refusal(runs) : undefined;
    if (refused === undefined) this.#pending += runs;
    return refused;
  }

  /** Counts a reserved run that has ended. Without a result, its reservation is returned. */
  settle(result?: ProblemResult): void {
    this.#pending--;
    if (result) this.#count(result, 0);
    this.#countTime();
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Counts the runs of an interrupted program once. Their time counts as if they had run one after another. */
  countStored(comparison: string, results: readonly ProblemResult[]): void {
    if (this.#counted.has(comparison)) return;
    this.#counted.add(comparison);
    for (const result of results) this.#count(result, result.durationMs / MS_PER_MINUTE);
  }

  /** Adds what an earlier program has spent. */
  add(spent: Spent): void {
    this.#before = addSpent(this.#before, spent);
  }

  /** Returns what was spent since the last call, and begins the next part. */
  endPart(): Spent {
    this.#countTime();
    const part = this.#part;
    this.#before = addSpent(this.#before, part);
    this.#part = NOTHING_SPENT;
    return part;
  }

  /** Resolves when a reserved run ends; undefined if there is none. */
  nextEnd(): Promise<void> | undefined {
    if (this.#pending === 0) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Returns the limit of which the largest share is used. */
  nearestLimit(): { readonly limit: keyof Budget; readonly used: number } | undefined {
    const { spent } = this;
    const limits = Object.entries(this.budget) as [keyof Budget, number][]; // `checkBudget` knows the names
    return limits.map(([limit, most]) => ({ limit, used: spent[limit] / most })).sort((a, b) => b.used - a.used)[0];
  }

  #refusal(runs: number): BudgetLimit | undefined {
    this.#countTime();
    const { spent, budget } = this;
    const all = this.#pending + runs;
    if (budget.runs !== undefined && spent.runs + all > budget.runs) return 'max-runs';
    for (const resource of ['usd', 'tokens'] as const) {
      const limit = budget[resource];
      if (limit === undefined) continue;
      const largest = this.#largest[resource];
      // Until the use of a run is known, runs of one draw are reserved at a time.
      if (largest === undefined && this.#pending > 0) return `max-${resource}`;
      if (spent[resource] >= limit || spent[resource] + all * (largest ?? 0) > limit) return `max-${resource}`;
    }
    const isLate = budget.minutes !== undefined && spent.minutes + (this.#largest.minutes ?? 0) > budget.minutes;
    return isLate ? 'max-minutes' : undefined;
  }

  #count({ costUsd, tokens, error, durationMs }: ProblemResult, minutes: number): void {
    const stated = { usd: costUsd, tokens: tokens && tokens.input + tokens.output };
    const used = { usd: 0, tokens: 0 };
    for (const resource of ['usd', 'tokens'] as const) {
      const isUnknown = stated[resource] === undefined && error !== undefined;
      used[resource] = stated[resource] ?? (isUnknown ? (this.#largest[resource] ?? 0) : 0);
      if (!isUnknown) this.#largest[resource] = Math.max(this.#largest[resource] ?? 0, used[resource]);
    }
    this.#largest.minutes = Math.max(this.#largest.minutes ?? 0, durationMs / MS_PER_MINUTE);
    this.#part = addSpent(this.#part, { runs: 1, ...used, minutes });
  }

  #countTime(): void {
    const nowMs = this.#clock.monotonic();
    this.#part = addSpent(this.#part, { ...NOTHING_SPENT, minutes: (nowMs - this.#countedToMs) / MS_PER_MINUTE });
    this.#countedToMs = nowMs;
  }
}
