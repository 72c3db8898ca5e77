import type { EndedUnit } from './betting-martingale.js';

/** Share of the avoided failures supposed to return. Not all do, as some return where a task fails anyway. */
const PART = 0.7;
/** Supposed correlation between tasks of a session or block. */
export const UNIT_RHO = 0.2;
const LOWEST_RATE = 0.005;
const HIGHEST_RATE = 0.98;

export type Counts = readonly [tasks: number, failures: number];

export interface MovedBetSnapshot {
  readonly log: number;
  /** Counts of control, of the fix, and of the tasks after them. */
  readonly seen: readonly [Counts, Counts, Counts];
}

/** Bet that wins if tasks after fix units fail more than those after control units, by the avoided failures. */
export class MovedBet {
  log: number;
  readonly #control: RunningRate;
  readonly #fix: RunningRate;
  readonly #after: RunningRate;

  constructor(snapshot?: MovedBetSnapshot) {
    this.log = snapshot?.log ?? 0;
    this.#control = new RunningRate(snapshot?.seen[0]);
    this.#fix = new RunningRate(snapshot?.seen[1]);
    this.#after = new RunningRate(snapshot?.seen[2]);
  }

  /** Bets on follow-up tasks. `preceding` share one probability of the fix. The rates come from units before these. */
  bet(preceding: readonly EndedUnit[], [tasks, failures]: Counts): void {
    const [first] = preceding;
    if (!first || tasks === 0) return;
    const { supposed } = this;
    if (supposed > 0) {
      const spared = supposed * (first.tasks / tasks);
      this.log += this.#logFactor(preceding, first.share, spared, tasks, failures);
    }
    for (const earlier of preceding) {
      (earlier.arm === 'fix' ? this.#fix : this.#control).add(earlier.tasks, earlier.failures);
    }
    this.#after.add(tasks, failures);
  }

  /** Supposed returning failures per task with the fix. */
  get supposed(): number {
    return PART * Math.max(0, this.#control.value - this.#fix.value);
  }

  snapshot(): MovedBetSnapshot {
    return {
      log: this.log,
      seen: [this.#control.counts, this.#fix.counts, this.#after.counts],
    };
  }

  /** Returns the log likelihood of the assigned arms, relative to its mean over all possible assignments. */
  #logFactor(preceding: readonly EndedUnit[], share: number, spared: number, tasks: number, failures: number): number {
    const count = preceding.length;
    const after = this.#after.value;
    const assigned = countFixes(preceding);
    const seen = logLikelihood(after + spared * (assigned - count * share), tasks, failures);
    let ways = count * Math.log(1 - share);
    let sum = 0;
    for (let fixes = 0; fixes <= count; fixes++) {
      const rate = after + spared * (fixes - count * share);
      const log = fixes === assigned ? seen : logLikelihood(rate, tasks, failures);
      sum += Math.exp(ways + log - seen);
      if (fixes < count) ways += Math.log(((count - fixes) / (fixes + 1)) * (share / (1 - share)));
    }
    return -Math.log(sum);
  }
}

function logLikelihood(rate: number, tasks: number, failures: number): number {
  const inside = Math.min(HIGHEST_RATE, Math.max(LOWEST_RATE, rate));
  const successes = tasks - failures;
  let log = 0;
  if (failures > 0) log = failures * Math.log(inside);
  if (successes > 0) log += successes * Math.log(1 - inside);
  return log / (1 + (tasks - 1) * UNIT_RHO);
}

/** Returns how many of the units had the fix. */
export function countFixes(preceding: readonly EndedUnit[]): number {
  let fixes = 0;
  for (const { arm } of preceding) if (arm === 'fix') fixes++;
  return fixes;
}

/** Running failure rate of all tasks, initialised as 4 failures in 20 tasks. */
export class RunningRate {
  #tasks: number;
  #failures: number;

  constructor([tasks, failures]: Counts = [20, 4]) {
    this.#tasks = tasks;
    this.#failures = failures;
  }

  get value(): number {
    return this.#failures / this.#tasks;
  }

  /** Variance of one task. */
  get variance(): number {
    return Math.max(LOWEST_RATE, this.value * (1 - this.value));
  }

  get counts(): Counts {
    return [this.#tasks, this.#failures];
  }

  add(tasks: number, failures: number): void {
    this.#tasks += tasks;
    this.#failures += failures;
  }
}
