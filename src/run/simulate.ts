import { wilsonRate } from '../lib/statistics.js';
import { mergePolicy, type Policy, PRESSURE, scopeCovers } from '../policy.js';
import { ERROR_CATEGORIES, type ErrorCategory, type Outcome, type PolicyChange, type Rate } from '../records.js';
import { retriesFor } from './retry.js';
import { RetryBudget } from './retry-budget.js';

/** A guess from the record, never a proof: tasks that were tried again may be others than those that were not. */
export type Simulation = SimulatedRetries | NoSimulation;

export interface SimulatedRetries {
  readonly kind: 'estimated';
  readonly estimate: true;
  /** In the scope of the change. */
  readonly tasks: number;
  readonly failures: number;
  /** Failed tasks that would have been tried (once more). */
  readonly triedAgain: number;
  /** Those that the retry budget would have refused. */
  readonly refused: number;
  /** Failed tasks that would be expected to end well. */
  readonly rescued: { readonly value: number; readonly low: number; readonly high: number };
  /** Share of failed tasks, 0 to 1. */
  readonly failureRate: {
    readonly before: number;
    readonly after: number;
    readonly low: number;
    readonly high: number;
  };
  /** How often recorded attempts of this sort ended well. */
  readonly steps: readonly SimulatedStep[];
  readonly cannotKnow: readonly string[];
}

/** The attempt after so many failures of one category, by one model. */
export interface SimulatedStep {
  readonly category: ErrorCategory;
  readonly afterFailures: number;
  /** Absent where models are taken together. */
  readonly model?: string;
  /** Of independent attempts: those of one hour count as fewer, as far as they ended alike. */
  readonly success: Rate;
}

export interface NoSimulation {
  readonly kind: 'not-enough-data' | 'not-knowable';
  readonly estimate: true;
  readonly reason: string;
  readonly cannotKnow: readonly string[];
}

/** Recorded attempts of one sort before anything is said of it. */
const MIN_ATTEMPTS = 20;
const HOUR_MS = 3_600_000;

/**
 * What a change of retries would have done over recorded outcomes: which failed tasks would have been tried again, inside
 * the retry budget, and how many of them would be expected to end well, by how recorded second attempts ended.
 */
export function simulate(change: PolicyChange, outcomes: Iterable<Outcome>): Simulation {
  const categories = ERROR_CATEGORIES.filter((category) => Object.hasOwn(change.set, `retries.${category}`));
  const others = Object.keys(change.set).filter((name) => !name.startsWith('retries.'));
  const cannotKnow = [
    ...ALWAYS,
    ...(categories.some((category) => PRESSURE.has(category)) ? [UNDER_PRESSURE] : []),
    ...others.map((name) => `what ${name} does: no task was recorded under it and without it at once`),
  ];
  if (categories.length === 0) {
    const reason = `${others.join(', ')}: a record of attempts says nothing about it, only a trial does`;
    return { kind: 'not-knowable', estimate: true, reason, cannotKnow };
  }
  const recorded = [...outcomes].filter(({ issues }) => !issues.includes('cancelled')).sort(byTime);
  const covered = new Set(recorded.filter((outcome) => scopeCovers(change.scope, scopeOf(outcome))));
  const replay = new Replay(mergePolicy([change.set]), categories, stepsOf(covered));
  for (const outcome of recorded) replay.take(outcome, covered.has(outcome));
  const { triedAgain, unknown } = replay;
  if (triedAgain > 0 && replay.known === 0) {
    const reason = `fewer than ${MIN_ATTEMPTS} attempts after ${[...unknown].join(', ')} were recorded`;
    return { kind: 'not-enough-data', estimate: true, reason, cannotKnow };
  }
  const failures = [...covered].filter(({ success }) => !success).length;
  const share = (rescued: number) => (covered.size === 0 ? 0 : (failures - rescued) / covered.size);
  const { rescued, steps, refused } = replay;
  return {
    kind: 'estimated',
    estimate: true,
    tasks: covered.size,
    failures,
    triedAgain,
    refused,
    rescued,
    failureRate: {
      before: share(0),
      after: share(rescued.value),
      low: share(rescued.high),
      high: share(rescued.low),
    },
    steps,
    cannotKnow: [
      ...cannotKnow,
      ...[...unknown].map(
        (step) => `attempts after ${step}: fewer than ${MIN_ATTEMPTS} were recorded, they count as failed`,
      ),
    ],
  };
}

const ALWAYS = [
  'whether tasks that were tried again are like those that were not: only a trial tells',
  'whether your function may be called again (`idempotent: false` means never)',
];
const UNDER_PRESSURE = 'what the extra load does to the other side, and thereby to all tasks';

/** Goes through the record once, in order of time, with the budgets that the executor would have had. */
class Replay {
  triedAgain = 0;
  refused = 0;
  /** Tasks whose next attempt was recorded often enough to say how it would end. */
  known = 0;
  readonly rescued = { value: 0, low: 0, high: 0 };
  readonly unknown = new Set<string>();
  readonly #used = new Map<Cell, SimulatedStep>();
  readonly #policy: Policy;
  readonly #categories: readonly ErrorCategory[];
  readonly #steps: Steps;
  readonly #lanes = new Map<string, Lane>();

  constructor(policy: Policy, categories: readonly ErrorCategory[], steps: Steps) {
    this.#policy = policy;
    this.#categories = categories;
    this.#steps = steps;
  }

  get steps(): readonly SimulatedStep[] {
    return [...this.#used.values()];
  }

  take(outcome: Outcome, isCovered: boolean): void {
    const { category, model, failed, extra } = endOf(outcome);
    const lane = this.#laneOf(model ?? outcome.task);
    lane.record(extra);
    if (outcome.success || !isCovered || category === undefined || !this.#categories.includes(category)) return;
    const allowed = retriesFor(category, this.#policy);
    if (failed > allowed) return;
    this.triedAgain++;
    const fails = { value: 1, low: 1, high: 1 };
    for (let depth = failed; depth <= allowed; depth++) {
      const found = this.#steps.find(category, depth, model);
      if (!found) {
        this.unknown.add(`${category}, ${depth} in a row`);
        break;
      }
      if (!lane.mayAsk(PRESSURE.has(category), fails.value)) {
        if (depth === failed) this.refused++;
        break;
      }
      if (depth === failed) this.known++;
      const { success } = this.#note(found, category, depth);
      fails.value *= 1 - success.value;
      fails.low *= 1 - success.low;
      fails.high *= 1 - success.high;
    }
    this.rescued.value += 1 - fails.value;
    this.rescued.low += 1 - fails.low;
    this.rescued.high += 1 - fails.high;
  }

  #note({ cell, model }: Found, category: ErrorCategory, afterFailures: number): SimulatedStep {
    const known = this.#used.get(cell);
    if (known) return known;
    const step = { category, afterFailures, ...(model !== undefined && { model }), success: cell.rate() };
    this.#used.set(cell, step);
    return step;
  }

  #laneOf(name: string): Lane {
    const lane = this.#lanes.get(name) ?? new Lane();
    this.#lanes.set(name, lane);
    return lane;
  }
}

/** The retry budget of one model, which recorded attempts have used before those that are only thought of. */
class Lane {
  readonly #budget = new RetryBudget();
  /** Recorded attempts that found it empty because of others that were only thought of. */
  #debt = 0;
  /** Parts of attempts that are only made if the one before failed, until they make a whole one. */
  #part = 0;

  record(extra: readonly boolean[]): void {
    this.#budget.countTask();
    for (const isPressure of extra) if (!this.#budget.take(isPressure)) this.#debt++;
  }

  mayAsk(isPressure: boolean, chance: number): boolean {
    this.#part += chance;
    if (this.#part < 1) return true;
    this.#part--;
    if (!this.#budget.take(isPressure)) return false;
    if (this.#debt === 0) return true;
    this.#debt--;
    return false;
  }
}

/** Recorded attempts of one sort. */
class Cell {
  count = 0;
  successes = 0;
  readonly #hours = new Map<number, { count: number; successes: number }>();

  add(success: boolean, atMs: number): void {
    const hour = Math.floor(atMs / HOUR_MS);
    const sums = this.#hours.get(hour) ?? { count: 0, successes: 0 };
    this.#hours.set(hour, sums);
    for (const each of [this, sums]) {
      each.count++;
      if (success) each.successes++;
    }
  }

  /** The interval is as wide as the hours differ: the design effect of clusters (Kish 1965). */
  rate(): Rate {
    const hours = [...this.#hours.values()];
    const value = this.successes / this.count;
    const spread = hours.reduce((sum, hour) => sum + (hour.successes - value * hour.count) ** 2, 0);
    const clusters = hours.length > 1 ? hours.length / (hours.length - 1) : 1;
    const binomial = value * (1 - value) * this.count;
    const effect = binomial > 0 ? Math.max(1, (spread * clusters) / binomial) : 1;
    const { low, high } = wilsonRate(this.successes / effect, this.count / effect);
    return { value, low, high, of: this.count / effect };
  }
}

interface Found {
  readonly cell: Cell;
  readonly model?: string;
}

class Steps {
  readonly #cells = new Map<string, Cell>();

  add(key: string, success: boolean, atMs: number): void {
    const cell = this.#cells.get(key) ?? new Cell();
    this.#cells.set(key, cell);
    cell.add(success, atMs);
  }

  /** Of the model where there is enough of it, else of all models. */
  find(category: ErrorCategory, depth: number, model: string | undefined): Found | undefined {
    const own = model === undefined ? undefined : this.#cells.get(keyOf(category, depth, model));
    if (own && own.count >= MIN_ATTEMPTS && model !== undefined) return { cell: own, model };
    const all = this.#cells.get(keyOf(category, depth));
    return all && all.count >= MIN_ATTEMPTS ? { cell: all } : undefined;
  }
}

/** Every recorded attempt that came after a failure by the same model. */
function stepsOf(outcomes: Iterable<Outcome>): Steps {
  const steps = new Steps();
  for (const { attempts = [], atMs } of outcomes) {
    const failed = new Map<string, number>();
    attempts.forEach(({ success, issue, model }, index) => {
      const next = attempts[index + 1];
      if (success || issue === undefined) return;
      const depth = (failed.get(issue) ?? 0) + 1;
      failed.set(issue, depth);
      if (!next || next.model !== model) return;
      steps.add(keyOf(issue, depth), next.success, atMs);
      if (model !== undefined) steps.add(keyOf(issue, depth, model), next.success, atMs);
    });
  }
  return steps;
}

function keyOf(issue: string, depth: number, model?: string): string {
  return JSON.stringify([issue, depth, model]);
}

/** How the task ended: with which error of which model, how often it had met that one, and what its retries were for. */
function endOf({ attempts = [], issues, model }: Outcome) {
  const last = attempts.at(-1);
  const issue = last?.issue ?? issues[0];
  const category = ERROR_CATEGORIES.find((known) => known === issue);
  const failed = attempts.filter((attempt) => attempt.issue === issue).length;
  const extra = attempts.slice(0, -1).map((attempt) => PRESSURE.has((attempt.issue ?? 'unknown') as ErrorCategory)); // other names are in no set
  return { category, model: last?.model ?? model, failed: Math.max(1, failed), extra };
}

function scopeOf({ task, source, tool, agent, model, attempts }: Outcome) {
  const asked = attempts?.[0]?.model ?? model;
  return {
    task,
    source,
    ...(tool !== undefined && { tool }),
    ...(agent !== undefined && { agent }),
    ...(asked !== undefined && { model: asked }),
  };
}

function byTime(one: Outcome, other: Outcome): number {
  return one.atMs - other.atMs || (one.id < other.id ? -1 : 1);
}
